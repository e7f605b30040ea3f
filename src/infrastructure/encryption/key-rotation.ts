import { Inject, Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import type { Logger } from 'pino';
import { Encryption } from '../../common/crypto/encryption';
import { LOGGER } from '../../common/logging/logger';
import { Clock } from '../../common/time/clock';
import { OncePerSchedule } from '../schedule/once-per-schedule';
import { EncryptedColumns } from './encrypted-columns';
import { ReEncryption } from './re-encryption';
import { Database } from '../database/database';

/** By then, every process has the new key and short-lived values (one day) have expired. */
const MIN_ACTIVE_MS = 25 * 60 * 60 * 1000;

/** Re-encrypts values of older keys with the active key, until the older keys are unused. */
@Injectable()
export class KeyRotation {
  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
    private readonly columns: EncryptedColumns,
    private readonly reEncryption: ReEncryption,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async rotate(): Promise<void> {
    const old = await this.oldKeys();
    if (old.length === 0) return;
    for (const column of this.columns.all()) {
      if (!column.shortLived) await this.reEncryption.run(column);
    }
    for (const id of old) {
      if (await this.isUsed(id)) continue;
      await this.database.execute('DELETE FROM encryption_keys WHERE id = $1', [id]);
      this.logger.warn(
        { key: id },
        'nothing is encrypted with this key any more: remove it from ENCRYPTION_KEYS',
      );
    }
  }

  /** Ids of keys older than the active one, once that has been active for MIN_ACTIVE_MS. */
  private async oldKeys(): Promise<string[]> {
    const rows = await this.database.read<{ id: string }>(
      `SELECT id FROM encryption_keys
        WHERE id <> $1 AND EXISTS (SELECT FROM encryption_keys WHERE id = $1 AND active_since <= $2)`,
      [this.encryption.activeKeyId, new Date(this.clock.now() - MIN_ACTIVE_MS)],
    );
    return rows.map(({ id }) => id);
  }

  private async isUsed(keyId: string): Promise<boolean> {
    for (const { table, column } of this.columns.all()) {
      const sql = `SELECT 1 FROM ${table} WHERE starts_with(${column}, $1) LIMIT 1`;
      const rows = await this.database.read(sql, [`${keyId}.`]);
      if (rows.length > 0) return true;
    }
    return false;
  }
}

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
