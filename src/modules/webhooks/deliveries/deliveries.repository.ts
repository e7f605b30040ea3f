import { Injectable } from '@nestjs/common';
import { Encryption } from '../../../common/crypto/encryption';
import { Clock } from '../../../common/time/clock';
import { UuidSequence } from '../../../common/uuid';
import { Database, PROMPTLY, type Tx } from '../../../infrastructure/database/database';
import { type EncryptedColumn, EncryptedColumns } from '../../../infrastructure/encryption/encrypted-columns';
import type { WorkItem } from '../../../infrastructure/jobs/wake-up-queue';
import type { DeliveryKind, WebhookEndpointRow } from '../endpoints/webhook-endpoint.entity';
import { WebhookEndpointsRepository } from '../endpoints/webhook-endpoints.repository';
import { dueAtOnceSql, type EventRow, WebhookOutbox } from '../outbox/webhook-outbox';
import type { Attempt, ClaimedDelivery, DeliveryStatus } from '../delivery';
import type { WebhookDelivery } from './webhook-delivery.entity';

export const DELIVERY_COLUMN: EncryptedColumn = {
  table: 'webhook_deliveries',
  column: 'attempts',
  idType: 'uuid',
};

export interface DeliveryResult {
  readonly delivery: ClaimedDelivery;
  readonly status: DeliveryStatus;
  readonly attempt: number;
  readonly attempts: readonly Attempt[];
  /** Null after the last attempt. */
  readonly nextAt: Date | null;
}

type ClaimedRow = Pick<
  WebhookDelivery,
  'id' | 'organizationId' | 'endpointId' | 'eventId' | 'event' | 'attempt' | 'attempts'
> &
  Pick<EventRow, 'data' | 'createdAt' | 'traceparent'> &
  Pick<WebhookEndpointRow, 'sealed'> & { readonly replaying: boolean };

/** Seconds of a lease, after which another may claim the delivery. Workers renew theirs every two seconds. */
const LEASE_SECONDS: Readonly<Record<DeliveryKind, number>> = { PUSH: 8, PULL: 30 };

const EVENT_AND_ENDPOINT = `
  e.data, e.created_at AS "createdAt", e.traceparent, w.sealed, w.replay_after IS NOT NULL AS replaying`;

const CLAIM = `
  WITH due AS (
    SELECT d.id FROM webhook_deliveries d
      JOIN webhook_endpoints w ON w.organization_id = d.organization_id AND w.id = d.endpoint_id AND w.enabled AND w.delivery = $6
     WHERE d.organization_id = $5 AND d.endpoint_id = $1 AND d.status = 'PENDING' AND d.next_at <= $2
       AND (d.lease_until IS NULL OR d.lease_until < now())
     ORDER BY d.next_at LIMIT $3 FOR UPDATE OF d SKIP LOCKED
  ), claimed AS (
    UPDATE webhook_deliveries d SET lease = $4, lease_until = now() + make_interval(secs => $7)
      FROM due WHERE d.organization_id = $5 AND d.id = due.id
    RETURNING d.id, d.organization_id, d.endpoint_id, d.event_id, d.event, d.attempt, d.attempts
  )
  SELECT c.id, c.organization_id AS "organizationId", c.endpoint_id AS "endpointId", c.event_id AS "eventId", c.event,
         c.attempt, c.attempts, ${EVENT_AND_ENDPOINT}
    FROM claimed c
    JOIN outbox_events e ON e.organization_id = c.organization_id AND e.id = c.event_id
    JOIN webhook_endpoints w ON w.organization_id = c.organization_id AND w.id = c.endpoint_id
   WHERE e.organization_id = $5 AND w.organization_id = $5`;

const FIND = `
  SELECT d.id, d.organization_id AS "organizationId", d.endpoint_id AS "endpointId", d.event_id AS "eventId", d.event,
         d.attempt, d.attempts, d.lease, ${EVENT_AND_ENDPOINT}
    FROM webhook_deliveries d
    JOIN outbox_events e ON e.organization_id = d.organization_id AND e.id = d.event_id
    JOIN webhook_endpoints w
      ON w.organization_id = d.organization_id AND w.id = d.endpoint_id AND w.deleted_at IS NULL
   WHERE d.organization_id = $1 AND d.id = $2`;

const RECORD = `
  UPDATE webhook_deliveries d
     SET status = r.status, attempt = r.attempt, next_at = r.next_at, attempts = r.attempts, last_attempt_at = r.at,
         lease = NULL, lease_until = NULL
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::smallint[], $5::timestamptz[], $6::text[], $7::timestamptz[],
                $8::bigint[])
         AS r (id, lease, status, attempt, next_at, attempts, at, organization_id)
   WHERE d.organization_id = ANY ($8) AND d.organization_id = r.organization_id AND d.id = r.id AND d.lease = r.lease
  RETURNING d.id`;

