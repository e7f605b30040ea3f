import { Injectable } from '@nestjs/common';
import { Encryption } from '../../../common/crypto/encryption';
import { Clock } from '../../../common/time/clock';
import { UuidSequence } from '../../../common/uuid';
import { type EncryptedColumn, EncryptedColumns } from '../../../infrastructure/encryption/encrypted-columns';
import { DeliveryWakeUps } from '../deliveries/delivery-wake-ups';
import type { EventName, KeptEvent, OutboxEvent } from './outbox-event';
import { subscriptionsTo, subscriptionsToSql } from '../endpoints/subscriptions';
import { Database } from '../../../infrastructure/database/database';
import type { Tx } from '../../../infrastructure/database/tx';

export const OUTBOX_COLUMN: EncryptedColumn = { table: 'outbox_events', column: 'data', idType: 'uuid' };

/** A row of the outbox. */
interface OutboxRow {
  readonly id: string;
  readonly organization_id: number;
  readonly name: OutboxEvent['name'];
  readonly data: string;
  readonly created_at: Date;
}

/** Clocks of processes differ: what is due at once must be so by all of them. */
export const DUE_AT_ONCE = `interval '10 seconds'`;

/**
 * Keeps events and, in the very statement, a delivery for each endpoint that wants one: an endpoint that was made
 * before the event gets it, whatever any process remembers. Where nobody subscribes it costs a look into an index.
 */
const INSERT = {
  name: 'webhooks.add',
  text: `
    WITH added AS (
      INSERT INTO outbox_events (id, organization_id, name, data, subject, created_at)
      SELECT id, organization_id, name, data, subject, $6
        FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[])
          AS e (id, organization_id, name, data, subject)
      RETURNING id, organization_id, name
    ), fanned_out AS (
      INSERT INTO webhook_deliveries (id, organization_id, endpoint_id, event_id, event, next_at)
      SELECT ${deliveryIdSql('added.id')}, added.organization_id, w.id, added.id, added.name,
             $6::timestamptz - ${DUE_AT_ONCE}
        FROM added JOIN webhook_endpoints w ON w.organization_id = added.organization_id AND w.enabled
         AND (w.id = $7::bigint OR $7 IS NULL AND w.events && ${subscriptionsToSql('added.name')})
      RETURNING id, endpoint_id
    )
    SELECT endpoint_id AS "endpointId", min(id::text) AS "deliveryId" FROM fanned_out GROUP BY endpoint_id`,
};

const SUBSCRIPTIONS = {
  name: 'webhooks.subscriptions',
  text: 'SELECT DISTINCT unnest(events) AS subscription FROM webhook_endpoints WHERE organization_id = $1',
};

const SUBSCRIBED = {
  name: 'webhooks.subscribed',
  text: `
    SELECT DISTINCT organization_id AS id FROM webhook_endpoints
     WHERE organization_id = ANY ($1) AND enabled AND events && $2::text[]`,
};

