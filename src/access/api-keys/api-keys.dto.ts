import { ApiProperty } from '@nestjs/swagger';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { Id, PathId, Text } from '../../common/validation/atoms';
import { OrganizationPath } from '../organizations/organizations.dto';
import type { ApiKey } from './api-key.entity';

export class ApiKeyPath extends OrganizationPath {
  @PathId({ description: 'Id of the API key' })
  id!: number;
}

export class CreateApiKeyRequest {
  @Text({ max: 100, description: 'Purpose of the key', example: 'Shop server' })
  name!: string;

  @Id({ description: 'The user whose permissions the key has', example: 1 })
  userId!: number;
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

  @ApiProperty({ format: 'date-time', description: 'When it was created', example: '2026-11-20T08:32:00Z' })
  createdAt!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Last use, to the minute; null if never used',
    example: '2026-11-20T08:32:00Z',
  })
  lastUsedAt!: string | null;
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

export function toApiKeyResponse(key: ApiKey): ApiKeyResponse {
  const { id, name, prefix, userId } = key;
  const times = { createdAt: toDateTime(key.createdAt), lastUsedAt: toDateTime(key.lastUsedAt) };
  return { id, name, prefix, userId, ...times };
}

export function toNewApiKeyResponse({ row, apiKey }: NewApiKey): NewApiKeyResponse {
  return Object.assign(new NewApiKeyResponse(), toApiKeyResponse(row), { apiKey });
}
