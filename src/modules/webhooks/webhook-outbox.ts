import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Encryption } from '../../common/crypto/encryption';
import { Clock } from '../../common/time/clock';
import { UuidSequence } from '../../common/uuid';
import type { Tx } from '../../infrastructure/database/transactions';
import { type EncryptedColumn, EncryptedColumns } from '../../infrastructure/encryption/encrypted-columns';
import type { KeptEvent, OutboxEvent } from './outbox-event';

export const OUTBOX_COLUMN: EncryptedColumn = { table: 'outbox_events', column: 'data', idType: 'uuid' };

/** A row of the outbox. */
interface OutboxRow {
  readonly id: string;
  readonly organization_id: number;
  readonly name: OutboxEvent['name'];
  readonly data: string;
  readonly created_at: Date;
}

const INSERT = `
  INSERT INTO outbox_events (id, organization_id, name, data, subject, created_at)
  SELECT id, organization_id, name, data, subject, $6
    FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[])
      AS e (id, organization_id, name, data, subject)`;

/** Events, kept in the transaction of the change that they tell of: there is never one without the other. */
@Injectable()
export class WebhookOutbox {
  private readonly ids = new UuidSequence();

  constructor(
    private readonly dataSource: DataSource,
    private readonly encryption: Encryption,
    private readonly clock: Clock,
    columns: EncryptedColumns,
  ) {
    columns.register(OUTBOX_COLUMN);
  }

  /** Adds events to the caller's transaction, in one statement for all of them. */
  async add(tx: Tx, ...events: readonly OutboxEvent[]): Promise<void> {
    if (events.length === 0) return;
    const createdAt = this.clock.date();
    const ids = events.map(() => this.ids.next(createdAt.getTime()));
    await tx.query(INSERT, [
      ids,
      events.map(({ organizationId }) => organizationId),
      events.map(({ name }) => name),
      events.map(({ organizationId, data }, i) =>
        this.encryption.encrypt(JSON.stringify(data), cellOf(organizationId, ids[i] ?? '')),
      ),
      events.map(({ subject }) => subject ?? null),
      createdAt,
    ]);
  }

  /** The events about somebody, the oldest first. */
  async about(organizationId: number, subject: string): Promise<KeptEvent[]> {
    const rows = await this.dataSource.query<OutboxRow[]>(
      `SELECT id, organization_id, name, data, created_at FROM outbox_events
        WHERE organization_id = $1 AND subject = $2 ORDER BY id`,
      [organizationId, subject],
    );
    return rows.map((row) => this.open(row));
  }

  /** Deletes what is kept of the events about somebody. */
  async forget(tx: Tx, organizationId: number, subject: string): Promise<void> {
    await tx.query('DELETE FROM outbox_events WHERE organization_id = $1 AND subject = $2', [
      organizationId,
      subject,
    ]);
  }

  /** The event that a row holds. @throws Undecipherable */
  open({ id, organization_id: organizationId, name, data, created_at: createdAt }: OutboxRow): KeptEvent {
    const text = this.encryption.decrypt(data, cellOf(organizationId, id));
    return { id, organizationId, name, data: JSON.parse(text) as KeptEvent['data'], createdAt };
  }
}

function cellOf(organizationId: number, rowId: string) {
  return { table: 'outbox_events', column: 'data', organizationId, rowId };
}
