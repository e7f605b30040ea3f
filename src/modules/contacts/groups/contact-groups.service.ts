import { Injectable } from '@nestjs/common';
import { AuditLog, changesBetween } from '../../../access/audit/audit-log';
import type { AuditChanges } from '../../../access/audit/audit-entry.entity';
import type { Caller } from '../../../access/caller';
import { takeRoom } from '../../../access/organizations/room';
import { NotFound } from '../../../common/errors/errors';
import { Page, type PageQuery } from '../../../common/pagination/page';
import { Clock } from '../../../common/time/clock';
import { ContactPresenter } from '../contact-presenter';
import type { ContactResponse } from '../contact-response.dto';
import type {
  CountedGroup,
  CreateGroupRequest,
  MembersAddedResponse,
  MembersRemovedResponse,
  UpdateGroupRequest,
} from './contact-groups.dto';
import { ContactGroupsRepository } from './contact-groups.repository';
import { ContactMemberships } from './contact-memberships';
import { Database, type Tx } from '../../../infrastructure/database/database';
import { DomainError } from '../../../common/errors/domain-error';

@Injectable()
export class ContactGroupsService {
  constructor(
    private readonly database: Database,
    private readonly groups: ContactGroupsRepository,
    private readonly memberships: ContactMemberships,
    private readonly presenter: ContactPresenter,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Lists groups, creating the default group on first access. */
  async list({ organizationId }: Caller, query: PageQuery): Promise<[CountedGroup[], total: number]> {
    await this.database.write((tx) => this.memberships.defaultGroup(tx, organizationId));
    return this.groups.list(organizationId, query);
  }

  /** @throws NotFound */
  get({ organizationId }: Caller, id: number): Promise<CountedGroup> {
    return this.groups.get(organizationId, id);
  }

  /** @throws GROUP_NAME_TAKEN */
  async create(caller: Caller, { name, description }: CreateGroupRequest): Promise<CountedGroup> {
    const { organizationId } = caller;
    const fields = { name: name.trim(), description: description ?? null };
    return this.database.write(async (tx) => {
      // The default group is created first, so that its name is taken.
      await this.memberships.defaultGroup(tx, organizationId);
      await takeRoom(tx, organizationId, 'contactGroups', () => this.groups.count(tx, organizationId));
      const group = await this.groups.insert(tx, organizationId, { ...fields, createdAt: this.clock.date() });
      await this.record(tx, caller, 'contact_group.create', group.id, changesBetween({}, fields));
      return group;
    });
  }

  /** @throws NotFound, GROUP_NAME_TAKEN */
  async update(caller: Caller, id: number, request: UpdateGroupRequest): Promise<CountedGroup> {
    return this.database.write(async (tx) => {
      const group = await this.groups.lock(tx, caller.organizationId, id);
      const fields = {
        name: request.name?.trim() ?? group.name,
        description: request.description === undefined ? group.description : request.description,
      };
      const changes = changesBetween<CountedGroup>(group, fields);
      if (Object.keys(changes).length === 0) return group;
      const changed = { ...group, ...fields, updatedAt: this.clock.date() };
      await this.groups.update(tx, caller.organizationId, changed);
      await this.record(tx, caller, 'contact_group.update', id, changes);
      return changed;
    });
  }

  /** @throws NotFound, DEFAULT_GROUP */
  async remove(caller: Caller, id: number): Promise<void> {
    await this.database.write(async (tx) => {
      const group = await this.groups.lock(tx, caller.organizationId, id);
      if (group.isDefault) throw new DomainError('DEFAULT_GROUP');
      await this.groups.remove(tx, caller.organizationId, id);
      const changes = { name: { from: group.name, to: null } };
      await this.record(tx, caller, 'contact_group.delete', id, changes);
    });
  }

  /** Members, newest contacts first. @throws NotFound */
  members({ organizationId }: Caller, id: number, query: PageQuery): Promise<Page<ContactResponse>> {
    return this.database.report(organizationId, async (tx) => {
      const { memberCount } = await this.groups.get(organizationId, id, tx);
      const ids = await this.memberships.membersOf(tx, organizationId, id, query);
      return Page.of(await this.presenter.many(organizationId, ids, tx), memberCount, query);
    });
  }

  /** Adds members; a repeated id counts as already a member. @throws NotFound */
  addMembers(caller: Caller, id: number, contactIds: readonly number[]): Promise<MembersAddedResponse> {
    const { organizationId } = caller;
    return this.database.write(async (tx) => {
      await this.lockForMembers(tx, organizationId, id);
      const known = await this.memberships.lockContacts(tx, organizationId, contactIds);
      const pairs = [...known].map((contactId) => [id, contactId] as const);
      const added = await this.memberships.add(tx, organizationId, pairs);
      const notFound = contactIds.filter((contactId) => !known.has(contactId)).length;
      const changes = { members: { from: null, to: added } };
      if (added > 0) await this.record(tx, caller, 'contact_group.add_members', id, changes);
      return { added, alreadyMember: contactIds.length - notFound - added, notFound };
    });
  }

  /** @throws NotFound */
  removeMembers(caller: Caller, id: number, contactIds: readonly number[]): Promise<MembersRemovedResponse> {
    const { organizationId } = caller;
    return this.database.write(async (tx) => {
      await this.lockForMembers(tx, organizationId, id);
      const removed = await this.memberships.remove(tx, organizationId, id, contactIds);
      const changes = { members: { from: null, to: removed } };
      if (removed > 0) await this.record(tx, caller, 'contact_group.remove_members', id, changes);
      return { removed, notFound: contactIds.length - removed };
    });
  }

  private async lockForMembers(tx: Tx, organizationId: number, id: number): Promise<void> {
    const groups = await this.memberships.lockGroups(tx, organizationId, [id]);
    if (!groups.has(id)) throw new NotFound('Group');
  }

  private record(tx: Tx, caller: Caller, action: string, id: number, changes: AuditChanges): Promise<void> {
    return this.audit.record(tx, caller, { action, resourceType: 'contact_group', resourceId: id, changes });
  }
}
