import { ApiProperty } from '@nestjs/swagger';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { DateTimeText, Id, Int, PathId, Text } from '../../common/validation/atoms';
import { OnlyKnownNames } from '../../common/validation/known-names';
import { WordList } from '../../common/validation/lists';
import { OrganizationPath } from '../organizations/organizations.dto';
import { EVERY_SCOPE, SCOPES } from '../scopes';
import { type ApiKey, previousKeyExpiresAt } from './api-key.entity';

const WORDS: ReadonlySet<string> = new Set([EVERY_SCOPE, ...SCOPES]);
/** Seven days. */
const MAX_OVERLAP_HOURS = 168;

const optional = true;
const NAME = { max: 100, description: 'Purpose of the key', example: 'Shop server' };
const SCOPE_LIST = {
  min: 1,
  max: WORDS.size,
  every: EVERY_SCOPE,
  example: ['links:write', 'analytics:read'],
};
const SCOPES_TEXT = 'What the key may do: `*` alone is everything, and a `:write` includes its `:read`';
const EXPIRY = { description: 'When the key stops working, in the future', example: '2099-12-31T23:59:59Z' };

export class ApiKeyPath extends OrganizationPath {
  @PathId({ description: 'Id of the API key' })
  id!: number;
}

@OnlyKnownNames()
export class CreateApiKeyRequest {
  @Text(NAME)
  name!: string;

  @Id({ description: 'The user whose permissions the key has', example: 1 })
  userId!: number;

  @WordList(WORDS, { ...SCOPE_LIST, description: SCOPES_TEXT, default: [EVERY_SCOPE] })
  scopes?: string[];

  @DateTimeText({ ...EXPIRY, description: `${EXPIRY.description}; null: never`, optional })
  expiresAt?: string | null;
}

/** Only supplied fields change; null counts as omitted, except where it clears the field. */
@OnlyKnownNames()
export class UpdateApiKeyRequest {
  @Text({ ...NAME, min: 1, optional })
  name?: string | null;

  @WordList(WORDS, { ...SCOPE_LIST, description: `${SCOPES_TEXT}; replaces the current list`, optional })
  scopes?: string[] | null;

  @DateTimeText({ ...EXPIRY, description: `${EXPIRY.description}; null clears it`, optional })
  expiresAt?: string | null;
}

@OnlyKnownNames()
export class RegenerateApiKeyRequest {
  @Int({
    min: 0,
    max: MAX_OVERLAP_HOURS,
    description: 'Hours for which the old key goes on working beside the new one',
    example: 24,
    default: 0,
  })
  overlapHours?: number;
}

export class ApiKeyResponse {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the key', example: 3 })
  id!: number;

  @ApiProperty({ description: 'Purpose of the key', example: 'Shop server' })
  name!: string;

  @ApiProperty({ description: 'First 12 characters of the key', example: 'wp_live_4kQz' })
  prefix!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description: 'The user whose permissions the key has',
    example: 7,
  })
  userId!: number;

  @ApiProperty({ enum: [...WORDS], isArray: true, description: SCOPES_TEXT, example: SCOPE_LIST.example })
  scopes!: string[];

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the key stops working; null if never',
    example: '2099-12-31T23:59:59Z',
  })
  expiresAt!: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Until when the key from before the last replacement works; null if it does not',
    example: '2026-11-21T08:32:00Z',
  })
  previousKeyExpiresAt!: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was created', example: '2026-11-20T08:32:00Z' })
  createdAt!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Last use of the key, to the minute; null if it was not used yet',
    example: '2026-11-20T08:32:00Z',
  })
  lastUsedAt!: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Last use of the key from before the last replacement, while it works, to the minute',
    example: '2026-11-20T08:32:00Z',
  })
  previousKeyLastUsedAt!: string | null;
}

export class NewApiKeyResponse extends ApiKeyResponse {
  @ApiProperty({
    description: 'The key in plain text; shown only in this response',
    example: 'wp_live_4kQz8sT1vXb0nY7cJd2mLr5hGf9wPa3e1kZ0Qx',
  })
  apiKey!: string;
}

export class ApiKeyPage extends pageOf(ApiKeyResponse, 'ApiKeyPage') {}

/** A new key, with the only copy of its plain text. */
export interface NewApiKey {
  readonly row: ApiKey;
  readonly apiKey: string;
}

/** @param now milliseconds, for the end of an overlap */
export function toApiKeyResponse(key: ApiKey, now: number): ApiKeyResponse {
  const { id, name, prefix, userId, scopes } = key;
  const previousUntil = previousKeyExpiresAt(key, now);
  return {
    id,
    name,
    prefix,
    userId,
    scopes,
    expiresAt: toDateTime(key.expiresAt),
    previousKeyExpiresAt: toDateTime(previousUntil),
    createdAt: toDateTime(key.createdAt),
    lastUsedAt: toDateTime(key.lastUsedAt),
    previousKeyLastUsedAt: previousUntil && toDateTime(key.previousLastUsedAt),
  };
}

export function toNewApiKeyResponse({ row, apiKey }: NewApiKey, now: number): NewApiKeyResponse {
  return Object.assign(new NewApiKeyResponse(), toApiKeyResponse(row, now), { apiKey });
}
