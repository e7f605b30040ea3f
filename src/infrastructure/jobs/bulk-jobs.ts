import { Injectable } from '@nestjs/common';
import { NotFound } from '../../common/errors/errors';
import { Clock } from '../../common/time/clock';
import type { Tx } from '../database/tx';
import type { BulkJob, BulkJobPayload, BulkJobType } from './bulk-job';
import { BulkJobRepository } from './bulk-job.repository';
import { BulkJobWakeUps } from './bulk-job-wake-ups';

/** docs/concepts/contacts.md#bulk-jobs */
const KEPT_MS = 7 * 86_400_000;
const BATCH = 1_000;

/** Bulk work that goes on behind the answer. Postgres holds it, so it outlives whatever is killed. */
@Injectable()
export class BulkJobs {
  constructor(
    private readonly rows: BulkJobRepository,
    private readonly wakeUps: BulkJobWakeUps,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds a job to the caller's transaction; workers hear of it after the commit.
   * @returns its id, the `jobId` of the API
   */
  async enqueue<Context, Item>(
    tx: Tx,
    organizationId: number,
    type: BulkJobType,
    payload: BulkJobPayload<Context, Item>,
  ): Promise<number> {
    const id = await this.rows.insert(tx, organizationId, type, payload);
    tx.afterCommit(() => this.wakeUps.notify(id));
    return id;
  }

  /** @returns null when the organization has no such job, or it ended more than 7 days ago */
  find(organizationId: number, id: number): Promise<BulkJob | null> {
    return this.rows.find(organizationId, id, this.oldest());
  }

  /** @param type the only one that is looked for @throws NotFound */
  async get(organizationId: number, id: number, type?: BulkJobType): Promise<BulkJob> {
    const job = await this.find(organizationId, id);
    if (!job || (type && job.type !== type)) throw new NotFound('Bulk job');
    return job;
  }

  async deleteOld(): Promise<void> {
    while ((await this.rows.deleteFinished(this.oldest(), BATCH)) === BATCH);
  }

  private oldest(): Date {
    return new Date(this.clock.now() - KEPT_MS);
  }
}
