import { ApiProperty, type ApiPropertyOptions, ApiPropertyOptional } from '@nestjs/swagger';
import { ERROR_CODE_NAMES, type ErrorCode } from './error-codes';

/** Any value of JSON. */
const ANY: ApiPropertyOptions = {
  required: false,
  nullable: true,
  oneOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'array', items: {} },
    { type: 'object', additionalProperties: true },
  ],
};

/** An invalid field of a request. */
export class FieldErrorResponse {
  @ApiProperty({ description: 'Path of the field', example: 'url' })
  field!: string;

  @ApiProperty({
    description: 'Problem with its value',
    example: 'must be a valid URL that starts with https://',
  })
  message!: string;

  @ApiProperty({
    ...ANY,
    description: 'With code EDIT_CONFLICT: the value in the body',
    example: 'Spring sale',
  })
  sent?: unknown;

  @ApiProperty({
    ...ANY,
    description: 'With code EDIT_CONFLICT: the value that is stored',
    example: 'Summer sale',
  })
  stored?: unknown;
}

/** The body of every error (docs/api.md#errors). */
export class ErrorResponse {
  @ApiProperty({ type: 'integer', description: 'HTTP status', example: 400 })
  status!: number;

  @ApiProperty({
    description: 'Status phrase; for these codes ADDON_REQUIRED, PERMISSION_DENIED or SCOPE_REQUIRED',
    example: 'Bad Request',
  })
  error!: string;

  @ApiProperty({
    enum: ERROR_CODE_NAMES,
    enumName: 'ErrorCode',
    description: 'Stable code of the error; later versions may add codes',
    example: 'VALIDATION_FAILED',
  })
  code!: ErrorCode;

  @ApiProperty({ description: 'Human-readable message', example: 'url: must not be empty' })
  message!: string;

  @ApiProperty({
    format: 'date-time',
    description: 'Time of the error, UTC',
    example: '2026-11-20T08:32:00Z',
  })
  timestamp!: string;

  @ApiProperty({
    type: FieldErrorResponse,
    isArray: true,
    required: false,
    description: 'The invalid fields; with code VALIDATION_FAILED. With EDIT_CONFLICT: those that differ',
  })
  details?: FieldErrorResponse[];

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'The resource as it is stored; with code EDIT_CONFLICT',
    example: { id: 7, title: 'Summer sale' },
  })
  stored?: Record<string, unknown>;

  @ApiProperty({
    required: false,
    description: 'The missing feature; with code FEATURE_NOT_AVAILABLE',
    example: 'MESSAGING',
  })
  feature?: string;

  @ApiProperty({
    required: false,
    description: 'The missing add-on; with code ADDON_REQUIRED',
    example: 'REVENUE_ANALYTICS',
  })
  addonCode?: string;

  @ApiProperty({
    required: false,
    description: 'The missing permission; with code PERMISSION_DENIED',
    example: 'revenue.view',
  })
  permission?: string;

  @ApiProperty({
    required: false,
    description: 'The least role that would do, or PLATFORM; with code ROLE_REQUIRED',
    example: 'ADMIN',
  })
  role?: string;

  @ApiProperty({
    required: false,
    description: 'The scope that the API key lacks; with code SCOPE_REQUIRED',
    example: 'links:write',
  })
  scope?: string;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'The number that the limit of the organization allows; with code LIMIT_REACHED',
    example: 1_000_000,
  })
  limit?: number;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'The number in use; with code LIMIT_REACHED',
    example: 1_000_000,
  })
  usage?: number;

  @ApiProperty({
    required: false,
    description: 'Identifies the request in the logs; with code INTERNAL_ERROR',
    example: '5f0c8d1e-7a53-4a0e-9c1b-3f7a2b1c9d10',
  })
  requestId?: string;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'Links on the domain; with code DOMAIN_IN_USE',
    example: 3,
  })
  links?: number;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'Campaigns on the domain; with code DOMAIN_IN_USE',
    example: 0,
  })
  campaigns?: number;

  @ApiProperty({
    required: false,
    description: 'Available credits; with code INSUFFICIENT_CREDITS',
    example: 120,
  })
  balance?: number;

  @ApiProperty({
    required: false,
    description: 'Used credits; with code REFUND_EXCEEDS_USE',
    example: 300,
  })
  used?: number;

  @ApiProperty({
    type: 'integer',
    required: false,
    description:
      'When an import of links or contacts stopped early: rows before that point which created an object',
    example: 1500,
  })
  created?: number;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'Rows which updated a contact',
    example: 0,
  })
  updated?: number;

  @ApiProperty({ type: 'integer', required: false, description: 'Rows which failed', example: 3 })
  failed?: number;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description:
      'When an import of opt-outs stopped early: its results up to that point, in the form of its response',
    example: { channel: 'SMS', total: 1000, accepted: 990, duplicated: 8, failed: 2, invalid: [] },
  })
  imported?: Record<string, unknown>;
}
