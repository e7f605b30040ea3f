import { ApiProperty } from '@nestjs/swagger';
import { toDateTime } from '../../common/time/format';
import { PathId } from '../../common/validation/atoms';
import { BULK_JOB_STATUSES, BULK_JOB_TYPES, type BulkJob } from './bulk-job';

export class BulkJobPath {
  @PathId({ description: 'Id of the job; NOT_FOUND for a job of another kind', example: 1 })
  jobId!: number;
}

/** The answer to bulk work that goes on behind it. */
export class BulkJobStarted {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description:
      'Id of the job, for `GET /api/v1/service/messaging/contacts/bulk-jobs/{jobId}`; of opt-outs also for ' +
      '`GET /api/v1/service/messaging/unsubscribes/bulk-jobs/{jobId}`',
    example: 7,
  })
  jobId!: number;
}

/** An item that was not taken. */
export class BulkJobErrorResponse {
  @ApiProperty({ type: 'integer', description: 'Place of the item in the request, from 0', example: 3 })
  index!: number;

  @ApiProperty({ type: String, nullable: true, description: 'The value as it was sent', example: '010-12' })
  value!: string | null;

  @ApiProperty({ description: 'What is wrong with it', example: 'PHONE_FORMAT' })
  reason!: string;

  @ApiProperty({
    required: false,
    description: 'In words, where the reason says too little',
    example: 'name: must be at most 100 characters long',
  })
  message?: string;
}

/** A bulk job (docs/concepts/contacts.md#bulk-jobs). */
export class BulkJobResponse {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the job', example: 7 })
  jobId!: number;

  @ApiProperty({ enum: BULK_JOB_TYPES, description: 'What its items are', example: 'UNSUBSCRIBES' })
  type!: string;

  @ApiProperty({ enum: BULK_JOB_STATUSES, description: 'How far it is', example: 'COMPLETED' })
  status!: string;

  @ApiProperty({ type: 'integer', description: 'Items of the request', example: 1000 })
  total!: number;

  @ApiProperty({ type: 'integer', description: 'Items that are done, well or not', example: 1000 })
  processed!: number;

  @ApiProperty({ type: 'integer', description: 'Contacts that were made', example: 0 })
  created!: number;

  @ApiProperty({ type: 'integer', description: 'Contacts that were changed', example: 0 })
  updated!: number;

  @ApiProperty({ type: 'integer', description: 'Items that were not taken', example: 1 })
  failed!: number;

  @ApiProperty({ type: 'integer', description: 'Values that are newly unsubscribed', example: 990 })
  accepted!: number;

  @ApiProperty({ type: 'integer', description: 'Values that were unsubscribed before', example: 9 })
  duplicated!: number;

  @ApiProperty({
    type: BulkJobErrorResponse,
    isArray: true,
    description: 'The first 100 items that were not taken',
  })
  errors!: BulkJobErrorResponse[];

  @ApiProperty({ format: 'date-time', description: 'When it was asked for', example: '2026-11-20T08:32:00Z' })
  createdAt!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the work on it began',
    example: '2026-11-20T08:32:01Z',
  })
  startedAt!: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it was completed, or given up; it is kept for 7 days from then on',
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
