import { INT64, TEXT_OR_NULL, DATE_TIME, INTEGER, Field } from '../../../common/http/api-field';
import { pageOf } from '../../../common/pagination/page';
import { toDateTime } from '../../../common/time/format';
import { PathId, Text } from '../../../common/validation/atoms';
import { IdList } from '../../../common/validation/lists';
import type { ContactGroup } from './contact-group.entities';

const NAME = { min: 1, max: 100, description: 'Name, unique in the organization', example: 'Newsletter' };
const DESCRIPTION = {
  max: 500,
  description: 'Purpose of the group',
  example: 'Readers of the monthly newsletter',
};
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

export class GroupMembersRequest {
  @IdList({ min: 1, max: 1000, of: 'contact', description: 'Contacts', example: [42] })
  contactIds!: number[];
}

export class MembersAddedResponse {
  @Field('Number of contacts added', 1, INTEGER)
  added!: number;

  @Field('Number of contacts that were already members', 1, INTEGER)
  alreadyMember!: number;

  @Field('Ids without an active contact', 1, INTEGER)
  notFound!: number;
}

export class MembersRemovedResponse {
  @Field('Number of contacts removed', 1, INTEGER)
  removed!: number;

  @Field('Ids that were not members', 1, INTEGER)
  notFound!: number;
}

export class GroupResponse {
  @Field('Id of the group', 3, INT64)
  id!: number;

  @Field('Name', 'Newsletter')
  name!: string;

  @Field('Purpose of the group', 'Readers', TEXT_OR_NULL)
  description!: string | null;

  @Field('Whether new contacts without a group are added to it', false)
  isDefault!: boolean;

  @Field('Number of active contacts in it', 120, INT64)
  memberCount!: number;

  @Field('When it was created', '2026-11-20T08:32:00Z', DATE_TIME)
  createdAt!: string;

  @Field('Last change', '2026-11-20T08:32:00Z', DATE_TIME)
  updatedAt!: string;
}

export class GroupPage extends pageOf(GroupResponse, 'GroupPage') {}

export interface CountedGroup extends Omit<ContactGroup, 'organizationId'> {
  memberCount: number;
}

export function toGroupResponse(group: CountedGroup): GroupResponse {
  return { ...group, createdAt: toDateTime(group.createdAt), updatedAt: toDateTime(group.updatedAt) };
}
