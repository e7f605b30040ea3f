import { Injectable } from '@nestjs/common';
import { AddOnRequired, PermissionDenied } from '../../access/access.errors';
import type { Caller } from '../../access/caller';
import { ValidationFailed } from '../../common/errors/errors';
import { type MatchingIds, MAX_IDS } from '../../common/pagination/matching-ids';
import { Page } from '../../common/pagination/page';
import { normalizeEmail } from '../../common/contact-values/email';
import { normalizePhone } from '../../common/contact-values/phone';
import type { Contact } from './contact';
import { ContactSegments } from './list/contact-segments';
import { ContactListQuery } from './list/contact-list.query';
import { ContactMemberships } from './groups/contact-memberships';
import { ContactOptOuts } from './contact-opt-outs';
import { type FoundContactResponse, type ContactResponse, toContactResponse } from './contact-response.dto';
import { ContactsRepository } from './contacts.repository';
import { ListContactsQuery, type MatchingContactsQuery } from './contacts.dto';
import type { GroupedContact } from './contacts.service';
import type { Tx } from '../../infrastructure/database/database';

@Injectable()
export class ContactPresenter {
  constructor(
    private readonly contacts: ContactsRepository,
    private readonly memberships: ContactMemberships,
    private readonly optOuts: ContactOptOuts,
    private readonly listQuery: ContactListQuery,
    private readonly segments: ContactSegments,
  ) {}

  /** @throws NotFound */
  async get({ organizationId }: Caller, id: number): Promise<ContactResponse> {
    return this.one(await this.contacts.get(organizationId, id));
  }

  /** The most recently changed contact with that number. @throws NotFound */
  async byPhone({ organizationId, organization }: Caller, phone: string): Promise<FoundContactResponse> {
    const { value } = normalizePhone(phone, organization.defaultRegion);
    if (value === null) throw ValidationFailed.field('phone', 'must be an existing phone number');
    const { contact, matches } = await this.contacts.getByPhone(organizationId, value);
    return Object.assign(await this.one(contact), { matches });
  }

  /** The most recently changed contact with that address. @throws NotFound */
  async byEmail({ organizationId }: Caller, email: string): Promise<FoundContactResponse> {
    const { value } = normalizeEmail(email);
    if (value === null) throw ValidationFailed.field('email', 'must be an e-mail address');
    const { contact, matches } = await this.contacts.getByEmail(organizationId, value);
    return Object.assign(await this.one(contact), { matches });
  }

  /** @throws NotFound */
  async byMember({ organizationId }: Caller, externalUserId: string): Promise<ContactResponse> {
    return this.one(await this.contacts.getByMember(organizationId, externalUserId));
  }

  /** @throws ValidationFailed if group or segment are not the organization's; PermissionDenied, AddOnRequired */
  async list(caller: Caller, query: ListContactsQuery): Promise<Page<ContactResponse>> {
    const { ids, total } = await this.hits(caller, query);
    return Page.of(await this.many(caller.organizationId, ids), total, query);
  }

  /** Ids of all matching contacts. @throws as `list` */
  matching(caller: Caller, query: MatchingContactsQuery): Promise<MatchingIds> {
    return this.hits(caller, Object.assign(new ListContactsQuery(), query, { page: 0, size: MAX_IDS }));
  }

  private async hits(caller: Caller, query: ListContactsQuery): Promise<MatchingIds> {
    const { organization } = caller;
    const { groupId, segmentId } = query;
    if (groupId !== undefined && !(await this.memberships.hasGroup(organization.id, groupId))) {
      throw ValidationFailed.field('groupId', 'must be a group of the organization');
    }
    if (segmentId !== undefined) await this.checkSegment(caller, segmentId);
    return this.listQuery.run(organization, query);
  }

  /** Requires the same as listing segments. */
  private async checkSegment(caller: Caller, segmentId: number): Promise<void> {
    if (!caller.addOns.has('DYNAMIC_SEGMENT')) throw new AddOnRequired('DYNAMIC_SEGMENT');
    if (!caller.permissions.has('segments.view')) throw new PermissionDenied('segments.view');
    if (!(await this.segments.registered.exists(caller.organizationId, segmentId))) {
      throw ValidationFailed.field('segmentId', 'must be a segment of the organization');
    }
  }

  /** The contacts with these ids, in the same order. */
  async many(organizationId: number, ids: readonly number[], tx?: Tx): Promise<ContactResponse[]> {
    if (ids.length === 0) return [];
    const contacts = await this.contacts.getMany(organizationId, ids, tx);
    const groups = await this.memberships.of(organizationId, ids, tx);
    const optedOut = await this.optOuts.of(contacts, tx);
    return contacts.map((contact) =>
      toContactResponse(contact, groups.get(contact.id) ?? [], optedOut(contact)),
    );
  }

  /** A contact, active or not, and its API response. @throws NotFound */
  async person(organizationId: number, id: number): Promise<{ contact: Contact; shown: ContactResponse }> {
    const contact = await this.contacts.getAny(organizationId, id);
    return { contact, shown: await this.one(contact) };
  }

  /** The response for a contact whose groups are already known. */
  async response({ contact, groupIds }: GroupedContact): Promise<ContactResponse> {
    const optedOut = await this.optOuts.of([contact]);
    return toContactResponse(contact, groupIds, optedOut(contact));
  }

  private async one(contact: Contact): Promise<ContactResponse> {
    const groups = await this.memberships.of(contact.organizationId, [contact.id]);
    return this.response({ contact, groupIds: groups.get(contact.id) ?? [] });
  }
}
