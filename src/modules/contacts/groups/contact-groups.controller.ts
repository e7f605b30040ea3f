import { Body, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { Page, PageQuery } from '../../../common/pagination/page';
import {
  CreateGroupRequest,
  GroupMembersRequest,
  GroupPage,
  GroupPath,
  GroupResponse,
  MembersAddedResponse,
  MembersRemovedResponse,
  toGroupResponse,
  UpdateGroupRequest,
} from './contact-groups.dto';
import { ContactGroupsService } from './contact-groups.service';
import { ContactPage, type ContactResponse } from '../contact-response.dto';
import { Editable, row } from '../../../infrastructure/edits/editable.decorator';

/**
 * Deletion requires no add-on, so that data can be removed after the add-on has been cancelled
 * (docs/concepts/access.md#add-ons).
 */
@ServiceController('messaging/groups', 'Contact groups')
@Access({ key: 'service', scope: 'contacts', addOn: 'MESSAGING', allowListedIpOnly: true })
export class ContactGroupsController {
  constructor(private readonly groups: ContactGroupsService) {}

  @Get()
  @Access({ key: 'service', scope: 'contacts', role: 'VIEWER', addOn: 'MESSAGING', allowListedIpOnly: true })
  @ApiEndpoint({
    operationId: 'listGroups',
    summary: 'List groups',
    description: 'A page of groups: the default group first, then newest first.',
    response: { type: GroupPage, description: 'A page of groups' },
  })
  async list(@Caller() caller: Caller, @Query() query: PageQuery): Promise<GroupPage> {
    const [groups, total] = await this.groups.list(caller, query);
    return Page.of(groups.map(toGroupResponse), total, query);
  }

  @Post()
  @ApiEndpoint({
    operationId: 'createGroup',
    summary: 'Create a group',
    description: 'A name in use by another group is 409 GROUP_NAME_TAKEN.',
    response: { status: 201, type: GroupResponse, description: 'The group' },
    errors: ['GROUP_NAME_TAKEN'],
  })
  async create(@Caller() caller: Caller, @Body() body: CreateGroupRequest): Promise<GroupResponse> {
    return toGroupResponse(await this.groups.create(caller, body));
  }

  @Get(':id')
  @Access({ key: 'service', scope: 'contacts', role: 'VIEWER', addOn: 'MESSAGING', allowListedIpOnly: true })
  @ApiEndpoint({
    operationId: 'getGroup',
    summary: 'Get a group',
    description: 'A group.',
    response: { type: GroupResponse, description: 'The group' },
  })
  async get(@Caller() caller: Caller, @Param() { id }: GroupPath): Promise<GroupResponse> {
    return toGroupResponse(await this.groups.get(caller, id));
  }

  @Put(':id')
  @Editable({ lock: row('contact_groups') })
  @ApiEndpoint({
    operationId: 'updateGroup',
    summary: 'Update a group',
    description: 'Only supplied fields change. A name in use by another group is 409 GROUP_NAME_TAKEN.',
    response: { type: GroupResponse, description: 'The updated group' },
    errors: ['GROUP_NAME_TAKEN'],
  })
  async update(
    @Caller() caller: Caller,
    @Param() { id }: GroupPath,
    @Body() body: UpdateGroupRequest,
  ): Promise<GroupResponse> {
    return toGroupResponse(await this.groups.update(caller, id, body));
  }

  @Delete(':id')
  @Access({ key: 'service', scope: 'contacts', allowListedIpOnly: true })
  @ApiEndpoint({
    operationId: 'deleteGroup',
    summary: 'Delete a group',
    description: 'Its contacts stay. Deleting the default group is 409 DEFAULT_GROUP. Requires no add-on.',
    response: { description: 'Deleted' },
    errors: ['DEFAULT_GROUP'],
  })
  remove(@Caller() caller: Caller, @Param() { id }: GroupPath): Promise<void> {
    return this.groups.remove(caller, id);
  }

  @Get(':id/members')
  @ApiEndpoint({
    operationId: 'listGroupMembers',
    summary: 'List members of a group',
    description: "A page of the group's contacts, newest first.",
    response: { type: ContactPage, description: 'A page of contacts' },
  })
  listMembers(
    @Caller() caller: Caller,
    @Param() { id }: GroupPath,
    @Query() query: PageQuery,
  ): Promise<Page<ContactResponse>> {
    return this.groups.members(caller, id, query);
  }

  @Post(':id/members')
  @ApiEndpoint({
    operationId: 'addGroupMembers',
    summary: 'Add members to a group',
    description: 'Up to 1000 contacts at once.',
    response: { type: MembersAddedResponse, description: 'The result' },
  })
  addMembers(
    @Caller() caller: Caller,
    @Param() { id }: GroupPath,
    @Body() body: GroupMembersRequest,
  ): Promise<MembersAddedResponse> {
    return this.groups.addMembers(caller, id, body.contactIds);
  }

  @Delete(':id/members')
  @Access({ key: 'service', scope: 'contacts', allowListedIpOnly: true })
  @ApiEndpoint({
    operationId: 'removeGroupMembers',
    summary: 'Remove members from a group',
    description: 'Up to 1000 contacts at once; the contacts themselves stay. Requires no add-on.',
    response: { type: MembersRemovedResponse, description: 'The result' },
  })
  removeMembers(
    @Caller() caller: Caller,
    @Param() { id }: GroupPath,
    @Body() body: GroupMembersRequest,
  ): Promise<MembersRemovedResponse> {
    return this.groups.removeMembers(caller, id, body.contactIds);
  }
}
