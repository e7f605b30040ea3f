import type { Config } from '../config/config';
import type { DatabaseAddress } from './database/database-address';
import type { EncryptionKey } from '../config/encryption-keys';

/** Settings with a database and encryption keys: the configured ones, or those of the embedded database. */
export type RunnableConfig = Config & {
  readonly database: DatabaseAddress;
  readonly encryptionKeys: readonly EncryptionKey[];
};
