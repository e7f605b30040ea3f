import type { Tx } from '../database/tx';

/** What bulk jobs are about (docs/concepts/contacts.md#bulk-jobs). */
export const BULK_JOB_TYPES = ['CONTACTS', 'UNSUBSCRIBES'] as const;
export type BulkJobType = (typeof BULK_JOB_TYPES)[number];

export const BULK_JOB_STATUSES = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED'] as const;
type BulkJobStatus = (typeof BULK_JOB_STATUSES)[number];

/** How many items came to what; a type uses those that are its own. */
export const BULK_JOB_COUNTS = ['created', 'updated', 'failed', 'accepted', 'duplicated'] as const;
export type BulkJobCounts = Record<(typeof BULK_JOB_COUNTS)[number], number>;

/** An item that was not taken, and why. */
export interface BulkJobError {
  /** Place of the item in the request, from 0. */
  readonly index: number;
  readonly value: string | null;
  readonly reason: string;
  /** In words, where the reason says too little. */
  readonly message?: string;
}

/** A job as it stands. */
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

/** What a job works on; it is JSON, and kept encrypted until the job has ended. */
export interface BulkJobPayload<Context = unknown, Item = unknown> {
  /** What all items share: the channel, who asked. */
  readonly context: Context;
  readonly items: readonly Item[];
}

/** Some items of a job, in order. */
export interface BulkJobChunk<Context, Item> {
  readonly jobId: number;
  readonly organizationId: number;
  readonly context: Context;
  readonly items: readonly Item[];
  /** Index of the first of these items among all of the job. */
  readonly start: number;
}

/** What became of a chunk, to be added to the job. */
export interface BulkJobProgress extends Partial<BulkJobCounts> {
  readonly errors?: readonly BulkJobError[];
}

/** Knows what to do with the items of one type of job. Register it with `BulkJobHandlers` in `onModuleInit`. */
export interface BulkJobHandler<Context = unknown, Item = unknown> {
  readonly type: BulkJobType;
  /** Items that share one transaction. What a chunk takes is how long a stop, or another worker, may have to wait. */
  readonly chunkSize: number;
  /**
   * Does the items in `tx`, in which the job moves on too: each item takes effect once, however often a worker is
   * killed. A bad item is an error of the progress; what is thrown undoes the chunk, and the job tries it again.
   */
  process(tx: Tx, chunk: BulkJobChunk<Context, Item>): Promise<BulkJobProgress>;
}
