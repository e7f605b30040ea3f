import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Encryption } from '../../common/crypto/encryption';
import { type EncryptedColumn, EncryptedColumns } from './encrypted-columns';
import { KeyCheck } from './key-check';
import { Database } from '../database/database';

const SECRET_BYTES = 32;
/** Half of the HMAC, which is enough to avoid collisions. */
const INDEX_BYTES = 16;

export const BLIND_INDEX_COLUMN: EncryptedColumn = { table: 'blind_index_secrets', column: 'secret' };
const CELL = { ...BLIND_INDEX_COLUMN, organizationId: 0, rowId: 1 };

/**
 * Blind indexes, by which encrypted values are searched: a keyed hash (HMAC-SHA256), equal for equal values
 * and useless without the secret. The secret belongs to the database and is stored encrypted, so indexes do
 * not change when ENCRYPTION_KEYS rotate.
 */
@Injectable()
export class BlindIndexes implements OnModuleInit {
  private secret: KeyObject | null = null;

  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
    private readonly keys: KeyCheck,
    columns: EncryptedColumns,
  ) {
    columns.register(BLIND_INDEX_COLUMN);
  }

  async onModuleInit(): Promise<void> {
    await this.keys.onModuleInit();
    const encrypted = this.encryption.encrypt(randomBytes(SECRET_BYTES).toString('base64'), CELL);
    await this.database.execute(
      'INSERT INTO blind_index_secrets (id, organization_id, secret) VALUES ($1, 0, $2) ON CONFLICT DO NOTHING',
      [CELL.rowId, encrypted],
    );
    const row = await this.database.single<{ secret: string }>(
      'SELECT secret FROM blind_index_secrets WHERE id = $1 AND organization_id = 0',
      [CELL.rowId],
    );
    this.secret = createSecretKey(this.encryption.decrypt(row.secret, CELL), 'base64');
  }

  /**
   * The index of a normalized value: 16 bytes. Equal values of another organization or kind have a different
   * index.
   * @param kind what the value is: `phone`, `email`, `email.domain` …
   */
  of(organizationId: number, kind: string, value: string): Buffer {
    if (!this.secret) throw new Error('Blind indexes are only available after the start');
    const hmac = createHmac('sha256', this.secret);
    return hmac.update(`${organizationId}\0${kind}\0${value}`).digest().subarray(0, INDEX_BYTES);
  }
}
