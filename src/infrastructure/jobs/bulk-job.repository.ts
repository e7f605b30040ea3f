import { Injectable } from '@nestjs/common';
import { Encryption } from '../../common/crypto/encryption';
import { Clock } from '../../common/time/clock';
import { type EncryptedColumn, EncryptedColumns } from '../encryption/encrypted-columns';
import {
  BULK_JOB_COUNTS,
  type BulkJob,
  type BulkJobError,
  type BulkJobPayload,
  type BulkJobProgress,
  type BulkJobType,
} from './bulk-job';
import { Database } from '../database/database';
import type { Tx } from '../database/tx';

export const BULK_JOB_COLUMNS: readonly EncryptedColumn[] = [
  { table: 'bulk_jobs', column: 'payload' },
  { table: 'bulk_jobs', column: 'errors' },
];

/** A job that this worker has taken. */
export interface ClaimedJob {
  readonly id: number;
  readonly organizationId: number;
  readonly type: BulkJobType;
  readonly processed: number;
  readonly total: number;
  readonly failures: number;
  /** Encrypted; see `openPayload`. */
  readonly payload: string;
}

/** A worker renews it with each chunk; a job of a worker that is gone is taken over when it has run out. */
const LEASE = `interval '10 seconds'`;
/** A process that stands still in the middle of a chunk keeps the job for so long at most. */
const MAX_IDLE_MS = 20_000;
const MAX_ERRORS = 100;

const COLUMNS = `
  id, organization_id AS "organizationId", type, status, total, processed, ${BULK_JOB_COUNTS.join(', ')}, errors,
  created_at AS "createdAt", started_at AS "startedAt", finished_at AS "finishedAt"`;
const CLAIM = `
  WITH claimed AS (
  UPDATE bulk_jobs SET status = 'RUNNING', lease = $2, lease_until = now() + ${LEASE},
         started_at = coalesce(started_at, $3)
   WHERE id = (SELECT id FROM bulk_jobs
                WHERE id = $1 AND finished_at IS NULL AND (lease_until IS NULL OR lease_until < now())
                  FOR UPDATE SKIP LOCKED)
  RETURNING id, organization_id AS "organizationId", type, processed, total, failures, payload)
  SELECT * FROM claimed`;
const MOVE_ON = `
  UPDATE bulk_jobs SET processed = processed + $2, errors = $3, failures = 0, lease_until = now() + ${LEASE},
         ${BULK_JOB_COUNTS.map((count, i) => `${count} = ${count} + $${i + 4}`).join(', ')}
   WHERE id = $1`;
const DELETE_OLD = `
  WITH gone AS (
    DELETE FROM bulk_jobs WHERE id IN (SELECT id FROM bulk_jobs WHERE finished_at <= $1 LIMIT $2) RETURNING 1
  )
  SELECT count(*) AS deleted FROM gone`;

/** The rows of bulk jobs. Leases run on the clock of Postgres, which all workers share. */
@Injectable()
export class BulkJobRepository {
  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
    private readonly clock: Clock,
    columns: EncryptedColumns,
  ) {
    columns.register(...BULK_JOB_COLUMNS);
  }

  async insert(tx: Tx, organizationId: number, type: BulkJobType, payload: BulkJobPayload): Promise<number> {
    const [row] = await tx.query<{ id: number }>(
      `SELECT nextval(pg_get_serial_sequence('bulk_jobs', 'id')) AS id`,
    );
    const id = row?.id ?? 0;
    await tx.execute(
      `INSERT INTO bulk_jobs (id, organization_id, type, status, total, payload, created_at)
       VALUES ($1, $2, $3, 'QUEUED', $4, $5, $6)`,
      [
        id,
        organizationId,
        type,
        payload.items.length,
        this.encryption.encrypt(JSON.stringify(payload), cellOf('payload', organizationId, id)),
        this.clock.date(),
      ],
    );
    return id;
  }

  /** @param finishedAfter jobs that ended before are as good as gone */
  async find(organizationId: number, id: number, finishedAfter: Date): Promise<BulkJob | null> {
    const [row] = await this.database.read<Omit<BulkJob, 'errors'> & { errors: string | null }>(
      `SELECT ${COLUMNS} FROM bulk_jobs
        WHERE id = $1 AND organization_id = $2 AND (finished_at IS NULL OR finished_at > $3)`,
      [id, organizationId, finishedAfter],
    );
    return row ? { ...row, errors: this.openErrors(row.organizationId, row.id, row.errors) } : null;
  }

  /** Takes a job that nobody is at. @param lease names this run */
  async claim(id: number, lease: string): Promise<ClaimedJob | null> {
    const [job] = await this.database.prompt<ClaimedJob>(CLAIM, [id, lease, this.clock.date()]);
    return job ?? null;
  }

  /** @throws Undecipherable */
  openPayload({ id, organizationId, payload }: ClaimedJob): BulkJobPayload {
    const text = this.encryption.decrypt(payload, cellOf('payload', organizationId, id));
    return JSON.parse(text) as BulkJobPayload;
  }

  /** Locks the job for the rest of the transaction. @returns items done so far; null when it is another's by now */
  async lock(
    tx: Tx,
    id: number,
    lease: string,
  ): Promise<{ processed: number; errors: string | null } | null> {
    await tx.query(`SET LOCAL idle_in_transaction_session_timeout = ${MAX_IDLE_MS}`);
    const [row] = await tx.query<{ processed: number; errors: string | null }>(
      `SELECT processed, errors FROM bulk_jobs WHERE id = $1 AND lease = $2 AND finished_at IS NULL FOR UPDATE`,
      [id, lease],
    );
    return row ?? null;
  }

  /** Counts `items` as done, with what became of them. @param before errors so far, as `lock` gave them */
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
    await tx.query(MOVE_ON, [id, items, errors, ...BULK_JOB_COUNTS.map((count) => progress[count] ?? 0)]);
  }

  /** Ends a job; its items are needed no more. */
  async finish(tx: Tx, id: number, status: 'COMPLETED' | 'FAILED'): Promise<void> {
    await tx.execute(
      `UPDATE bulk_jobs SET status = $2, finished_at = $3, payload = NULL, lease = NULL, lease_until = NULL
        WHERE id = $1`,
      [id, status, this.clock.date()],
    );
  }

  /** Gives the job back, to be taken again after so many seconds. @param failures what it has come to in a row */
  async release(id: number, lease: string, seconds: number, failures: number): Promise<void> {
    await this.database.prompt(
      `UPDATE bulk_jobs SET lease = NULL, lease_until = now() + make_interval(secs => $3), failures = $4
        WHERE id = $1 AND lease = $2 AND finished_at IS NULL`,
      [id, lease, seconds, failures],
    );
  }

  /** Jobs that nobody is at, the oldest first. */
  async due(limit: number): Promise<number[]> {
    const rows = await this.database.read<{ id: number }>(
      `SELECT id FROM bulk_jobs WHERE finished_at IS NULL AND (lease_until IS NULL OR lease_until < now())
        ORDER BY id LIMIT $1`,
      [limit],
    );
    return rows.map(({ id }) => id);
  }

  /** @returns how many of at most `limit` there were */
  async deleteFinished(before: Date, limit: number): Promise<number> {
    const [row] = await this.database.read<{ deleted: number }>(DELETE_OLD, [before, limit]);
    return row?.deleted ?? 0;
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
