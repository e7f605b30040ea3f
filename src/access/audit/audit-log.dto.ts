import { DATE_TIME, INT64, INT64_OR_NULL, TEXT_OR_NULL, Field } from '../../common/http/api-field';
import { PageQuery, pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { DateTimeText, OneOf, PathId, Text } from '../../common/validation/atoms';
import type { AppKeyKind } from '../caller';
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
  @Field('Type of the actor', 'USER', { enum: [...ACTOR_TYPES] })
  type!: string;

  @Field('Id of the user, key or app; null for the platform', 7, INT64_OR_NULL)
  id!: number | null;

  @Field('Name of the actor at that time', 'kim.minji', TEXT_OR_NULL)
  name!: string | null;

  @Field('Which of its keys an app has used; null for others', null, {
    type: String,
    nullable: true,
    enum: ['secret', 'publishable'],
  })
  key!: AppKeyKind | null;
}

export class AuditEntryResponse {
  @Field('Id of the entry', 12, INT64)
  id!: number;

  @Field('When', '2026-11-20T08:32:00Z', DATE_TIME)
  at!: string;

  @Field('Who', undefined, { type: AuditActorResponse })
  actor!: AuditActorResponse;

  @Field('IP address of the actor', '203.0.113.7')
  ip!: string;

  @Field('What was done', 'api_key.create')
  action!: string;

  @Field('Type of the resource', 'api_key')
  resourceType!: string;

  @Field('Id of the resource', '3', TEXT_OR_NULL)
  resourceId!: string | null;

  @Field(
    'Each changed field with its old and new value, secrets excluded',
    { name: { from: null, to: 'Shop server' } },
    {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: { from: { nullable: true }, to: { nullable: true } },
      },
    },
  )
  changes!: AuditChanges;
}

export class AuditEntryPage extends pageOf(AuditEntryResponse, 'AuditEntryPage') {}

export function toAuditEntryResponse(entry: AuditEntry): AuditEntryResponse {
  const { id, ip, action, resourceType, resourceId, changes } = entry;
  const actor = { type: entry.actorType, id: entry.actorId, name: entry.actorName, key: entry.actorKey };
  return { id, at: toDateTime(entry.at), actor, ip, action, resourceType, resourceId, changes };
}
