import { Injectable } from '@nestjs/common';
import type { LimitReached } from '../../access/access.errors';
import type { CallerOrganization } from '../../access/caller';
import { Clock } from '../../common/time/clock';
import { type Contact, newContact, type Origin } from './contact';
import { type ContactChange, changed, differs } from './contact-change';
import { ContactEvents, type ContactEvent } from './contact-events';
import { ContactLimit } from './contact-limit';
import { ContactMemberships } from './groups/contact-memberships';
import { ContactsRepository } from './contacts.repository';
import type { Tx } from '../../infrastructure/database/database';
import type { Room } from '../../access/limits/near-limit';

export interface Upserted {
  readonly outcome: 'created' | 'updated' | 'reactivated' | 'blocked' | 'limited';
  /** Why the contact was not created or reactivated, if the outcome is `limited`. */
  readonly refusal?: LimitReached;
  readonly changed: boolean;
  /** The contact after all changes of the call. */
  readonly contact: Contact;
  readonly groupIds: readonly number[];
}

interface Draft {
  readonly before: Contact | null;
  after: Contact;
  readonly groupsBefore: ReadonlySet<number>;
  readonly groups: Set<number>;
}

/** Another transaction has created one of the contacts between the look-up and the insert. */
class Conflict extends Error {}

const MAX_TRIES = 10;

/** Creates or updates many contacts by member id, with the same result as one by one in order. */
@Injectable()
export class ContactUpserts {
  constructor(
    private readonly contacts: ContactsRepository,
    private readonly memberships: ContactMemberships,
    private readonly events: ContactEvents,
    private readonly limit: ContactLimit,
    private readonly clock: Clock,
  ) {}

  /** @param changes their groups must belong to the organization and be locked */
  async run(
    tx: Tx,
    organization: CallerOrganization,
    origin: Origin,
    changes: readonly ContactChange[],
  ): Promise<Upserted[]> {
    return this.limit.within(tx, organization, async (room) => {
      for (let tries = 1; ; tries++) {
        try {
          // Retrying rolls back to the savepoint, which releases the row locks and so avoids a deadlock.
          return await tx.attempt(() => this.attempt(tx, organization, origin, changes, room));
        } catch (error) {
          if (!(error instanceof Conflict) || tries === MAX_TRIES) throw error;
        }
      }
    });
  }

  private async attempt(
    tx: Tx,
    organization: CallerOrganization,
    origin: Origin,
    changes: readonly ContactChange[],
    roomOf: () => Promise<Room>,
  ): Promise<Upserted[]> {
    const drafts = await this.lockKnown(tx, organization.id, changes);
    const defaultGroup = await this.memberships.defaultGroup(tx, organization.id);
    const room = changes.some((change) => isAddition(knownAs(drafts, change))) ? await roomOf() : null;
    const ids = await this.idsFor(tx, drafts, changes);
    const now = this.clock.date();

    const results = changes.map((change) => {
      const { externalUserId } = change.fields;
      const known = knownAs(drafts, change);
      const draft = known ?? emptyDraft(newContact(organization.id, ids.pop() ?? 0, origin, now));
      if (known?.after.deactivatedAt && known.after.blocked) return { draft, outcome: 'blocked' as const };
      if (room && isAddition(known) && room.count-- <= 0) {
        return { draft, outcome: 'limited' as const, refusal: room.refusal };
      }
      if (externalUserId != null) drafts.set(externalUserId, draft);
      const outcome = !known ? 'created' : known.after.deactivatedAt ? 'reactivated' : 'updated';
      const base = outcome === 'reactivated' ? reactivated(draft.after) : draft.after;
      draft.after = changed(base, change, organization.customFields);
      // New and reactivated contacts are always in a group.
      if (change.groupId !== null) draft.groups.add(change.groupId);
      else if (outcome === 'created' || outcome === 'reactivated') draft.groups.add(defaultGroup);
      return { draft, outcome } as const;
    });

    const saved = results.filter(({ outcome }) => outcome !== 'limited');
    await this.store(tx, new Set(saved.map(({ draft }) => draft)), now);
    return results.map(({ draft, outcome, refusal }) => ({
      outcome,
      refusal,
      changed: outcome !== 'limited' && (!draft.before || isChanged(draft)),
      contact: draft.after,
      groupIds: sorted(draft.groups),
    }));
  }

