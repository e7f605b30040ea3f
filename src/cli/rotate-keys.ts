import { Encryption } from '../common/crypto/encryption';
import { type Config, readConfig } from '../config/config';
import type { EncryptionKey } from '../config/encryption-keys';
import { BLIND_INDEX_COLUMN } from '../infrastructure/encryption/blind-indexes';
import type { EncryptedColumn } from '../infrastructure/encryption/encrypted-columns';
import { storedKeys } from '../infrastructure/encryption/stored-keys';
import { ReEncryption } from '../infrastructure/encryption/re-encryption';
import { STORED_ANSWER_COLUMN } from '../infrastructure/idempotency/idempotency-store';
import { BULK_JOB_COLUMNS } from '../infrastructure/jobs/bulk-job.repository';
import { APP_KEY_COLUMN } from '../modules/apps/keys/app-keys';
import { CONTACT_COLUMNS } from '../modules/contacts/bulk/contact-cells';
import { LINK_ASSOCIATION_COLUMN } from '../modules/sdk-mobile/associations/link-associations.repository';
import { OPT_OUT_LINK_COLUMN } from '../modules/unsubscribes/opt-out-links/opt-out-links.repository';
import { UNSUBSCRIBE_COLUMN } from '../modules/unsubscribes/unsubscribes.repository';
import { DELIVERY_COLUMN } from '../modules/webhooks/deliveries/deliveries.repository';
import { SEGMENT_COLUMN } from '../modules/segments/segments.repository';
import { WEBHOOK_ENDPOINT_COLUMN } from '../modules/webhooks/endpoints/webhook-endpoints.repository';
import { OUTBOX_COLUMN } from '../modules/webhooks/outbox/webhook-outbox';
import type { Database } from '../infrastructure/database/database';
import { runTool } from '../start/run-tool';
import { withDatabase } from '../start/tool-database';

/**
 * Every encrypted column: what modules register with `EncryptedColumns`, listed for a tool without the Nest container.
 */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  SEGMENT_COLUMN,
  BLIND_INDEX_COLUMN,
  STORED_ANSWER_COLUMN,
  OUTBOX_COLUMN,
  APP_KEY_COLUMN,
  ...BULK_JOB_COLUMNS,
  ...CONTACT_COLUMNS,
  UNSUBSCRIBE_COLUMN,
  OPT_OUT_LINK_COLUMN,
  LINK_ASSOCIATION_COLUMN,
  WEBHOOK_ENDPOINT_COLUMN,
  DELIVERY_COLUMN,
];

/**
 * Re-encrypts all values with the first key, in small batches; after an interruption, run it again. The service may be
 * running, provided it has this key.
 * @throws Error if no process has been started with the key yet
 */
export async function rotateKeys(
  database: Database,
  keys: readonly EncryptionKey[],
  say: (line: string) => void,
): Promise<void> {
  const encryption = new Encryption(keys);
  const reEncryption = new ReEncryption(database, encryption);
  if (!(await reEncryption.isKnown())) {
    const id = encryption.activeKeyId;
    throw new Error(`ENCRYPTION_KEYS: first start the service with key "${id}" in front, in every process`);
  }
  for (const column of ENCRYPTED_COLUMNS) {
    if (column.shortLived) continue;
    const count = await reEncryption.run(column);
    say(`${column.table}.${column.column}: ${count} values re-encrypted`);
  }
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const keys = await keysOf(config);
  await withDatabase(config, (database) =>
    rotateKeys(database, keys, (line) => process.stdout.write(`${line}\n`)),
  );
}

async function keysOf({ databaseUrl, encryptionKeys, dataDir }: Config): Promise<readonly EncryptionKey[]> {
  if (databaseUrl && !encryptionKeys) throw new Error('ENCRYPTION_KEYS: must be set with DATABASE_URL');
  return encryptionKeys ?? (await storedKeys(dataDir));
}

if (require.main === module) runTool(main);
