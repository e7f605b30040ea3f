import {
  DATE_TIME,
  DATE_TIME_OR_NULL,
  INT64,
  INTEGER,
  TEXT_OR_NULL,
  Field,
} from '../../common/http/api-field';
import { toDateTime } from '../../common/time/format';
import { PathId } from '../../common/validation/atoms';
import { BULK_JOB_STATUSES, BULK_JOB_TYPES, type BulkJob } from './bulk-job';

export class BulkJobPath {
  @PathId({ description: 'Id of the job; NOT_FOUND for a job of another type', example: 1 })
  jobId!: number;
}

export class BulkJobStarted {
  @Field(
    'Id of the job, for `GET /api/v1/service/messaging/contacts/bulk-jobs/{jobId}`; for opt-outs also ' +
      'for `GET /api/v1/service/messaging/unsubscribes/bulk-jobs/{jobId}`',
    7,
    INT64,
  )
  jobId!: number;
}

export class BulkJobErrorResponse {
  @Field('Index of the item in the request, from 0', 3, INTEGER)
  index!: number;

  @Field('The value as sent', '010-12', TEXT_OR_NULL)
  value!: string | null;

  @Field('Reason code', 'PHONE_FORMAT')
  reason!: string;

  @Field('Explanation, where the reason code is not enough', 'name: must be at most 100 characters long', {
    required: false,
  })
  message?: string;
}

/** See docs/concepts/contacts.md#bulk-jobs. */
export class BulkJobResponse {
  @Field('Id of the job', 7, INT64)
  jobId!: number;

  @Field('Type of its items', 'UNSUBSCRIBES', { enum: BULK_JOB_TYPES })
  type!: string;

  @Field('State of the job', 'COMPLETED', { enum: BULK_JOB_STATUSES })
  status!: string;

  @Field('Number of items in the request', 1000, INTEGER)
  total!: number;

  @Field('Number of items processed, rejected ones included', 1000, INTEGER)
  processed!: number;

  @Field('Number of contacts created', 0, INTEGER)
  created!: number;

  @Field('Number of contacts updated', 0, INTEGER)
  updated!: number;

  @Field('Number of rejected items', 1, INTEGER)
  failed!: number;

  @Field('Number of values newly unsubscribed', 990, INTEGER)
  accepted!: number;

  @Field('Number of values that were already unsubscribed', 9, INTEGER)
  duplicated!: number;

  @Field('The first 100 rejected items', undefined, { type: BulkJobErrorResponse, isArray: true })
  errors!: BulkJobErrorResponse[];

  @Field('Time of the request', '2026-11-20T08:32:00Z', DATE_TIME)
  createdAt!: string;

  @Field('Time when processing started', '2026-11-20T08:32:01Z', DATE_TIME_OR_NULL)
  startedAt!: string | null;

  @Field(
    'Time when the job completed or failed; it is deleted 7 days later',
    '2026-11-20T08:32:02Z',
    DATE_TIME_OR_NULL,
  )
  finishedAt!: string | null;
}

export function toBulkJobResponse(job: BulkJob): BulkJobResponse {
  const { id, organizationId: _, errors, createdAt, startedAt, finishedAt, ...rest } = job;
  return {
    jobId: id,
    ...rest,
    errors: errors.map((error) => ({ ...error })),
    createdAt: toDateTime(createdAt),
    startedAt: toDateTime(startedAt),
    finishedAt: toDateTime(finishedAt),
  };
}