  private async lockKnown(
    tx: Tx,
    organizationId: number,
    changes: readonly ContactChange[],
  ): Promise<Map<string, Draft>> {
    const members = new Set(changes.flatMap(({ fields }) => fields.externalUserId ?? []));
    if (members.size === 0) return new Map();
    const known = await this.contacts.lockMembers(tx, organizationId, [...members]);
    const ids = known.map(({ id }) => id);
    const groups = await this.memberships.of(organizationId, ids, tx);
    return new Map(
      known.map((contact) => {
        const groupsBefore = new Set(groups.get(contact.id));
        const draft: Draft = { before: contact, after: contact, groupsBefore, groups: new Set(groupsBefore) };
        return [contact.externalUserId ?? '', draft];
      }),
    );
  }

  private idsFor(
    tx: Tx,
    known: ReadonlyMap<string, Draft>,
    changes: readonly ContactChange[],
  ): Promise<number[]> {
    const news = new Set<unknown>();
    for (const change of changes) {
      const { externalUserId } = change.fields;
      if (externalUserId == null) news.add(change);
      else if (!known.has(externalUserId)) news.add(externalUserId);
    }
    return this.contacts.reserveIds(tx, news.size).then((ids) => ids.sort((a, b) => b - a));
  }

  private async store(tx: Tx, drafts: ReadonlySet<Draft>, now: Date): Promise<void> {
    const created = [...drafts].filter(({ before }) => !before).sort(byMember);
    const inserted = await this.contacts.insert(
      tx,
      created.map(({ after }) => after),
    );
    if (inserted.size < created.length) throw new Conflict();
    const touched = [...drafts].filter(isChanged);
    for (const { after } of touched) after.updatedAt = now;
    await this.contacts.update(
      tx,
      touched.map(({ after }) => after),
    );
    const pairs = [...drafts].flatMap(({ after, groups, groupsBefore }) =>
      [...groups].filter((id) => !groupsBefore.has(id)).map((groupId) => [groupId, after.id] as const),
    );
    const [first] = drafts;
    if (first) await this.memberships.add(tx, first.after.organizationId, pairs);
    await this.events.add(tx, [...created, ...touched].map(toEvent));
  }
}

/** The state of a change's contact, if the contact exists or the call has created it. */
function knownAs(drafts: ReadonlyMap<string, Draft>, { fields }: ContactChange): Draft | undefined {
  return fields.externalUserId == null ? undefined : drafts.get(fields.externalUserId);
}

/** Whether a change adds an active contact. */
function isAddition(known: Draft | undefined): boolean {
  return !known || known.after.deactivatedAt !== null;
}

function emptyDraft(contact: Contact): Draft {
  return { before: null, after: contact, groupsBefore: new Set(), groups: new Set() };
}

/** A reactivated contact: active, with its ids and origin, and otherwise empty. */
function reactivated({ organizationId, id, externalUserId, origin, createdAt }: Contact): Contact {
  return { ...newContact(organizationId, id, origin, createdAt), externalUserId };
}

function isChanged({ before, after, groups, groupsBefore }: Draft): boolean {
  return before !== null && (groups.size > groupsBefore.size || differs(before, after));
}

function toEvent({ before, after, groups }: Draft): ContactEvent {
  return { before, contact: after, groupIds: sorted(groups) };
}

function sorted(ids: ReadonlySet<number>): number[] {
  return [...ids].sort((a, b) => a - b);
}

/** Sorted by member id to avoid deadlocks. */
function byMember({ after: { externalUserId: a } }: Draft, { after: { externalUserId: b } }: Draft): number {
  return (a ?? '') < (b ?? '') ? -1 : 1;
}
