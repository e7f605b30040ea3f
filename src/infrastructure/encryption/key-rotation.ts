import { Inject, Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { Encryption } from '../../common/crypto/encryption';
import { LOGGER } from '../../common/logging/logger';
import { Clock } from '../../common/time/clock';
import { Transactions } from '../database/transactions';
import { OncePerSchedule } from '../schedule/once-per-schedule';
import { type EncryptedColumn, EncryptedColumns } from './encrypted-columns';

const BATCH = 500;
/** By then every process has been started with the new key, and what lives a day has gone. */
const SETTLED_MS = 25 * 60 * 60 * 1000;

interface Row {
  id: number;
  organization_id: number;
  value: string;
}

/** Encrypts with the active key what older ones have closed, until those are of no use any more. */
@Injectable()
export class KeyRotation {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tx: Transactions,
    private readonly encryption: Encryption,
    private readonly columns: EncryptedColumns,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async rotate(): Promise<void> {
    const old = await this.oldKeys();
    if (old.length === 0) return;
    for (const column of this.columns.all()) {
      if (column.shortLived) continue;
      while ((await this.encryptAnew(column)) === BATCH);
    }
    for (const id of old) {
      if (await this.isUsed(id)) continue;
      await this.dataSource.query('DELETE FROM encryption_keys WHERE id = $1', [id]);
      this.logger.warn(
        { key: id },
        'nothing is encrypted with this key any more: take it out of ENCRYPTION_KEYS',
      );
    }
  }

  /** Keys that the active one has followed, once it has been active for long enough. */
  private async oldKeys(): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `SELECT id FROM encryption_keys
        WHERE id <> $1 AND EXISTS (SELECT FROM encryption_keys WHERE id = $1 AND active_since <= $2)`,
      [this.encryption.activeKeyId, new Date(this.clock.now() - SETTLED_MS)],
    );
    return rows.map(({ id }) => id);
  }

  /** @returns how many values it was; fewer than a batch when these were the last */
  private encryptAnew({ table, column }: EncryptedColumn): Promise<number> {
    return this.tx.run(async (tx) => {
      const rows = await tx.query<Row>(
        `SELECT id, organization_id, ${column} AS value FROM ${table}
          WHERE ${column} IS NOT NULL AND NOT starts_with(${column}, $1)
          ORDER BY id LIMIT ${BATCH} FOR UPDATE`,
        [`${this.encryption.activeKeyId}.`],
      );
      for (const { id, organization_id: organizationId, value } of rows) {
        const cell = { table, column, organizationId, rowId: id };
        const anew = this.encryption.encrypt(this.encryption.decrypt(value, cell), cell);
        await tx.query(`UPDATE ${table} SET ${column} = $2 WHERE id = $1`, [id, anew]);
      }
      return rows.length;
    });
  }

  private async isUsed(keyId: string): Promise<boolean> {
    for (const { table, column } of this.columns.all()) {
      const sql = `SELECT 1 FROM ${table} WHERE starts_with(${column}, $1) LIMIT 1`;
      const rows = await this.dataSource.query<unknown[]>(sql, [`${keyId}.`]);
      if (rows.length > 0) return true;
    }
    return false;
  }
}

/** When that is done. */
@Injectable()
export class KeyRotationSchedule {
  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly rotation: KeyRotation,
  ) {}

  @Cron('37 * * * *')
  run(): Promise<boolean> {
    return this.schedule.run('encryption.rotate', 3600, () => this.rotation.rotate());
  }
}
