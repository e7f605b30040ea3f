import { Injectable } from '@nestjs/common';
import { hashKey, makeKey } from '../../../access/api-keys/key-format';
import { type Cell, Encryption } from '../../../common/crypto/encryption';
import { type EncryptedColumn, EncryptedColumns } from '../../../infrastructure/encryption/encrypted-columns';
import type { App } from '../app.entity';

export const APP_KEY_COLUMN: EncryptedColumn = { table: 'apps', column: 'api_key', lock: 'apps' };

type Keyed = Pick<App, 'id' | 'organizationId'>;

/**
 * Secret keys of apps for the SDK API (docs/concepts/access.md#app-keys): verified by hash, and also stored encrypted, because the
 * API shows them again.
 */
@Injectable()
export class AppKeys {
  constructor(
    private readonly encryption: Encryption,
    columns: EncryptedColumns,
  ) {
    columns.register(APP_KEY_COLUMN);
  }

  /** Generates a key. @returns its ciphertext and its hash */
  make(app: Keyed): { apiKey: string; apiKeyHash: Buffer } {
    const key = makeKey('wp_app_');
    return { apiKey: this.encryption.encrypt(key, cellOf(app)), apiKeyHash: hashKey(key) };
  }

  /** Decrypts the key. @throws Undecipherable */
  read({ apiKey, ...app }: Keyed & Pick<App, 'apiKey'>): string {
    return this.encryption.decrypt(apiKey, cellOf(app));
  }
}

function cellOf({ id, organizationId }: Keyed): Cell {
  return { ...APP_KEY_COLUMN, organizationId, rowId: id };
}
