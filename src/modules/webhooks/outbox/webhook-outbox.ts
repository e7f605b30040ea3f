import { InjectQueue } from '@nestjs/bull';
import { Injectable } from '@nestjs/common';
import { Encryption } from '../../../common/crypto/encryption';
import { Clock } from '../../../common/time/clock';
import { activeTraceparent } from '../../../common/tracing';
import { UuidSequence } from '../../../common/uuid';
import { Database, type Tx } from '../../../infrastructure/database/database';
import { type EncryptedColumn, EncryptedColumns } from '../../../infrastructure/encryption/encrypted-columns';
import { WakeUpQueue } from '../../../infrastructure/jobs/wake-up-queue';
import { concernedBy, passesFiltersSql } from './endpoint-filters';
import type { EventName, OutboxEvent, StoredEvent } from './outbox-event';

/** The queue of wake-ups by endpoint, each of which delivers everything due to it. */
export const DELIVERIES_QUEUE = 'webhooks';

export const OUTBOX_COLUMN: EncryptedColumn = { table: 'outbox_events', column: 'data', idType: 'uuid' };

/**
 * SQL for the due time of immediate deliveries, which must have passed for every process: if this process's clock is
 * ahead, the time of Postgres is used.
 * @param now placeholder of this process's time
 */
export function dueAtOnceSql(now: string): string {
  return `least(${now}::timestamptz, now()) - interval '10 seconds'`;
}

/**
 * Stores events and, in the same statement, a delivery to each subscribed endpoint. Postgres decides which are
 * subscribed and whose filters the events pass, so that an endpoint gets every event after its creation.
 * Neither INSERT reads the rows of the other: Citus would send them to every node.
 */
const INSERT = {
  name: 'webhooks.add',
  text: `
    WITH added AS (
      INSERT INTO outbox_events
             (id, organization_id, name, data, subject, created_at, traceparent, link_id, campaign_id, app_id)
      SELECT id, organization_id, name, data, subject, $6, $8::text, link_id, campaign_id, app_id
        FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $9::bigint[], $10::bigint[], $11::bigint[])
          AS e (id, organization_id, name, data, subject, link_id, campaign_id, app_id)
      -- Without it, Citus would insert with COPY, whose errors have no code.
      RETURNING id
    ), fanned_out AS (
      INSERT INTO webhook_deliveries (id, organization_id, endpoint_id, event_id, event, next_at)
      SELECT ${deliveryIdSql('e.id')}, w.organization_id, w.id, e.id, e.name, ${dueAtOnceSql('$6')}
        FROM unnest($1::uuid[], $2::bigint[], $3::text[], $9::bigint[], $10::bigint[], $11::bigint[])
          AS e (id, organization_id, name, link_id, campaign_id, app_id)
        JOIN webhook_endpoints w ON w.organization_id = e.organization_id
       WHERE w.organization_id = ANY ($2) AND w.enabled
         AND (w.id = $7::bigint
              OR $7 IS NULL AND w.events && ${subscriptionsToSql('e.name')} AND ${passesFiltersSql('w', 'e', '$2')})
      RETURNING id, organization_id, endpoint_id
    )
    SELECT organization_id AS "organizationId", endpoint_id AS "endpointId", min(id::text) AS "deliveryId"
      FROM fanned_out GROUP BY organization_id, endpoint_id`,
};

const SUBSCRIPTIONS = {
  name: 'webhooks.subscriptions',
  text: 'SELECT DISTINCT unnest(events) AS subscription FROM webhook_endpoints WHERE organization_id = $1 AND deleted_at IS NULL',
};

const SUBSCRIBED = {
  name: 'webhooks.subscribed',
  text: `
    SELECT DISTINCT organization_id AS id FROM webhook_endpoints
     WHERE organization_id = ANY ($1) AND enabled AND events && $2::text[]`,
};

/** A row of `outbox_events`; `StoredEvent` is the decrypted form. */
export interface EventRow {
  readonly id: string;
  readonly organizationId: number;
  readonly name: EventName;
  /** JSON of the resource, encrypted. */
  readonly data: string;
  readonly createdAt: Date;
  /** Trace context in which it happened, as the `traceparent` header. */
  readonly traceparent: string | null;
}

/** An endpoint for which deliveries have been created, and one of these. */
interface Created {
  readonly organizationId: number;
  readonly endpointId: number;
  readonly deliveryId: string;
}

