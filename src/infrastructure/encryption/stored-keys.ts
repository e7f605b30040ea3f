import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBase62 } from '../../common/base62';
import { InvalidConfiguration } from '../../config/invalid-configuration';
import { BadEncryptionKeys, type EncryptionKey, parseEncryptionKeys } from '../../config/encryption-keys';

/** Path of the keys of the embedded database, a file in the format of ENCRYPTION_KEYS. */
function keysPath(dataDir: string): string {
  return join(dataDir, 'encryption-keys');
}

/**
 * Reads the keys of the data folder; the first start creates one. Call it from one process at a time.
 * @throws InvalidConfiguration if the file exists but is unusable, because new keys could not decrypt
 * existing data
 */
export async function storedKeys(dataDir: string): Promise<EncryptionKey[]> {
  const path = keysPath(dataDir);
  try {
    const stored = await readFile(path, 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    });
    return parseEncryptionKeys(stored ?? (await makeKey(path)));
  } catch (error) {
    const reason = error instanceof BadEncryptionKeys ? error.message : (error as NodeJS.ErrnoException).code;
    throw new InvalidConfiguration(
      `DATA_DIR: the keys in ${path} cannot be used (${reason}); restore that file from a backup`,
    );
  }
}

/** Generates a key with a unique id, and stores it durably before anything is encrypted with it. */
async function makeKey(path: string): Promise<string> {
  const text = `k${randomBase62(7)}:${randomBytes(32).toString('base64')}\n`;
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  return text;
}
