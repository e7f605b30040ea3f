import { Injectable } from '@nestjs/common';
import { Encryption } from '../../../common/crypto/encryption';
import { Clock } from '../../../common/time/clock';
import { type EncryptedColumn, EncryptedColumns } from '../../../infrastructure/encryption/encrypted-columns';
import type { WebhookEndpoint, WebhookEndpointSettings, WebhookSecret } from './webhook-endpoint';
import { Database } from '../../../infrastructure/database/database';
import type { Tx } from '../../../infrastructure/database/tx';

export const WEBHOOK_ENDPOINT_COLUMN: EncryptedColumn = {
  table: 'webhook_endpoints',
  column: 'sealed',
  byOrganization: true,
};

type Row = Omit<WebhookEndpoint, 'url' | 'secrets'> & { readonly sealed: string };

/** What is encrypted of an endpoint: URLs of receivers often are as good as a password. */
interface Sealed {
  readonly url: string;
  readonly secrets: readonly WebhookSecret[];
}

const COLUMNS = `
  id, organization_id AS "organizationId", sealed, events, enabled, disabled_reason AS "disabledReason",
  disabled_at AS "disabledAt", failing_since AS "failingSince", last_error AS "lastError",
  last_error_at AS "lastErrorAt", last_delivered_at AS "lastDeliveredAt", replay_since AS "replaySince",
  created_at AS "createdAt", updated_at AS "updatedAt"`;
const ONE = `SELECT ${COLUMNS} FROM webhook_endpoints WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL`;

/** The rows of `webhook_endpoints`, as the console changes them. */
@Injectable()
export class WebhookEndpointsRepository {
  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
    private readonly clock: Clock,
    columns: EncryptedColumns,
  ) {
    columns.register(WEBHOOK_ENDPOINT_COLUMN);
  }

  /** Newest first. */
  async list(
    organizationId: number,
    page: number,
    size: number,
  ): Promise<[WebhookEndpoint[], total: number]> {
    const count = await this.database.single<{ total: number }>(
      'SELECT count(*) AS total FROM webhook_endpoints WHERE organization_id = $1 AND deleted_at IS NULL',
      [organizationId],
    );
    const rows = await this.database.read<Row>(
      `SELECT ${COLUMNS} FROM webhook_endpoints WHERE organization_id = $1 AND deleted_at IS NULL
        ORDER BY id DESC LIMIT $2 OFFSET $3`,
      [organizationId, size, page * size],
    );
    return [rows.map((row) => this.open(row)), count.total];
  }

  async find(organizationId: number, id: number): Promise<WebhookEndpoint | null> {
    const [row] = await this.database.read<Row>(ONE, [organizationId, id]);
    return row ? this.open(row) : null;
  }

  /** Finds it, and keeps others from changing it for the rest of the transaction. */
  async lock(tx: Tx, organizationId: number, id: number): Promise<WebhookEndpoint | null> {
    const [row] = await tx.query<Row>(`${ONE} FOR NO KEY UPDATE`, [organizationId, id]);
    return row ? this.open(row) : null;
  }

  /** @returns null when the organization has `max` endpoints already */
  async insert(
    tx: Tx,
    organizationId: number,
    settings: WebhookEndpointSettings,
    max: number,
  ): Promise<number | null> {
    // So that of two at once the second one counts the first.
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('webhook_endpoints', $1))`, [
      organizationId,
    ]);
    const [next] = await tx.query<{ id: number; count: number }>(
      `SELECT nextval(pg_get_serial_sequence('webhook_endpoints', 'id')) AS id,
              (SELECT count(*) FROM webhook_endpoints WHERE organization_id = $1 AND deleted_at IS NULL) AS count`,
      [organizationId],
    );
    if (!next || next.count >= max) return null;
    const now = this.clock.date();
    await tx.execute(
      `INSERT INTO webhook_endpoints (organization_id, id, sealed, events, enabled, disabled_reason, disabled_at,
                                      created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, CASE WHEN NOT $5::boolean THEN 'CONSOLE' END,
               CASE WHEN NOT $5::boolean THEN $6::timestamptz END, $6, $6)`,
      [
        organizationId,
        next.id,
        this.seal(organizationId, next.id, settings),
        settings.events,
        settings.enabled,
        now,
      ],
    );
    return next.id;
  }

  /** Writes what the console decides. Whoever is enabled anew has a clean slate; whoever is not keeps why. */
  async update(tx: Tx, endpoint: WebhookEndpoint): Promise<void> {
    const { organizationId, id, events, enabled } = endpoint;
    await tx.execute(
      `UPDATE webhook_endpoints
          SET sealed = $3, events = $4, enabled = $5, updated_at = $6,
              failing_since = CASE WHEN $5 AND NOT enabled THEN NULL ELSE failing_since END,
              disabled_reason = CASE WHEN $5 THEN NULL ELSE coalesce(disabled_reason, 'CONSOLE') END,
              disabled_at = CASE WHEN $5 THEN NULL ELSE coalesce(disabled_at, $6) END
        WHERE organization_id = $1 AND id = $2`,
      [organizationId, id, this.seal(organizationId, id, endpoint), events, enabled, this.clock.date()],
    );
  }

  /** Deliveries end with it, and are deleted behind it. */
  async remove(tx: Tx, organizationId: number, id: number): Promise<void> {
    await tx.execute(
      'UPDATE webhook_endpoints SET enabled = false, deleted_at = $3 WHERE organization_id = $1 AND id = $2',
      [organizationId, id, this.clock.date()],
    );
  }

  /** Removes one whose organization is gone. */
  async end(id: number): Promise<void> {
    await this.database.execute(
      'UPDATE webhook_endpoints SET enabled = false, deleted_at = $2 WHERE id = $1',
      [id, this.clock.date()],
    );
  }

  /** @throws Undecipherable */
  unseal(organizationId: number, id: number, sealed: string): Sealed {
    return JSON.parse(this.encryption.decrypt(sealed, cellOf(organizationId, id))) as Sealed;
  }

  private seal(organizationId: number, id: number, { url, secrets }: Sealed): string {
    return this.encryption.encrypt(JSON.stringify({ url, secrets }), cellOf(organizationId, id));
  }

  private open({ sealed, ...row }: Row): WebhookEndpoint {
    return { ...row, ...this.unseal(row.organizationId, row.id, sealed) };
  }
}

function cellOf(organizationId: number, rowId: number) {
  return { table: 'webhook_endpoints', column: 'sealed', organizationId, rowId };
}
