import { Injectable } from '@nestjs/common';
import type { CallerOrganization } from '../../../access/caller';
import { DomainError } from '../../../common/errors/domain-error';
import { checkedRequest } from '../../../common/validation/request.pipe';
import type { Origin } from '../contact';
import { type ContactChange, toContactChange } from '../contact-change';
import { ContactMemberships } from '../groups/contact-memberships';
import { ContactUpserts } from '../contact-upserts';
import { ContactRequest } from '../contacts.dto';
import { cut } from '../../../common/sanitize-text';
import type { BulkContactsResponse, ContactItemError, SavedContactItem } from './contacts-bulk.dto';
import type { Tx } from '../../../infrastructure/database/database';

export type BatchResult = Required<BulkContactsResponse>;

export interface Batch {
  readonly organization: CallerOrganization;
  readonly origin: Origin;
  /** Items as sent, which are validated one by one. */
  readonly items: readonly unknown[];
  /** Index of the first item. */
  readonly start: number;
  /** Group of the items that name no group. */
  readonly groupId: number | null;
}

interface Item {
  readonly index: number;
  readonly change: ContactChange;
}

const MAX_VALUE = 200;
const REASONS: Readonly<Record<string, string>> = { phoneNumber: 'PHONE_FORMAT', email: 'EMAIL_FORMAT' };

/** Saves many contacts; invalid ones fail individually. */
@Injectable()
export class ContactBatches {
  constructor(
    private readonly memberships: ContactMemberships,
    private readonly upserts: ContactUpserts,
  ) {}

  async save(tx: Tx, batch: Batch): Promise<BatchResult> {
    const { organization, origin } = batch;
    const errors: ContactItemError[] = [];
    const read = await this.read(batch, errors);
    const items = await this.withKnownGroups(tx, organization.id, read, errors);
    const changes = items.map(({ change }) => change);
    const results = changes.length > 0 ? await this.upserts.run(tx, organization, origin, changes) : [];
    const saved: SavedContactItem[] = [];
    results.forEach(({ outcome, refusal, contact: { id, externalUserId } }, i) => {
      const { index = 0, change } = items[i] ?? {};
      if (outcome !== 'blocked' && outcome !== 'limited') {
        saved.push({ index, id, externalUserId, action: outcome });
      } else {
        const value = change?.fields.externalUserId ?? null;
        const { code, message } = refusal ?? new DomainError('CONTACT_BLOCKED');
        errors.push({ index, value, reason: code, message });
      }
    });
    errors.sort((a, b) => a.index - b.index);
    const created = saved.filter(({ action }) => action === 'created').length;
    return { items: saved, created, updated: saved.length - created, failed: errors.length, errors };
  }

  private async read(
    { items, start, groupId, organization }: Batch,
    errors: ContactItemError[],
  ): Promise<Item[]> {
    const read: Item[] = [];
    for (const [i, item] of items.entries()) {
      const index = start + i;
      try {
        const request = await checkedRequest(ContactRequest, item ?? null, 'item');
        const change = toContactChange(request, organization.defaultRegion);
        read.push({ index, change: { ...change, groupId: change.groupId ?? groupId } });
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        errors.push(problemOf(index, item, error));
      }
    }
    return read;
  }

  private async withKnownGroups(
    tx: Tx,
    organizationId: number,
    items: readonly Item[],
    errors: ContactItemError[],
  ): Promise<Item[]> {
    const wanted = new Set(items.flatMap(({ change }) => change.groupId ?? []));
    const known = await this.memberships.lockGroups(tx, organizationId, [...wanted]);
    return items.filter(({ index, change: { groupId } }) => {
      if (groupId === null || known.has(groupId)) return true;
      const message = 'groupId: must be a group of the organization';
      errors.push({ index, value: String(groupId), reason: 'GROUP_NOT_FOUND', message });
      return false;
    });
  }
}

/** The value is null if it is not text, or no single field is invalid. */
function problemOf(index: number, item: unknown, { message, extras }: DomainError): ContactItemError {
  const field = extras.details?.[0]?.field ?? '';
  const reason = REASONS[field];
  const given = reason === undefined ? null : (item as Record<string, unknown>)[field];
  const value = typeof given === 'string' ? cut(given.toWellFormed(), MAX_VALUE) : null;
  return { index, value, reason: reason ?? 'VALIDATION_FAILED', message };
}
