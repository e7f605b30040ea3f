import { InjectQueue } from '@nestjs/bull';
import { Injectable } from '@nestjs/common';
import { NotFound } from '../../common/errors/errors';
import { Clock } from '../../common/time/clock';
import { activeTraceparent } from '../../common/tracing';
import { Database, type Tx } from '../database/database';
import { BULK_JOBS_QUEUE, type BulkJob, type BulkJobPayload, type BulkJobType } from './bulk-job';
import { BulkJobRepository } from './bulk-job.repository';
import { WakeUpQueue } from './wake-up-queue';

/** Retention of jobs that have ended (docs/concepts/contacts.md#bulk-jobs). */
const RETENTION_MS = 7 * 86_400_000;
const BATCH = 1_000;

/** Bulk work that continues after the response. Postgres holds it, so it survives a killed process. */
@Injectable()
export class BulkJobs {
  constructor(
    private readonly rows: BulkJobRepository,
    @InjectQueue(BULK_JOBS_QUEUE) private readonly queue: WakeUpQueue,
    private readonly clock: Clock,
    private readonly database: Database,
  ) {}

  /**
   * Adds a job in the caller's transaction, and wakes a worker after the commit.
   * @returns its id, the `jobId` of the API
   */
  async enqueue<Context, Item>(
    tx: Tx,
    organizationId: number,
    type: BulkJobType,
    payload: BulkJobPayload<Context, Item>,
  ): Promise<number> {
    const traceparent = activeTraceparent();
    const id = await this.rows.insert(tx, organizationId, type, { ...payload, traceparent });
    tx.afterCommit(() => this.queue.notify({ organizationId, id }));
    return id;
  }

  /** @returns null when the organization has no such job, or it ended more than 7 days ago */
  async find(organizationId: number, id: number): Promise<BulkJob | null> {
    const job = await this.rows.find(organizationId, id, this.oldest());
    // Whoever has seen the progress expects lists to include it.
    if (job) await this.database.wrote(organizationId);
    return job;
  }

  /**
   * @param type jobs of other types are not found
   * @throws NotFound
   */
  async get(organizationId: number, id: number, type?: BulkJobType): Promise<BulkJob> {
    const job = await this.find(organizationId, id);
    if (!job || (type && job.type !== type)) throw new NotFound('Bulk job');
    return job;
  }

  async deleteOld(): Promise<void> {
    while ((await this.rows.deleteFinished(this.oldest(), BATCH)) === BATCH);
  }

  private oldest(): Date {
    return new Date(this.clock.now() - RETENTION_MS);
  }
}
