import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { LimitReached } from '../../../access/access.errors';
import { Encryption } from '../../../common/crypto/encryption';
import { NotFound } from '../../../common/errors/errors';
import { Clock } from '../../../common/time/clock';
import { Database, type Tx } from '../../../infrastructure/database/database';
import { lockOrganization } from '../../../infrastructure/database/organization-lock';
import { type EncryptedColumn, EncryptedColumns } from '../../../infrastructure/encryption/encrypted-columns';
import type { SealedSettings, WebhookEndpoint, WebhookEndpointSettings } from './webhook-endpoint';
import { WebhookEndpointRow } from './webhook-endpoint.entity';

export const WEBHOOK_ENDPOINT_COLUMN: EncryptedColumn = {
  table: 'webhook_endpoints',
  column: 'sealed',
  byOrganization: true,
};

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

  /** Endpoints, newest first. */
  async list(
    organizationId: number,
    page: number,
    size: number,
  ): Promise<[WebhookEndpoint[], total: number]> {
    const [rows, total] = await this.database.report(organizationId, (tx) =>
      tx.repository(WebhookEndpointRow).findAndCount({
        where: { organizationId, deletedAt: IsNull() },
        order: { id: 'DESC' },
        skip: page * size,
        take: size,
      }),
    );
    return [rows.map((row) => this.open(row)), total];
  }

  /** Endpoints with these ids, deleted ones included, in no order. */
  async withIds(organizationId: number, ids: number[]): Promise<WebhookEndpoint[]> {
    const rows = await this.database.report(organizationId, (tx) =>
      tx.repository(WebhookEndpointRow).findBy({ organizationId, id: In(ids) }),
    );
    return rows.map((row) => this.open(row));
  }

  /** @throws NotFound */
  async get(organizationId: number, id: number): Promise<WebhookEndpoint> {
    const rows = this.database.repository(WebhookEndpointRow);
    const row = await rows.findOneBy({ organizationId, id, deletedAt: IsNull() });
    if (!row) throw new NotFound('Webhook endpoint');
    return this.open(row);
  }

  /** Locks an endpoint against changes for the rest of the transaction. @throws NotFound, of `what` */
  async lock(
    tx: Tx,
    organizationId: number,
    id: number,
    what = 'Webhook endpoint',
  ): Promise<WebhookEndpoint> {
    const row = await tx.repository(WebhookEndpointRow).findOne({
      where: { organizationId, id, deletedAt: IsNull() },
      lock: { mode: 'for_no_key_update' },
    });
    if (!row) throw new NotFound(what);
    return this.open(row);
  }

  count(tx: Tx, organizationId: number): Promise<number> {
    return tx.repository(WebhookEndpointRow).countBy({ organizationId, deletedAt: IsNull() });
  }

  /** @throws LimitReached if the organization has the maximum number of endpoints */
  async insert(
    tx: Tx,
    organizationId: number,
    settings: WebhookEndpointSettings,
    limit: number,
  ): Promise<number> {
    await lockOrganization(tx, 'webhook_endpoints', organizationId);
    const usage = await this.count(tx, organizationId);
    if (usage >= limit) throw new LimitReached('webhook endpoints', limit, usage);
    // The id is reserved first, because the encryption of the settings is bound to it.
    const [next] = await tx.query<Pick<WebhookEndpointRow, 'id'>>(
      `SELECT nextval(pg_get_serial_sequence('webhook_endpoints', 'id')) AS id`,
    );
    const id = next?.id ?? 0;
    const now = this.clock.date();
    await tx.repository(WebhookEndpointRow).insert({
      organizationId,
      id,
      delivery: settings.url === null ? 'PULL' : 'PUSH',
      sealed: this.seal(organizationId, id, settings),
      events: [...settings.events],
      filters: settings.filters,
      enabled: settings.enabled,
      ...(!settings.enabled && { disabledReason: 'MANUAL', disabledAt: now }),
      createdAt: now,
      updatedAt: now,
    });
    return id;
  }

  /** Writes new settings of a locked endpoint. Enabling it resets its failures. */
  async update(tx: Tx, before: WebhookEndpoint, settings: WebhookEndpointSettings): Promise<void> {
    const { organizationId, id } = before;
    const { events, filters, enabled } = settings;
    const now = this.clock.date();
    await tx.repository(WebhookEndpointRow).update(
      { organizationId, id },
      {
        sealed: this.seal(organizationId, id, settings),
        events: [...events],
        filters,
        enabled,
        disabledReason: enabled ? null : (before.disabledReason ?? 'MANUAL'),
        disabledAt: enabled ? null : (before.disabledAt ?? now),
        ...(enabled && !before.enabled && { failingSince: null }),
        updatedAt: now,
      },
    );
  }

  /** Records that a listener pulls. */
  async pulled(organizationId: number, id: number): Promise<void> {
    await this.database.execute(
      `UPDATE webhook_endpoints SET last_pulled_at = $3 WHERE organization_id = $1 AND id = $2
          AND (last_pulled_at IS NULL OR last_pulled_at <= $3::timestamptz - interval '1 minute')`,
      [organizationId, id, this.clock.date()],
    );
  }

  /** Marks an endpoint as deleted; OutboxHousekeeping deletes its deliveries. */
  async remove(tx: Tx, organizationId: number, id: number): Promise<void> {
    await tx
      .repository(WebhookEndpointRow)
      .update({ organizationId, id }, { enabled: false, deletedAt: this.clock.date() });
  }

  /** Marks an endpoint of a deleted organization as deleted. */
  async removeOrphan(organizationId: number, id: number): Promise<void> {
    const gone = { enabled: false, deletedAt: this.clock.date() };
    await this.database.repository(WebhookEndpointRow).update({ organizationId, id }, gone);
  }

  /** @throws Undecipherable */
  unseal({ organizationId, id, sealed }: Pick<WebhookEndpointRow, 'organizationId' | 'id' | 'sealed'>) {
    return JSON.parse(this.encryption.decrypt(sealed, cellOf(organizationId, id))) as SealedSettings;
  }

  private seal(organizationId: number, id: number, { url, secrets }: SealedSettings): string {
    return this.encryption.encrypt(JSON.stringify({ url, secrets }), cellOf(organizationId, id));
  }

  private open({ sealed, ...row }: WebhookEndpointRow): WebhookEndpoint {
    return { ...row, ...this.unseal({ ...row, sealed }) };
  }
}

function cellOf(organizationId: number, rowId: number) {
  return { table: 'webhook_endpoints', column: 'sealed', organizationId, rowId };
}
