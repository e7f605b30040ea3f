import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Encryption } from '../../../common/crypto/encryption';
import { Clock } from '../../../common/time/clock';
import { type EncryptedColumn, EncryptedColumns } from '../../../infrastructure/encryption/encrypted-columns';
import type { Attempt, ClaimedDelivery, DeliveryStatus } from './delivery';
import { WebhookEndpointsRepository } from '../endpoints/webhook-endpoints.repository';
import { DUE_AT_ONCE, WebhookOutbox } from '../outbox/webhook-outbox';
import { Database } from '../../../infrastructure/database/database';
import type { Tx } from '../../../infrastructure/database/tx';

export const DELIVERY_COLUMN: EncryptedColumn = {
  table: 'webhook_deliveries',
  column: 'attempts',
  idType: 'uuid',
};

/** What becomes of a delivery after an attempt. */
export interface DeliveryResult {
  readonly delivery: ClaimedDelivery;
  readonly status: DeliveryStatus;
  readonly attempt: number;
  readonly attempts: readonly Attempt[];
  /** Null when there is no next one. */
  readonly nextAt: Date | null;
}

interface ClaimedRow {
  readonly id: string;
  readonly organizationId: number;
  readonly eventId: string;
  readonly event: string;
  readonly attempt: number;
  readonly attempts: string | null;
  readonly data: string;
  readonly createdAt: Date;
  readonly sealed: string;
  readonly replaying: boolean;
}

/** Renewed every two seconds: what a killed worker held is taken over when it has run out. */
const LEASE = `interval '8 seconds'`;

const CLAIM = `
  WITH due AS (
    SELECT d.id FROM webhook_deliveries d
      JOIN webhook_endpoints w ON w.id = d.endpoint_id AND w.enabled
     WHERE d.endpoint_id = $1 AND d.status = 'PENDING' AND d.next_at <= $2
       AND (d.lease_until IS NULL OR d.lease_until < now())
     ORDER BY d.next_at LIMIT $3 FOR UPDATE OF d SKIP LOCKED
  ), claimed AS (
    UPDATE webhook_deliveries d SET lease = $4, lease_until = now() + ${LEASE} FROM due WHERE d.id = due.id
    RETURNING d.id, d.organization_id, d.endpoint_id, d.event_id, d.event, d.attempt, d.attempts
  )
  SELECT c.id, c.organization_id AS "organizationId", c.event_id AS "eventId", c.event, c.attempt, c.attempts,
         e.data, e.created_at AS "createdAt", w.sealed, w.replay_after IS NOT NULL AS replaying
    FROM claimed c JOIN outbox_events e ON e.id = c.event_id JOIN webhook_endpoints w ON w.id = c.endpoint_id`;

const RECORD = `
  UPDATE webhook_deliveries d
     SET status = r.status, attempt = r.attempt, next_at = r.next_at, attempts = r.attempts, last_attempt_at = r.at,
         lease = NULL, lease_until = NULL
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::smallint[], $5::timestamptz[], $6::text[], $7::timestamptz[])
         AS r (id, lease, status, attempt, next_at, attempts, at)
   WHERE d.id = r.id AND d.lease = r.lease`;

/** The rows of `webhook_deliveries`, as they are worked on. Leases run on the clock of Postgres, which all share. */
@Injectable()
export class DeliveriesRepository {
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

  /** Takes what is due to an endpoint and nobody is at, the longest due first. None while it is disabled. */
  async claim(endpointId: number, limit: number): Promise<ClaimedDelivery[]> {
    const lease = randomUUID();
    const now = this.clock.date();
    const rows = await this.database.prompt<ClaimedRow>(CLAIM, [endpointId, now, limit, lease]);
    return rows.map((row) => ({ ...this.open(endpointId, row), lease }));
  }

