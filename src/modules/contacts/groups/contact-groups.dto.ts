import { ApiProperty } from '@nestjs/swagger';
import { pageOf } from '../../../common/pagination/page';
import { toDateTime } from '../../../common/time/format';
import { atom, type AtomOptions } from '../../../common/validation/atom';
import { PathId, Text } from '../../../common/validation/atoms';
import type { ContactGroup } from './contact-group.entities';

const NAME = { min: 1, max: 100, description: 'Name, unique in the organization', example: 'Newsletter' };
const DESCRIPTION = { max: 500, description: 'What it is for', example: 'Readers of the monthly newsletter' };
const optional = true;

export class CreateGroupRequest {
  @Text(NAME)
  name!: string;

  @Text({ ...DESCRIPTION, optional })
  description?: string | null;
}

/** Only supplied fields change; null clears the description. */
export class UpdateGroupRequest {
  @Text({ ...NAME, optional })
  name?: string | null;

  @Text({ ...DESCRIPTION, optional })
  description?: string | null;
}

export class GroupPath {
  @PathId({ description: 'Id of the group' })
  id!: number;
}

/** Ids of resources: 1 to `max` of them. */
function IdList(options: AtomOptions & { max: number }): PropertyDecorator {
  const check = (value: unknown) => {
    if (!Array.isArray(value)) return 'must be an array';
    if (value.length < 1 || value.length > options.max) return `must have 1 to ${options.max} items`;
    const wrong = value.findIndex((item) => !Number.isSafeInteger(item) || (item as number) < 1);
    return wrong === -1 ? null : `item ${wrong} must be the id of a contact`;
  };
  const items = { type: 'integer', format: 'int64', minimum: 1 };
  return atom('idList', check, { type: 'array', items, minItems: 1, maxItems: options.max }, options);
}

export class GroupMembersRequest {
  @IdList({ max: 1000, description: 'Contacts', example: [42] })
  contactIds!: number[];
}

const count = (description: string) => ApiProperty({ type: 'integer', description, example: 1 });

export class MembersAddedResponse {
  @count('Contacts that became members')
  added!: number;

  @count('Contacts that were members before')
  alreadyMember!: number;

  @count('Ids that no active contact has')
  notFound!: number;
}

export class MembersRemovedResponse {
  @count('Contacts that are no members any more')
  removed!: number;

  @count('Ids that no member has')
  notFound!: number;
}

const time = (description: string) =>
  ApiProperty({ format: 'date-time', description, example: '2026-11-20T08:32:00Z' });

export class GroupResponse {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the group', example: 3 })
  id!: number;

  @ApiProperty({ description: 'Name', example: 'Newsletter' })
  name!: string;

  @ApiProperty({ type: String, nullable: true, description: 'What it is for', example: 'Readers' })
  description!: string | null;

  @ApiProperty({ description: 'Whether new contacts without a group go into it', example: false })
  isDefault!: boolean;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Active contacts in it', example: 120 })
  memberCount!: number;

  @time('When it was made')
  createdAt!: string;

  @time('Last change')
  updatedAt!: string;
}

export class GroupPage extends pageOf(GroupResponse, 'GroupPage') {}

/** A group and how many members it has. */
export interface CountedGroup extends Omit<ContactGroup, 'organizationId'> {
  memberCount: number;
}

export function toGroupResponse(group: CountedGroup): GroupResponse {
  return { ...group, createdAt: toDateTime(group.createdAt), updatedAt: toDateTime(group.updatedAt) };
}