/** Stores events in the transaction of the change that they report, so that both are committed or neither. */
@Injectable()
export class WebhookOutbox {
  private readonly ids = new UuidSequence();

  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
    private readonly clock: Clock,
    @InjectQueue(DELIVERIES_QUEUE) private readonly queue: WakeUpQueue,
    columns: EncryptedColumns,
  ) {
    columns.register(OUTBOX_COLUMN);
  }

  /** Adds events and their deliveries in the caller's transaction, with one statement. */
  async add(tx: Tx, ...events: readonly OutboxEvent[]): Promise<void> {
    if (events.length > 0) await this.insert(tx, events, null);
  }

  /** Adds those of the events, all of one organization, that are `wanted`; for large numbers of events. */
  async addSubscribed(tx: Tx, ...events: readonly OutboxEvent[]): Promise<void> {
    const [first] = events;
    if (!first) return;
    const wanted = await this.wanted(first.organizationId, tx);
    await this.add(tx, ...events.filter(({ name }) => wanted(name)));
  }

  /**
   * Looks up which events endpoints of the organization subscribe to, so that others need not be built. Includes
   * disabled endpoints, because a replay may need the events.
   */
  async wanted(organizationId: number, tx?: Tx): Promise<(name: EventName) => boolean> {
    const rows = await this.database.hot<{ subscription: string }>(SUBSCRIPTIONS, [organizationId], tx);
    const subscriptions = new Set(rows.map(({ subscription }) => subscription));
    return (name) => subscriptionsTo(name).some((each) => subscriptions.has(each));
  }

  /** Adds an event for a single endpoint, which must be enabled. @returns the id of the delivery */
  async addFor(tx: Tx, endpointId: number, event: OutboxEvent): Promise<string> {
    const [delivery] = await this.insert(tx, [event], endpointId);
    if (!delivery) throw new Error(`Webhook endpoint ${endpointId} is not enabled`);
    return delivery.deliveryId;
  }

  /** @returns the organizations, among these, with an enabled endpoint for the event */
  async subscribed(tx: Tx, name: EventName, organizationIds: readonly number[]): Promise<Set<number>> {
    const wanted = [organizationIds, subscriptionsTo(name)];
    const rows = await this.database.hot<{ id: number }>(SUBSCRIBED, wanted, tx);
    return new Set(rows.map(({ id }) => id));
  }

  /** Events about a person, oldest first. */
  async about(organizationId: number, subject: string): Promise<StoredEvent[]> {
    const rows = await this.database.read<Omit<EventRow, 'traceparent'>>(
      `SELECT id, organization_id AS "organizationId", name, data, created_at AS "createdAt" FROM outbox_events
        WHERE organization_id = $1 AND subject = $2 ORDER BY id`,
      [organizationId, subject],
    );
    return rows.map((row) => this.open(row));
  }

  /** Deletes events about people, with their deliveries and logged responses. */
  async forget(tx: Tx, organizationId: number, ...subjects: readonly string[]): Promise<void> {
    await tx.execute(
      `WITH gone AS (DELETE FROM outbox_events WHERE organization_id = $1 AND subject = ANY ($2) RETURNING id)
       DELETE FROM webhook_deliveries WHERE organization_id = $1 AND event_id IN (SELECT id FROM gone)`,
      [organizationId, subjects],
    );
  }

  /** @throws Undecipherable */
  open(row: Omit<EventRow, 'traceparent'>): StoredEvent {
    const { id, organizationId, name, createdAt } = row;
    const data = JSON.parse(this.dataOf(organizationId, id, row.data)) as StoredEvent['data'];
    return { id, organizationId, name, data, createdAt };
  }

  /** Decrypts the stored JSON, byte for byte. @throws Undecipherable */
  dataOf(organizationId: number, eventId: string, data: string): string {
    return this.encryption.decrypt(data, cellOf(organizationId, eventId));
  }

  private async insert(
    tx: Tx,
    events: readonly OutboxEvent[],
    endpointId: number | null,
  ): Promise<Created[]> {
    const createdAt = this.clock.date();
    const ids = events.map(() => this.ids.next(createdAt.getTime()));
    const concerned = events.map(concernedBy);
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
      activeTraceparent(),
      concerned.map(({ linkId }) => linkId),
      concerned.map(({ campaignId }) => campaignId),
      concerned.map(({ appId }) => appId),
    ];
    const created = await this.database.hot<Created>(INSERT, values, tx);
    if (created.length > 0) {
      tx.afterCommit(() => {
        for (const { organizationId, endpointId: id } of created) this.queue.notify({ organizationId, id });
      });
    }
    return created;
  }
}

/** SQL for a version 7 UUID with the time of the event's id. */
export function deliveryIdSql(eventId: string): string {
  return `(left(${eventId}::text, 23) || substr(gen_random_uuid()::text, 24))::uuid`;
}

function cellOf(organizationId: number, rowId: string) {
  return { table: 'outbox_events', column: 'data', organizationId, rowId };
}

/** The subscriptions that match an event: its name, its group such as `link.*`, and `*`. */
function subscriptionsTo(name: EventName): string[] {
  return [name, name.replace(/\..*/, '.*'), '*'];
}

/** SQL for the subscriptions that match an event. @param name SQL expression for the event's name */
export function subscriptionsToSql(name: string): string {
  return `ARRAY[${name}, split_part(${name}, '.', 1) || '.*', '*']`;
}
