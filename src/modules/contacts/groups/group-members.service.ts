import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../access/audit/audit-log';
import type { Caller } from '../../../access/caller';
import { NotFound } from '../../../common/errors/errors';
import { Page, type PageQuery } from '../../../common/pagination/page';
import type { MembersAddedResponse, MembersRemovedResponse } from './contact-groups.dto';
import { ContactGroupsRepository } from './contact-groups.repository';
import { ContactMemberships } from './contact-memberships';
import type { ContactResponse } from '../contact-response.dto';
import { ContactPresenter } from '../contact-presenter';
import { Database, type Tx } from '../../../infrastructure/database/database';

@Injectable()
export class GroupMembersService {
  constructor(
    private readonly database: Database,
    private readonly groups: ContactGroupsRepository,
    private readonly memberships: ContactMemberships,
    private readonly presenter: ContactPresenter,
    private readonly audit: AuditLog,
  ) {}

  /** Members, newest contacts first. @throws NotFound */
  async list({ organizationId }: Caller, groupId: number, query: PageQuery): Promise<Page<ContactResponse>> {
    return this.database.report(organizationId, async (tx) => {
      const { memberCount } = await this.groups.get(organizationId, groupId, tx);
      const ids = await this.memberships.membersOf(tx, organizationId, groupId, query);
      return Page.of(await this.presenter.many(organizationId, ids, tx), memberCount, query);
    });
  }

  /** Adds members; a repeated id counts as already a member. @throws NotFound */
  async add(caller: Caller, groupId: number, contactIds: readonly number[]): Promise<MembersAddedResponse> {
    const { organizationId } = caller;
    return this.database.write(async (tx) => {
      const groups = await this.memberships.lockGroups(tx, organizationId, [groupId]);
      if (!groups.has(groupId)) throw new NotFound('Group');
      const known = await this.memberships.lockContacts(tx, organizationId, contactIds);
      const pairs = [...known].map((contactId) => [groupId, contactId] as const);
      const added = await this.memberships.add(tx, organizationId, pairs);
      const notFound = contactIds.filter((id) => !known.has(id)).length;
      if (added > 0) await this.record(tx, caller, 'contact_group.add_members', groupId, added);
      return { added, alreadyMember: contactIds.length - notFound - added, notFound };
    });
  }

  /** @throws NotFound */
  async remove(
    caller: Caller,
    groupId: number,
    contactIds: readonly number[],
  ): Promise<MembersRemovedResponse> {
    const { organizationId } = caller;
    return this.database.write(async (tx) => {
      const groups = await this.memberships.lockGroups(tx, organizationId, [groupId]);
      if (!groups.has(groupId)) throw new NotFound('Group');
      const removed = await this.memberships.remove(tx, organizationId, groupId, contactIds);
      if (removed > 0) await this.record(tx, caller, 'contact_group.remove_members', groupId, removed);
      return { removed, notFound: contactIds.length - removed };
    });
  }

  private record(tx: Tx, caller: Caller, action: string, id: number, members: number): Promise<void> {
    const changes = { members: { from: null, to: members } };
    return this.audit.record(tx, caller, { action, resourceType: 'contact_group', resourceId: id, changes });
  }
}
