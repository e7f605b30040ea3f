import { Injectable } from '@nestjs/common';
import { AuditLog, changesBetween } from '../../access/audit/audit-log';
import type { Caller } from '../../access/caller';
import { Clock } from '../../common/time/clock';
import { WebhookOutbox } from '../webhooks/outbox/webhook-outbox';
import type { ChannelOf, Deletion, NewUnsubscribe, Removed, Unsubscribe } from './unsubscribe';
import { UnsubscribeEvents } from './unsubscribe-events';
import { UnsubscribesRepository } from './unsubscribes.repository';
import type { Tx } from '../../infrastructure/database/database';

/** The actor in the audit log; null for a person on a public page. */
export type Auditor = Pick<Caller, 'actor' | 'userId' | 'username' | 'permissions' | 'role' | 'ip'> | null;

/**
 * Registers and deletes opt-outs, with events and audit entries. The channel's head is locked from the assignment of
 * positions until the commit, so that readers see positions in order and without gaps.
 */
@Injectable()
export class UnsubscribeChanges {
  constructor(
    private readonly rows: UnsubscribesRepository,
    private readonly events: UnsubscribeEvents,
    private readonly outbox: WebhookOutbox,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @param entries without duplicate values @returns those that were not registered before */
  async register(
    tx: Tx,
    by: Auditor,
    of: ChannelOf,
    entries: readonly NewUnsubscribe[],
  ): Promise<Unsubscribe[]> {
    const known = await this.rows.known(
      tx,
      of,
      entries.map(({ value }) => value),
    );
    const unknown = entries.filter(({ value }) => !known.has(value));
    if (unknown.length === 0) return [];
    const prepared = await this.rows.prepare(tx, of, unknown);
    const position = await this.rows.lock(tx, of);
    const created = await this.rows.insert(tx, of, prepared, position, this.clock.date());
    await this.record(tx, by, of, created, []);
    return created;
  }

  /** @param values without duplicates @returns those that were registered */
  async remove(tx: Tx, by: Auditor, of: ChannelOf, values: readonly string[]): Promise<Removed[]> {
    const known = await this.rows.known(tx, of, values);
    if (known.size === 0) return [];
    const ids = await this.rows.newIds(tx, known.size);
    const removals = new Map([...known].map((value, i) => [value, ids[i] ?? 0]));
    const position = await this.rows.lock(tx, of);
    const deletions = await this.rows.delete(tx, of, removals, position, this.clock.date());
    await this.record(tx, by, of, [], deletions);
    return deletions;
  }

  private async record(
    tx: Tx,
    by: Auditor,
    of: ChannelOf,
    created: readonly Unsubscribe[],
    deletions: readonly Deletion[],
  ): Promise<void> {
    if (created.length + deletions.length === 0) return;
    await this.outbox.add(tx, ...this.events.of(of, created, deletions));
    if (!by) return;
    const [one] = [...created.map(({ id }) => id), ...deletions.map(({ sourceId }) => sourceId)];
    const many = created.length + deletions.length > 1;
    const counts = created.length > 0 ? { accepted: created.length } : { deleted: deletions.length };
    await this.audit.record(
      tx,
      { ...by, organizationId: of.organizationId },
      {
        action: `unsubscribe.${created.length > 0 ? 'create' : 'delete'}`,
        resourceType: 'unsubscribe',
        resourceId: many ? null : (one ?? null),
        changes: changesBetween({}, { channel: of.channel, ...(many && counts) }),
      },
    );
  }
}
