import { ApiProperty } from '@nestjs/swagger';
import { PageQuery, pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { DateTimeText, OneOf, PathId, Text } from '../../common/validation/atoms';
import type { AuditChanges, AuditEntry } from './audit-entry.entity';

const ACTOR_TYPES = ['API_KEY', 'USER', 'PLATFORM', 'APP'] as const;

export class AuditLogQuery extends PageQuery {
  @OneOf(ACTOR_TYPES, {
    description: 'Only entries by actors of this type',
    example: 'USER',
    optional: true,
  })
  actorType?: (typeof ACTOR_TYPES)[number] | null;

  @PathId({
    description: 'Only entries by users, keys or apps with this id; actorType tells them apart',
    example: 7,
    optional: true,
  })
  actorId?: number | null;

  @Text({ max: 100, description: 'Only entries with this action', example: 'api_key.create', optional: true })
  action?: string | null;

  @Text({
    max: 100,
    description: 'Only entries about this type of resource',
    example: 'api_key',
    optional: true,
  })
  resourceType?: string | null;

  @Text({
    max: 100,
    description: 'Only entries about the resource with this id',
    example: '3',
    optional: true,
  })
  resourceId?: string | null;

  @DateTimeText({
    description: 'Only entries from this time on; a date means its first second, UTC',
    example: '2026-11-20T00:00:00Z',
    optional: true,
  })
  from?: string | null;

  @DateTimeText({
    description: 'Only entries before this time; a date means its last second, UTC',
    example: '2099-11-21T00:00:00Z',
    optional: true,
  })
  to?: string | null;
}

export class AuditActorResponse {
  @ApiProperty({
    enum: [...ACTOR_TYPES],
    description: 'Type of the actor',
    example: 'USER',
  })
  type!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: 'Id of the user, key or app; null for the platform',
    example: 7,
  })
  id!: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Name of the actor at that time',
    example: 'kim.minji',
  })
  name!: string | null;
}

export class AuditEntryResponse {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the entry', example: 12 })
  id!: number;

  @ApiProperty({ format: 'date-time', description: 'When', example: '2026-11-20T08:32:00Z' })
  at!: string;

  @ApiProperty({ type: AuditActorResponse, description: 'Who' })
  actor!: AuditActorResponse;

  @ApiProperty({ description: 'IP address of the actor', example: '203.0.113.7' })
  ip!: string;

  @ApiProperty({ description: 'What was done', example: 'api_key.create' })
  action!: string;

  @ApiProperty({ description: 'Type of the resource', example: 'api_key' })
  resourceType!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Id of the resource', example: '3' })
  resourceId!: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: { from: { nullable: true }, to: { nullable: true } },
    },
    description: 'Each changed field with its old and new value, secrets excluded',
    example: { name: { from: null, to: 'Shop server' } },
  })
  changes!: AuditChanges;
}

export class AuditEntryPage extends pageOf(AuditEntryResponse, 'AuditEntryPage') {}

export function toAuditEntryResponse(entry: AuditEntry): AuditEntryResponse {
  const { id, ip, action, resourceType, resourceId, changes } = entry;
  const actor = { type: entry.actorType, id: entry.actorId, name: entry.actorName };
  return { id, at: toDateTime(entry.at), actor, ip, action, resourceType, resourceId, changes };
}