  /** Writes down what became of attempts, except where the lease has been lost meanwhile. */
  async record(results: readonly DeliveryResult[]): Promise<void> {
    await this.database.prompt(RECORD, [
      results.map(({ delivery }) => delivery.id),
      results.map(({ delivery }) => delivery.lease),
      results.map(({ status }) => status),
      results.map(({ attempt }) => attempt),
      results.map(({ nextAt }) => nextAt),
      results.map(({ delivery, attempts }) => this.sealLog(delivery.organizationId, delivery.id, attempts)),
      results.map(({ attempts }) => new Date(attempts.at(-1)?.at ?? this.clock.now())),
    ]);
  }

  /** Keeps what is being attempted. */
  async renew(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    await this.lease(deliveries, `lease_until = now() + ${LEASE}`);
  }

  /** Gives back what was taken and not attempted to its end. */
  async release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    await this.lease(deliveries, 'lease = NULL, lease_until = NULL');
  }

  /**
   * Makes a delivery due at once, with all of its attempts before it; one that is being attempted goes on.
   * @returns its endpoint; null when the organization has no such delivery, or its event is no longer kept
   */
  async again(tx: Tx, organizationId: number, id: string): Promise<number | null> {
    const [row] = await tx.query<{ endpointId: number }>(
      `SELECT d.endpoint_id AS "endpointId" FROM webhook_deliveries d JOIN outbox_events e ON e.id = d.event_id
        WHERE d.id = $1 AND d.organization_id = $2 FOR NO KEY UPDATE OF d`,
      [id, organizationId],
    );
    if (!row) return null;
    await tx.execute(
      `UPDATE webhook_deliveries SET status = 'PENDING', attempt = 0, next_at = $2::timestamptz - ${DUE_AT_ONCE}
        WHERE id = $1 AND (lease_until IS NULL OR lease_until < now())`,
      [id, this.clock.date()],
    );
    return row.endpointId;
  }

  /** Endpoints that something is due to that nobody is at, or that a replay is under way for. */
  async dueEndpoints(limit: number): Promise<number[]> {
    const rows = await this.database.read<{ id: number }>(
      `SELECT w.id FROM webhook_endpoints w
        WHERE w.enabled AND (w.replay_after IS NOT NULL OR EXISTS (
                SELECT FROM webhook_deliveries d
                 WHERE d.endpoint_id = w.id AND d.status = 'PENDING' AND d.next_at <= $1
                   AND (d.lease_until IS NULL OR d.lease_until < now())))
        LIMIT $2`,
      [this.clock.date(), limit],
    );
    return rows.map(({ id }) => id);
  }

  /** The log of a delivery. @throws Undecipherable */
  openLog(organizationId: number, id: string, attempts: string | null): Attempt[] {
    if (attempts === null) return [];
    return JSON.parse(this.encryption.decrypt(attempts, cellOf(organizationId, id))) as Attempt[];
  }

  private async lease(deliveries: readonly ClaimedDelivery[], change: string): Promise<void> {
    const sql = `UPDATE webhook_deliveries d SET ${change} FROM unnest($1::uuid[], $2::uuid[]) AS r (id, lease)
                  WHERE d.id = r.id AND d.lease = r.lease`;
    const ids = deliveries.map(({ id }) => id);
    await this.database.prompt(sql, [ids, deliveries.map(({ lease }) => lease)]);
  }

  private sealLog(organizationId: number, id: string, attempts: readonly Attempt[]): string {
    return this.encryption.encrypt(JSON.stringify(attempts), cellOf(organizationId, id));
  }

  private open(endpointId: number, row: ClaimedRow): Omit<ClaimedDelivery, 'lease'> {
    const { id, organizationId, eventId, event, attempt, createdAt, replaying } = row;
    const { url, secrets } = this.endpoints.unseal(organizationId, endpointId, row.sealed);
    const attempts = this.openLog(organizationId, id, row.attempts);
    const data = this.outbox.dataOf(organizationId, eventId, row.data);
    const kept = { id, organizationId, endpointId, event, createdAt, data };
    return { ...kept, attempt, attempts, url, secrets, replaying };
  }
}

function cellOf(organizationId: number, rowId: string) {
  return { table: 'webhook_deliveries', column: 'attempts', organizationId, rowId };
}