/** Events, kept in the transaction of the change that they tell of: there is never one without the other. */
@Injectable()
export class WebhookOutbox {
  private readonly ids = new UuidSequence();

  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
    private readonly clock: Clock,
    private readonly wakeUps: DeliveryWakeUps,
    columns: EncryptedColumns,
  ) {
    columns.register(OUTBOX_COLUMN);
  }

  /** Adds events to the caller's transaction, in one statement for all of them, and what they lead to. */
  async add(tx: Tx, ...events: readonly OutboxEvent[]): Promise<void> {
    if (events.length > 0) await this.insert(tx, events, null);
  }

  /**
   * Adds those events of one organization that an endpoint subscribes to, a disabled one too, as a replay may want them.
   * What nobody wants costs a look into an index: for events that come by the thousand.
   */
  async addSubscribed(tx: Tx, ...events: readonly OutboxEvent[]): Promise<void> {
    const [first] = events;
    if (!first) return;
    const organization = [first.organizationId];
    const rows = await this.database.hot<{ subscription: string }>(SUBSCRIPTIONS, organization, tx);
    const wanted = new Set(rows.map(({ subscription }) => subscription));
    const kept = events.filter(({ name }) => subscriptionsTo(name).some((each) => wanted.has(each)));
    await this.add(tx, ...kept);
  }

  /** Adds an event for one endpoint alone, which must be enabled. @returns delivery_id */
  async addFor(tx: Tx, endpointId: number, event: OutboxEvent): Promise<string> {
    const [delivery] = await this.insert(tx, [event], endpointId);
    if (!delivery) throw new Error(`Webhook endpoint ${endpointId} is not enabled`);
    return delivery.deliveryId;
  }

  /** Which of these organizations have an endpoint that wants such events. */
  async subscribed(tx: Tx, name: EventName, organizationIds: readonly number[]): Promise<Set<number>> {
    const wanted = [organizationIds, subscriptionsTo(name)];
    const rows = await this.database.hot<{ id: number }>(SUBSCRIBED, wanted, tx);
    return new Set(rows.map(({ id }) => id));
  }

  /** The events about somebody, the oldest first. */
  async about(organizationId: number, subject: string): Promise<KeptEvent[]> {
    const rows = await this.database.read<OutboxRow>(
      `SELECT id, organization_id, name, data, created_at FROM outbox_events
        WHERE organization_id = $1 AND subject = $2 ORDER BY id`,
      [organizationId, subject],
    );
    return rows.map((row) => this.open(row));
  }

  /** Deletes what is kept of the events about somebody, and what receivers have answered to them. */
  async forget(tx: Tx, organizationId: number, ...subjects: readonly string[]): Promise<void> {
    await tx.query(
      `WITH gone AS (DELETE FROM outbox_events WHERE organization_id = $1 AND subject = ANY ($2) RETURNING id)
       DELETE FROM webhook_deliveries WHERE event_id IN (SELECT id FROM gone)`,
      [organizationId, subjects],
    );
  }

  /** The event that a row holds. @throws Undecipherable */
  open(row: OutboxRow): KeptEvent {
    const { id, organization_id: organizationId, name, created_at: createdAt } = row;
    const data = JSON.parse(this.dataOf(organizationId, id, row.data)) as KeptEvent['data'];
    return { id, organizationId, name, data, createdAt };
  }

  /** The JSON that was kept, byte for byte. @throws Undecipherable */
  dataOf(organizationId: number, eventId: string, data: string): string {
    return this.encryption.decrypt(data, cellOf(organizationId, eventId));
  }

  private async insert(
    tx: Tx,
    events: readonly OutboxEvent[],
    endpointId: number | null,
  ): Promise<{ endpointId: number; deliveryId: string }[]> {
    const createdAt = this.clock.date();
    const ids = events.map(() => this.ids.next(createdAt.getTime()));
    const values = [
      ids,
      events.map(({ organizationId }) => organizationId),
      events.map(({ name }) => name),
      events.map(({ organizationId, data }, i) =>
        this.encryption.encrypt(JSON.stringify(data), cellOf(organizationId, ids[i] ?? '')),
      ),
      events.map(({ subject }) => subject ?? null),
      createdAt,
      endpointId,
    ];
    const made = await this.database.hot<{ endpointId: number; deliveryId: string }>(INSERT, values, tx);
    if (made.length > 0) tx.afterCommit(() => made.forEach((each) => this.wakeUps.notify(each.endpointId)));
    return made;
  }
}

/** SQL: a UUID of version 7 that sorts as that other one does. */
export function deliveryIdSql(eventId: string): string {
  return `(left(${eventId}::text, 23) || substr(gen_random_uuid()::text, 24))::uuid`;
}

function cellOf(organizationId: number, rowId: string) {
  return { table: 'outbox_events', column: 'data', organizationId, rowId };
}
