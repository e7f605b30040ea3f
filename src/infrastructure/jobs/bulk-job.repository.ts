import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, MoreThan, type Repository } from 'typeorm';
import { Encryption } from '../../common/crypto/encryption';
import { Clock } from '../../common/time/clock';
import { Database, PROMPTLY, type Tx } from '../database/database';
import { type EncryptedColumn, EncryptedColumns } from '../encryption/encrypted-columns';
import {
  BULK_JOB_COUNTS,
  type BulkJob,
  type BulkJobError,
  type BulkJobPayload,
  type BulkJobProgress,
  type BulkJobType,
} from './bulk-job';
import { BulkJobRow } from './bulk-job.entity';
import type { WorkItem } from './wake-up-queue';

export const BULK_JOB_COLUMNS: readonly EncryptedColumn[] = [
  { table: 'bulk_jobs', column: 'payload' },
  { table: 'bulk_jobs', column: 'errors' },
];

/** A job that this worker has claimed; `openPayload` decrypts its payload. */
export type ClaimedJob = Pick<
  BulkJobRow,
  'id' | 'organizationId' | 'type' | 'processed' | 'total' | 'failures'
> & { readonly payload: string };

export type LockedJob = Pick<BulkJobRow, 'processed' | 'errors'>;

/** Renewed with each chunk; once it expires, another worker takes the job over. */
const LEASE = `interval '10 seconds'`;
/** How long a process that freezes within a chunk can hold the row lock. */
const LOCK_IDLE_TIMEOUT_MS = 20_000;
const MAX_ERRORS = 100;

/** All columns except the lease and the payload, which may be megabytes long. */
const COLUMNS = {
  id: true,
  organizationId: true,
  type: true,
  status: true,
  total: true,
  processed: true,
  created: true,
  updated: true,
  failed: true,
  accepted: true,
  duplicated: true,
  errors: true,
  createdAt: true,
  startedAt: true,
  finishedAt: true,
} as const;

const CLAIM = `
  WITH claimed AS (
    UPDATE bulk_jobs SET status = 'RUNNING', lease = $2, lease_until = now() + ${LEASE},
           started_at = coalesce(started_at, $3)
     WHERE organization_id = $4 AND id = (
             SELECT id FROM bulk_jobs
              WHERE id = $1 AND organization_id = $4 AND finished_at IS NULL AND (lease_until IS NULL OR lease_until < now())
                FOR UPDATE SKIP LOCKED)
    RETURNING id, organization_id AS "organizationId", type, processed, total, failures, payload
  )
  SELECT * FROM claimed`;
const DUE = `
  SELECT id, organization_id AS "organizationId" FROM bulk_jobs
   WHERE finished_at IS NULL AND (lease_until IS NULL OR lease_until < now())`;
const MOVE_ON = `
  UPDATE bulk_jobs SET processed = processed + $2, errors = $3, failures = 0, lease_until = now() + ${LEASE},
         ${BULK_JOB_COUNTS.map((count, i) => `${count} = ${count} + $${i + 5}`).join(', ')}
   WHERE id = $1 AND organization_id = $4`;
const DELETE_OLD = `
  DELETE FROM bulk_jobs
   WHERE (id, organization_id) IN (SELECT id, organization_id FROM bulk_jobs WHERE finished_at <= $1 LIMIT $2)`;

