import { DATE_TIME, DATE_TIME_OR_NULL, INT64, Field } from '../../common/http/api-field';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { DateTimeText, Id, Int, PathId, Text } from '../../common/validation/atoms';
import { OnlyKnownNames } from '../../common/validation/known-names';
import { WordList } from '../../common/validation/lists';
import { OrganizationPath } from '../organization-path.dto';
import { EVERY_SCOPE, SCOPES } from '../scopes';
import { type ApiKey, previousKeyExpiresAt } from './api-key.entity';

const WORDS: ReadonlySet<string> = new Set([EVERY_SCOPE, ...SCOPES]);
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

/** Only supplied fields change; null counts as omitted, unless the field can be cleared. */
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
  @Field('Id of the key', 3, INT64)
  id!: number;

  @Field('Purpose of the key', 'Shop server')
  name!: string;

  @Field('First 12 characters of the key', 'wp_live_4kQz')
  prefix!: string;

  @Field('The user whose permissions the key has', 7, INT64)
  userId!: number;

  @Field(SCOPES_TEXT, SCOPE_LIST.example, { enum: [...WORDS], isArray: true })
  scopes!: string[];

  @Field('When the key stops working; null if never', '2099-12-31T23:59:59Z', DATE_TIME_OR_NULL)
  expiresAt!: string | null;

  @Field(
    'Until when the key from before the last replacement works; null if it does not',
    '2026-11-21T08:32:00Z',
    DATE_TIME_OR_NULL,
  )
  previousKeyExpiresAt!: string | null;

  @Field('When it was created', '2026-11-20T08:32:00Z', DATE_TIME)
  createdAt!: string;

  @Field(
    'Last use of the key, to the minute; null if it was not used yet',
    '2026-11-20T08:32:00Z',
    DATE_TIME_OR_NULL,
  )
  lastUsedAt!: string | null;

  @Field(
    'Last use of the key from before the last replacement, while it works, to the minute',
    '2026-11-20T08:32:00Z',
    DATE_TIME_OR_NULL,
  )
  previousKeyLastUsedAt!: string | null;
}

export class NewApiKeyResponse extends ApiKeyResponse {
  @Field(
    'The key in plain text; shown only in this response',
    'wp_live_4kQz8sT1vXb0nY7cJd2mLr5hGf9wPa3e1kZ0Qx',
  )
  apiKey!: string;
}

export class ApiKeyPage extends pageOf(ApiKeyResponse, 'ApiKeyPage') {}

/** A new key, the only time in plain text. */
export interface NewApiKey {
  readonly row: ApiKey;
  readonly apiKey: string;
}

/** @param now in milliseconds, for the end of an overlap */
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
