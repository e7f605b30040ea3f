import type { ApiPropertyOptions } from '@nestjs/swagger';
import { DATE_TIME, INTEGER, Field } from './api-field';
import { ERROR_CODE_NAMES, type ErrorCode } from '../errors/error-codes';

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
const COLLISIONS = [
  {
    kind: 'link',
    codes: [
      { id: 4821, code: 'Sale' },
      { id: 4907, code: 'sale' },
    ],
  },
];
const OBJECT_IF_ANY = { type: 'object', additionalProperties: true, selfRequired: false } as const;

export class FieldErrorResponse {
  @Field('Path of the field', 'url')
  field!: string;

  @Field('Problem with its value', 'must be a valid URL that starts with https://')
  message!: string;

  @Field('With code EDIT_CONFLICT: the value in the body', 'Spring sale', ANY)
  sent?: unknown;

  @Field('With code EDIT_CONFLICT: the value that is stored', 'Summer sale', ANY)
  stored?: unknown;
}

/** The body of every error (docs/api.md#errors). */
export class ErrorResponse {
  @Field('HTTP status', 400, INTEGER)
  status!: number;

  @Field('Status phrase; for these codes ADDON_REQUIRED, PERMISSION_DENIED or SCOPE_REQUIRED', 'Bad Request')
  error!: string;

  @Field('Stable code of the error; later versions may add codes', 'VALIDATION_FAILED', {
    enum: ERROR_CODE_NAMES,
    enumName: 'ErrorCode',
  })
  code!: ErrorCode;

  @Field('Human-readable message', 'url: must not be empty')
  message!: string;

  @Field('Time of the error, UTC', '2026-11-20T08:32:00Z', DATE_TIME)
  timestamp!: string;

  @Field(
    'The invalid fields; with code VALIDATION_FAILED. With EDIT_CONFLICT: those that differ',
    undefined,
    { type: FieldErrorResponse, isArray: true, required: false },
  )
  details?: FieldErrorResponse[];

  @Field(
    'The resource as it is stored; with code EDIT_CONFLICT',
    { id: 7, title: 'Summer sale' },
    OBJECT_IF_ANY,
  )
  stored?: Record<string, unknown>;

  @Field('The missing feature; with code FEATURE_NOT_AVAILABLE', 'MESSAGING', { required: false })
  feature?: string;

  @Field('The missing add-on; with code ADDON_REQUIRED', 'REVENUE_ANALYTICS', { required: false })
  addonCode?: string;

  @Field('The missing permission; with code PERMISSION_DENIED', 'revenue.view', { required: false })
  permission?: string;

  @Field('The least role that would do, or PLATFORM; with code ROLE_REQUIRED', 'ADMIN', { required: false })
  role?: string;

  @Field('The scope that the API key lacks; with code SCOPE_REQUIRED', 'links:write', { required: false })
  scope?: string;

  @Field('The number that the limit of the organization allows; with code LIMIT_REACHED', 1_000_000, {
    type: 'integer',
    required: false,
  })
  limit?: number;

  @Field('The number in use; with code LIMIT_REACHED', 1_000_000, { type: 'integer', required: false })
  usage?: number;

  @Field(
    'Identifies the request in the logs; with code INTERNAL_ERROR',
    '5f0c8d1e-7a53-4a0e-9c1b-3f7a2b1c9d10',
    { required: false },
  )
  requestId?: string;

  @Field('Links on the domain; with code DOMAIN_IN_USE', 3, { type: 'integer', required: false })
  links?: number;

  @Field('Campaigns on the domain; with code DOMAIN_IN_USE', 0, { type: 'integer', required: false })
  campaigns?: number;

  @Field('Number of collisions; with code CODES_COLLIDE', 1, { type: 'integer', required: false })
  total?: number;

  @Field('The first 100 collisions, as in `code-collisions`; with code CODES_COLLIDE', COLLISIONS, {
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    required: false,
  })
  collisions?: object[];

  @Field('Available credits; with code INSUFFICIENT_CREDITS', 120, { required: false })
  balance?: number;

  @Field('Used credits; with code REFUND_EXCEEDS_USE', 300, { required: false })
  used?: number;

  @Field(
    'When an import of links or contacts stopped early: rows before that point which created an object',
    1500,
    { type: 'integer', required: false },
  )
  created?: number;

  @Field('Rows which updated a contact', 0, { type: 'integer', required: false })
  updated?: number;

  @Field('Rows which failed', 3, { type: 'integer', required: false })
  failed?: number;

  @Field(
    'When an import of opt-outs stopped early: its results up to that point, in the form of its response',
    { channel: 'SMS', total: 1000, accepted: 990, duplicated: 8, failed: 2, invalid: [] },
    OBJECT_IF_ANY,
  )
  imported?: Record<string, unknown>;
}