/** Reads and writes bulk jobs. Leases use the clock of Postgres, which all workers share. */
@Injectable()
export class BulkJobRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(BulkJobRow) private readonly jobs: Repository<BulkJobRow>,
    private readonly encryption: Encryption,
    private readonly clock: Clock,
    columns: EncryptedColumns,
  ) {
    columns.register(...BULK_JOB_COLUMNS);
  }

  async insert(tx: Tx, organizationId: number, type: BulkJobType, payload: BulkJobPayload): Promise<number> {
    // The id is reserved first, because the payload's encryption is bound to it.
    const [next] = await tx.query<Pick<BulkJobRow, 'id'>>(
      `SELECT nextval(pg_get_serial_sequence('bulk_jobs', 'id')) AS id`,
    );
    const id = next?.id ?? 0;
    await tx.repository(BulkJobRow).insert({
      id,
      organizationId,
      type,
      status: 'QUEUED',
      total: payload.items.length,
      payload: this.encryption.encrypt(JSON.stringify(payload), cellOf('payload', organizationId, id)),
      createdAt: this.clock.date(),
    });
    return id;
  }

  /** @param finishedAfter jobs that ended before are not found */
  async find(organizationId: number, id: number, finishedAfter: Date): Promise<BulkJob | null> {
    const row = await this.jobs.findOne({
      select: COLUMNS,
      where: [
        { organizationId, id, finishedAt: IsNull() },
        { organizationId, id, finishedAt: MoreThan(finishedAfter) },
      ],
    });
    if (!row) return null;
    const { errors, ...job } = row;
    return { ...job, errors: this.openErrors(organizationId, id, errors) };
  }

  /** Claims a job that no worker has. @param lease identifies this run */
  async claim({ organizationId, id }: WorkItem, lease: string): Promise<ClaimedJob | null> {
    const values = [id, lease, this.clock.date(), organizationId];
    const [job] = await this.database.read<ClaimedJob>(CLAIM, values, PROMPTLY);
    return job ?? null;
  }

  /** @throws Undecipherable */
  openPayload({ id, organizationId, payload }: ClaimedJob): BulkJobPayload {
    const text = this.encryption.decrypt(payload, cellOf('payload', organizationId, id));
    return JSON.parse(text) as BulkJobPayload;
  }

  /** Locks the job for the rest of the transaction. @returns null when another worker has taken it over */
  async lock(tx: Tx, { organizationId, id }: WorkItem, lease: string): Promise<LockedJob | null> {
    await tx.query(`SET LOCAL idle_in_transaction_session_timeout = ${LOCK_IDLE_TIMEOUT_MS}`);
    const [row] = await tx.query<LockedJob>(
      `SELECT processed, errors FROM bulk_jobs
        WHERE id = $1 AND organization_id = $3 AND lease = $2 AND finished_at IS NULL FOR UPDATE`,
      [id, lease, organizationId],
    );
    return row ?? null;
  }

  /** Counts `items` as processed, with their results. @param before errors so far, as returned by `lock` */
  async moveOn(
    tx: Tx,
    { id, organizationId }: ClaimedJob,
    items: number,
    progress: BulkJobProgress,
    before: string | null,
  ): Promise<void> {
    const errors = progress.errors?.length
      ? this.sealErrors(organizationId, id, [
          ...this.openErrors(organizationId, id, before),
          ...progress.errors,
        ])
      : before;
    const counts = BULK_JOB_COUNTS.map((count) => progress[count] ?? 0);
    await tx.query(MOVE_ON, [id, items, errors, organizationId, ...counts]);
  }

  /** Ends a job, and deletes its payload. */
  async finish(tx: Tx, { id, organizationId }: ClaimedJob, status: 'COMPLETED' | 'FAILED'): Promise<void> {
    await tx
      .repository(BulkJobRow)
      .update(
        { id, organizationId },
        { status, finishedAt: this.clock.date(), payload: null, lease: null, leaseUntil: null },
      );
  }

  /** Releases the job until `seconds` from now. @param failures consecutive failures so far */
  async release(
    { organizationId, id }: WorkItem,
    lease: string,
    seconds: number,
    failures: number,
  ): Promise<void> {
    await this.database.read(
      `UPDATE bulk_jobs SET lease = NULL, lease_until = now() + make_interval(secs => $3), failures = $4
        WHERE id = $1 AND organization_id = $5 AND lease = $2 AND finished_at IS NULL`,
      [id, lease, seconds, failures, organizationId],
      PROMPTLY,
    );
  }

  /** Jobs that are due and that no worker has. */
  due(limit: number): Promise<WorkItem[]> {
    return this.database.read<WorkItem>(`${DUE} LIMIT $1`, [limit]);
  }

  /**
   * The oldest job that no worker has, of the organization with the lowest id above `after` that has one. @param except
   * ids of jobs to skip
   */
  async firstDue(after: number, except: readonly number[]): Promise<WorkItem | null> {
    const [item] = await this.database.read<WorkItem>(
      `${DUE} AND organization_id > $1 AND id <> ALL ($2) ORDER BY organization_id, id LIMIT 1`,
      [after, except],
      PROMPTLY,
    );
    return item ?? null;
  }

  /** @returns the number of deleted jobs, at most `limit` */
  deleteFinished(before: Date, limit: number): Promise<number> {
    return this.database.execute(DELETE_OLD, [before, limit]);
  }

  private openErrors(organizationId: number, id: number, errors: string | null): BulkJobError[] {
    if (errors === null) return [];
    const text = this.encryption.decrypt(errors, cellOf('errors', organizationId, id));
    return JSON.parse(text) as BulkJobError[];
  }

  private sealErrors(organizationId: number, id: number, errors: readonly BulkJobError[]): string {
    const text = JSON.stringify(errors.slice(0, MAX_ERRORS));
    return this.encryption.encrypt(text, cellOf('errors', organizationId, id));
  }
}

function cellOf(column: 'payload' | 'errors', organizationId: number, rowId: number) {
  return { table: 'bulk_jobs', column, organizationId, rowId };
}
