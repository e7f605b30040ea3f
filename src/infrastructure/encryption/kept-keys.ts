import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBase62 } from '../../common/base62';
import { InvalidConfiguration } from '../../config/config';
import { BadEncryptionKeys, type EncryptionKey, parseEncryptionKeys } from '../../config/encryption-keys';

/** Where the embedded default keeps its keys, in the form of the setting ENCRYPTION_KEYS. */
function keptKeysPath(dataDir: string): string {
  return join(dataDir, 'encryption-keys');
}

/**
 * The keys of the data folder; the first start makes one. Call it from one process at a time.
 * @throws InvalidConfiguration when they are there and can't be used: others would not open what they closed
 */
export async function keptKeys(dataDir: string): Promise<EncryptionKey[]> {
  const path = keptKeysPath(dataDir);
  try {
    const kept = await readFile(path, 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    });
    return parseEncryptionKeys(kept ?? (await makeKey(path)));
  } catch (error) {
    const reason = error instanceof BadEncryptionKeys ? error.message : (error as NodeJS.ErrnoException).code;
    throw new InvalidConfiguration(
      `DATA_DIR: the keys in ${path} can't be used (${reason}); bring that file back from a backup`,
    );
  }
}

/** An id of its own, so that no other key is ever taken for it. On disk before anything is encrypted with it. */
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
