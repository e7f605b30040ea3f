import { ApiProperty } from '@nestjs/swagger';

/** One invalid field of a request. */
export class FieldErrorResponse {
  @ApiProperty({ description: 'Path of the field', example: 'url' })
  field!: string;

  @ApiProperty({
    description: 'What is wrong with it',
    example: 'must be a valid URL that starts with https://',
  })
  message!: string;
}

/** The body of every error (doc 1 §7, 4-decisions §2). */
export class ErrorResponse {
  @ApiProperty({ type: 'integer', description: 'HTTP status', example: 400 })
  status!: number;

  @ApiProperty({
    description: 'Status phrase; ADDON_REQUIRED or PERMISSION_DENIED for those two',
    example: 'Bad Request',
  })
  error!: string;

  @ApiProperty({ description: 'Stable code of the error', example: 'VALIDATION_FAILED' })
  code!: string;

  @ApiProperty({ description: 'The error in words', example: 'url: must not be empty' })
  message!: string;

  @ApiProperty({ format: 'date-time', description: 'When it happened, UTC', example: '2026-11-20T08:32:00Z' })
  timestamp!: string;

  @ApiProperty({
    type: FieldErrorResponse,
    isArray: true,
    required: false,
    description: 'The invalid fields, with code VALIDATION_FAILED',
  })
  details?: FieldErrorResponse[];

  @ApiProperty({
    required: false,
    description: 'The missing feature, with code FEATURE_NOT_AVAILABLE',
    example: 'MESSAGING',
  })
  feature?: string;

  @ApiProperty({
    required: false,
    description: 'The missing add-on, with code ADDON_REQUIRED',
    example: 'REVENUE_ANALYTICS',
  })
  addonCode?: string;

  @ApiProperty({
    required: false,
    description: 'The missing permission, with code PERMISSION_DENIED',
    example: 'revenue.view',
  })
  permission?: string;

  @ApiProperty({
    required: false,
    description: 'Names the request in the logs, with code INTERNAL_ERROR',
    example: '5f0c8d1e-7a53-4a0e-9c1b-3f7a2b1c9d10',
  })
  requestId?: string;
}
