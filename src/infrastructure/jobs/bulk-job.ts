import type { Tx } from '../database/database';

export const BULK_JOBS_QUEUE = 'bulk-jobs';

/** Types of bulk jobs, named after their items (docs/concepts/contacts.md#bulk-jobs). */
export const BULK_JOB_TYPES = ['CONTACTS', 'UNSUBSCRIBES'] as const;
export type BulkJobType = (typeof BULK_JOB_TYPES)[number];

export const BULK_JOB_STATUSES = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED'] as const;
export type BulkJobStatus = (typeof BULK_JOB_STATUSES)[number];

/** Counts of items by result; each type uses some of them. */
export const BULK_JOB_COUNTS = ['created', 'updated', 'failed', 'accepted', 'duplicated'] as const;
export type BulkJobCounts = Record<(typeof BULK_JOB_COUNTS)[number], number>;

export interface BulkJobError {
  /** Index of the item in the request, from 0. */
  readonly index: number;
  readonly value: string | null;
  readonly reason: string;
  /** Explanation, if the reason code is not enough. */
  readonly message?: string;
}

export interface BulkJob extends BulkJobCounts {
  readonly id: number;
  readonly organizationId: number;
  readonly type: BulkJobType;
  readonly status: BulkJobStatus;
  readonly total: number;
  readonly processed: number;
  /** The first 100. */
  readonly errors: readonly BulkJobError[];
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** The work of a job, as JSON; stored encrypted until the job has ended. */
export interface BulkJobPayload<Context = unknown, Item = unknown> {
  /** Shared by all items, such as the channel and the caller. */
  readonly context: Context;
  readonly items: readonly Item[];
  /** Trace context of the request that enqueued the job. */
  readonly traceparent?: string | null;
}

export interface BulkJobChunk<Context, Item> {
  readonly jobId: number;
  readonly organizationId: number;
  readonly context: Context;
  readonly items: readonly Item[];
  /** Index of the first of these items within the job. */
  readonly start: number;
}

/** Results of a chunk, to be added to those of the job. */
export interface BulkJobProgress extends Partial<BulkJobCounts> {
  readonly errors?: readonly BulkJobError[];
}

/** Processes the items of one type of job. Register it with `BulkJobHandlers` in `onModuleInit`. */
export interface BulkJobHandler<Context = unknown, Item = unknown> {
  readonly type: BulkJobType;
  /** Items per transaction. A shutdown waits for the running chunk. */
  readonly chunkSize: number;
  /**
   * Processes items in `tx`, the transaction that also records the progress, so that each takes effect exactly once. A
   * bad item is an error in the progress; an exception rolls the chunk back, and the job is retried.
   */
  process(tx: Tx, chunk: BulkJobChunk<Context, Item>): Promise<BulkJobProgress>;
}
