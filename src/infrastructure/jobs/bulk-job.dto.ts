import { ApiProperty } from '@nestjs/swagger';
import { toDateTime } from '../../common/time/format';
import { PathId } from '../../common/validation/atoms';
import { BULK_JOB_STATUSES, BULK_JOB_TYPES, type BulkJob } from './bulk-job';

export class BulkJobPath {
  @PathId({ description: 'Id of the job; NOT_FOUND for a job of another type', example: 1 })
  jobId!: number;
}

/** The response to bulk work that continues in the background. */
export class BulkJobStarted {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description:
      'Id of the job, for `GET /api/v1/service/messaging/contacts/bulk-jobs/{jobId}`; for opt-outs also ' +
      'for `GET /api/v1/service/messaging/unsubscribes/bulk-jobs/{jobId}`',
    example: 7,
  })
  jobId!: number;
}

/** A rejected item. */
export class BulkJobErrorResponse {
  @ApiProperty({ type: 'integer', description: 'Index of the item in the request, from 0', example: 3 })
  index!: number;

  @ApiProperty({ type: String, nullable: true, description: 'The value as sent', example: '010-12' })
  value!: string | null;

  @ApiProperty({ description: 'Reason code', example: 'PHONE_FORMAT' })
  reason!: string;

  @ApiProperty({
    required: false,
    description: 'Explanation, where the reason code is not enough',
    example: 'name: must be at most 100 characters long',
  })
  message?: string;
}

/** A bulk job (docs/concepts/contacts.md#bulk-jobs). */
export class BulkJobResponse {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the job', example: 7 })
  jobId!: number;

  @ApiProperty({ enum: BULK_JOB_TYPES, description: 'Type of its items', example: 'UNSUBSCRIBES' })
  type!: string;

  @ApiProperty({ enum: BULK_JOB_STATUSES, description: 'State of the job', example: 'COMPLETED' })
  status!: string;

  @ApiProperty({ type: 'integer', description: 'Number of items in the request', example: 1000 })
  total!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Number of items processed, rejected ones included',
    example: 1000,
  })
  processed!: number;

  @ApiProperty({ type: 'integer', description: 'Number of contacts created', example: 0 })
  created!: number;

  @ApiProperty({ type: 'integer', description: 'Number of contacts updated', example: 0 })
  updated!: number;

  @ApiProperty({ type: 'integer', description: 'Number of rejected items', example: 1 })
  failed!: number;

  @ApiProperty({ type: 'integer', description: 'Number of values newly unsubscribed', example: 990 })
  accepted!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Number of values that were already unsubscribed',
    example: 9,
  })
  duplicated!: number;

  @ApiProperty({
    type: BulkJobErrorResponse,
    isArray: true,
    description: 'The first 100 rejected items',
  })
  errors!: BulkJobErrorResponse[];

  @ApiProperty({ format: 'date-time', description: 'Time of the request', example: '2026-11-20T08:32:00Z' })
  createdAt!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time when processing started',
    example: '2026-11-20T08:32:01Z',
  })
  startedAt!: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time when the job completed or failed; it is deleted 7 days later',
    example: '2026-11-20T08:32:02Z',
  })
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
