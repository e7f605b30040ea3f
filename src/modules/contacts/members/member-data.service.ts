import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../access/audit/audit-log';
import type { Caller } from '../../../access/caller';
import { NotFound } from '../../../common/errors/errors';
import { KeyedMutex } from '../../../common/keyed-mutex';
import type { Contact } from '../contact';
import { type ContactChange, toContactChange } from '../contact-change';
import { ContactUpserts, type Upserted } from '../contact-upserts';
import { ContactsRepository } from '../contacts.repository';
import type { IdentifyRequest, IdentifyResponse, OptInRequest, OptInResponse } from './member-data.dto';
import { Database, type Tx } from '../../../infrastructure/database/database';
import { DomainError } from '../../../common/errors/domain-error';

/** Data of members, reported by apps and sites (docs/concepts/contacts.md#members-of-apps-and-sites). */
@Injectable()
export class MemberData {
  /** Serializes changes of a member within the process, so that none holds a connection while it waits for the row. */
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly database: Database,
    private readonly contacts: ContactsRepository,
    private readonly upserts: ContactUpserts,
    private readonly audit: AuditLog,
  ) {}

  /** @throws CONTACT_BLOCKED if an administrator has blocked a deactivated contact; LimitReached */
  async identify(caller: Caller, request: IdentifyRequest): Promise<IdentifyResponse> {
    const { externalUserId } = request;
    const { defaultRegion } = caller.organization;
    const change = toContactChange(toContactFields(request), defaultRegion, 'phone');
    return this.inTurn(caller, externalUserId, async (tx) => {
      const { outcome, refusal, contact } = await this.save(tx, caller, change);
      if (outcome === 'blocked' || outcome === 'limited') throw refusal ?? new DomainError('CONTACT_BLOCKED');
      return { success: true, action: outcome, externalUserId, ...pushConsents(contact) };
    });
  }

  /** @throws NotFound if the member has no active contact */
  async optIn(caller: Caller, request: OptInRequest): Promise<OptInResponse> {
    const { externalUserId } = request;
    const change = toContactChange(request, caller.organization.defaultRegion);
    return this.inTurn(caller, externalUserId, async (tx) => {
      const [known] = await this.contacts.lockMembers(tx, caller.organizationId, [externalUserId]);
      if (!known || known.deactivatedAt) throw new NotFound('Contact');
      const { contact } = await this.save(tx, caller, change);
      return { success: true, externalUserId, ...pushConsents(contact) };
    });
  }

  private async save(tx: Tx, caller: Caller, change: ContactChange): Promise<Upserted> {
    const [upserted] = await this.upserts.run(tx, caller.organization, 'SDK', [change]);
    if (!upserted) throw new Error('The change returned no contact');
    if (upserted.outcome !== 'blocked' && upserted.changed) {
      const action = upserted.outcome === 'created' ? 'contact.create' : 'contact.update';
      const resourceId = upserted.contact.id;
      await this.audit.record(tx, caller, { action, resourceType: 'contact', resourceId });
    }
    return upserted;
  }

  private inTurn<T>(caller: Caller, member: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.mutex.run(`${caller.organizationId}:${member}`, () => this.database.write(work));
  }
}

function pushConsents({ pushOptIn, pushAdOptIn }: Contact): Pick<OptInResponse, 'pushOptIn' | 'pushAdOptIn'> {
  return { pushOptIn, pushAdOptIn };
}

/** Renames fields to those of a contact. Null counts as omitted. */
function toContactFields({ name, phone, email, pushIdentify, ...others }: IdentifyRequest) {
  return {
    ...others,
    name: name ?? undefined,
    phoneNumber: phone ?? undefined,
    email: email ?? undefined,
    pushIdentify: pushIdentify ?? undefined,
  };
}