@Injectable()
export class DeliveriesRepository {
  private readonly leases = new UuidSequence();

  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
    private readonly clock: Clock,
    private readonly outbox: WebhookOutbox,
    private readonly endpoints: WebhookEndpointsRepository,
    columns: EncryptedColumns,
  ) {
    columns.register(DELIVERY_COLUMN);
  }

  /**
   * Claims deliveries that are due to an endpoint of this kind, the longest overdue first; none while it is disabled.
   * Their lease has the time of the claim.
   */
  async claim(
    { organizationId, id }: WorkItem,
    limit: number,
    kind: DeliveryKind,
  ): Promise<ClaimedDelivery[]> {
    const lease = this.leases.next(this.clock.now());
    const values = [id, this.clock.date(), limit, lease, organizationId, kind, LEASE_SECONDS[kind]];
    const rows = await this.database.read<ClaimedRow>(CLAIM, values, PROMPTLY);
    // Receivers may query the API about what they are notified of.
    if (rows.length > 0) await this.database.wrote(organizationId);
    return rows.map((row) => ({ ...this.open(row), lease }));
  }

  /** A delivery of an endpoint that is not deleted, with its lease, if it has one. */
  async find(
    organizationId: number,
    id: string,
  ): Promise<(Omit<ClaimedDelivery, 'lease'> & { lease: string | null }) | null> {
    const [row] = await this.database.read<ClaimedRow & Pick<WebhookDelivery, 'lease'>>(FIND, [
      organizationId,
      id,
    ]);
    return row ? { ...this.open(row), lease: row.lease } : null;
  }

  /** Stores results of attempts, except those whose lease has been lost. @returns how many were stored */
  async record(results: readonly DeliveryResult[]): Promise<number> {
    const rows = await this.database.read(
      RECORD,
      [
        results.map(({ delivery }) => delivery.id),
        results.map(({ delivery }) => delivery.lease),
        results.map(({ status }) => status),
        results.map(({ attempt }) => attempt),
        results.map(({ nextAt }) => nextAt),
        results.map(({ delivery, attempts }) => this.sealLog(delivery.organizationId, delivery.id, attempts)),
        results.map(({ attempts }) => new Date(attempts.at(-1)?.at ?? this.clock.now())),
        results.map(({ delivery }) => delivery.organizationId),
      ],
      PROMPTLY,
    );
    return rows.length;
  }

  async renew(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    await this.lease(deliveries, `lease_until = now() + make_interval(secs => ${LEASE_SECONDS.PUSH})`);
  }

  /** Releases deliveries whose attempt did not finish. */
  async release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    await this.lease(deliveries, 'lease = NULL, lease_until = NULL');
  }

  /**
   * Makes a delivery due now, with the full number of attempts, without disturbing one in progress.
   * @returns its endpoint; null if the organization has no such delivery, or its event has been deleted
   */
  async redeliver(tx: Tx, organizationId: number, id: string): Promise<number | null> {
    const [row] = await tx.query<Pick<WebhookDelivery, 'endpointId'>>(
      `SELECT d.endpoint_id AS "endpointId" FROM webhook_deliveries d
         JOIN outbox_events e ON e.organization_id = d.organization_id AND e.id = d.event_id
        WHERE d.id = $1 AND d.organization_id = $2 FOR NO KEY UPDATE OF d`,
      [id, organizationId],
    );
    if (!row) return null;
    await tx.execute(
      `UPDATE webhook_deliveries SET status = 'PENDING', attempt = 0, next_at = ${dueAtOnceSql('$2')}
        WHERE id = $1 AND organization_id = $3 AND (lease_until IS NULL OR lease_until < now())`,
      [id, this.clock.date(), organizationId],
    );
    return row.endpointId;
  }

  /** Endpoints to push deliveries to that are due and not leased, or with a replay, in order of ids above `after`. */
  dueEndpoints(after: number, limit: number): Promise<WorkItem[]> {
    return this.database.read<WorkItem>(
      `SELECT w.id, w.organization_id AS "organizationId" FROM webhook_endpoints w
        WHERE w.id > $3 AND w.enabled AND w.delivery = 'PUSH' AND (w.replay_after IS NOT NULL OR EXISTS (
                SELECT FROM webhook_deliveries d
                 WHERE d.organization_id = w.organization_id AND d.endpoint_id = w.id AND d.status = 'PENDING'
                   AND d.next_at <= $1 AND (d.lease_until IS NULL OR d.lease_until < now())))
        ORDER BY w.id LIMIT $2`,
      [this.clock.date(), limit, after],
    );
  }

  /** Decrypts the log of a delivery. @throws Undecipherable */
  openLog(organizationId: number, id: string, attempts: string | null): Attempt[] {
    if (attempts === null) return [];
    return JSON.parse(this.encryption.decrypt(attempts, cellOf(organizationId, id))) as Attempt[];
  }

  private async lease(deliveries: readonly ClaimedDelivery[], change: string): Promise<void> {
    const sql = `UPDATE webhook_deliveries d SET ${change}
                   FROM unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS r (id, lease, organization_id)
                  WHERE d.organization_id = ANY ($3) AND d.organization_id = r.organization_id
                    AND d.id = r.id AND d.lease = r.lease`;
    await this.database.read(
      sql,
      [
        deliveries.map(({ id }) => id),
        deliveries.map(({ lease }) => lease),
        deliveries.map(({ organizationId }) => organizationId),
      ],
      PROMPTLY,
    );
  }

  private sealLog(organizationId: number, id: string, attempts: readonly Attempt[]): string {
    return this.encryption.encrypt(JSON.stringify(attempts), cellOf(organizationId, id));
  }

  private open(row: ClaimedRow): Omit<ClaimedDelivery, 'lease'> {
    const { id, organizationId, endpointId, eventId, event, attempt, createdAt, traceparent, replaying } =
      row;
    const { url, secrets } = this.endpoints.unseal({ organizationId, id: endpointId, sealed: row.sealed });
    const attempts = this.openLog(organizationId, id, row.attempts);
    const data = this.outbox.dataOf(organizationId, eventId, row.data);
    const stored = { id, organizationId, endpointId, event, createdAt, traceparent, data };
    return { ...stored, attempt, attempts, url, secrets, replaying };
  }
}

function cellOf(organizationId: number, rowId: string) {
  return { table: 'webhook_deliveries', column: 'attempts', organizationId, rowId };
}
