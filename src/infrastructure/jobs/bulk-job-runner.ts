import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { isStoreFailure } from '../../common/errors/store-failure';
import { describeError } from '../../common/logging/logger';
import { inSpan } from '../../common/tracing';
import { BULK_JOBS_QUEUE, type BulkJobHandler, type BulkJobPayload } from './bulk-job';
import { BulkJobHandlers } from './bulk-job-handlers';
import { BulkJobRepository, type ClaimedJob } from './bulk-job.repository';
import { Database } from '../database/database';

/** Consecutive failures of a chunk after which its job fails. */
const MAX_FAILURES = 5;
const STORE_DOWN_RETRY_SECONDS = 1;

/**
 * Runs bulk jobs chunk by chunk: a killed worker leaves only whole chunks, and another worker continues after them.
 * Organizations take turns in the order of their ids, so that none has to wait for all jobs of another.
 */
@Injectable()
export class BulkJobRunner {
  private readonly logger = new Logger(BulkJobRunner.name);
  private readonly running = new Set<Promise<void>>();
  /** The organization that had the last turn. */
  private last = 0;
  private stopping = false;

  constructor(
    private readonly rows: BulkJobRepository,
    private readonly handlers: BulkJobHandlers,
    private readonly database: Database,
  ) {}

  /**
   * Runs the rest of one job that no other worker has. Each job has its own wake-up, but a run takes whichever job is
   * next. Never rejects: after a failure the job is due again.
   */
  runNext(): Promise<void> {
    if (this.stopping) return Promise.resolve();
    const run = this.attempt().catch((error: unknown) => {
      this.logger.warn(`A bulk job is left to the next sweep: ${describeError(error).message}`);
    });
    this.running.add(run);
    return run.finally(() => this.running.delete(run));
  }

  /** Waits for running chunks, and releases their jobs. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.running);
  }

  private async attempt(): Promise<void> {
    const lease = randomUUID();
    const job = await this.claimNext(lease);
    if (!job) return;
    const handler = this.handlers.of(job.type);
    let { failures } = job;
    try {
      const payload = this.rows.openPayload(job);
      const span = {
        name: `process ${BULK_JOBS_QUEUE}`,
        kind: 'consumer',
        parent: payload.traceparent ?? null,
      } as const;
      while (await inSpan(span, () => this.chunk(job, lease, handler, payload))) {
        failures = 0;
        if (this.stopping) {
          await this.rows.release(job, lease, 0, failures);
          return;
        }
      }
    } catch (error) {
      await this.failed(job, lease, failures, error);
    }
  }

  private async claimNext(lease: string): Promise<ClaimedJob | null> {
    /** Jobs that another worker claimed in between, or still has locked after its lease. */
    const taken: number[] = [];
    for (;;) {
      const item = (await this.rows.firstDue(this.last, taken)) ?? (await this.rows.firstDue(0, taken));
      if (!item) return null;
      this.last = item.organizationId;
      const job = await this.rows.claim(item, lease);
      if (job) return job;
      taken.push(item.id);
    }
  }

  /** @returns whether this run should continue */
  private async chunk(
    job: ClaimedJob,
    lease: string,
    handler: BulkJobHandler,
    { context, items }: BulkJobPayload,
  ): Promise<boolean> {
    const more = await this.database.write(async (tx) => {
      const held = await this.rows.lock(tx, job, lease);
      if (!held) return false;
      const { processed: start, errors } = held;
      const some = items.slice(start, start + handler.chunkSize);
      if (some.length > 0) {
        const { id: jobId, organizationId } = job;
        const progress = await handler.process(tx, { jobId, organizationId, context, items: some, start });
        await this.rows.moveOn(tx, job, some.length, progress, errors);
      }
      const more = start + some.length < items.length;
      if (!more) await this.rows.finish(tx, job, 'COMPLETED');
      return more;
    });
    await this.database.wrote(job.organizationId);
    return more;
  }

  private async failed(job: ClaimedJob, lease: string, before: number, error: unknown): Promise<void> {
    if (isStoreFailure(error)) {
      await this.rows.release(job, lease, STORE_DOWN_RETRY_SECONDS, before);
      throw error;
    }
    const failures = before + 1;
    const gaveUp = failures >= MAX_FAILURES;
    this.logger.error(
      `Bulk job ${job.id} ${gaveUp ? 'failed' : 'will be retried'}: ${describeError(error).message}`,
    );
    if (!gaveUp) await this.rows.release(job, lease, 2 ** before, failures);
    else
      await this.database.write(async (tx) => {
        if (await this.rows.lock(tx, job, lease)) await this.rows.finish(tx, job, 'FAILED');
      });
  }
}
