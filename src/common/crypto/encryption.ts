import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { EncryptionKey } from '../../config/encryption-keys';

/** The cell that an encrypted value is bound to: copied to another one, it cannot be decrypted. */
export interface Cell {
  readonly table: string;
  readonly column: string;
  readonly organizationId: number;
  readonly rowId: number | string;
}

/** The value cannot be decrypted: it was encrypted for another cell, it is damaged, or its key is missing. */
export class Undecipherable extends Error {}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const OPTIONS = { authTagLength: TAG_BYTES };

/**
 * Encryption at rest with versioned AES-256-GCM keys. A value is `<key id>.<base64url of nonce, ciphertext,
 * tag>`. The first key encrypts; all keys decrypt. Nonces are random, which is safe for 2^32 values per key.
 */
export class Encryption {
  /** Id of the key that encrypts; values with other ids were encrypted with older keys. */
  readonly activeKeyId: string;
  private readonly activeKey: KeyObject;
  private readonly keys: ReadonlyMap<string, KeyObject>;

  constructor(keys: readonly EncryptionKey[]) {
    const [active] = keys;
    if (!active) throw new Error('No encryption key is configured');
    this.activeKeyId = active.id;
    this.activeKey = createSecretKey(active.key);
    this.keys = new Map(keys.map(({ id, key }) => [id, createSecretKey(key)]));
  }

  encrypt(text: string, cell: Cell): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.activeKey, nonce, OPTIONS);
    cipher.setAAD(binding(this.activeKeyId, cell));
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${this.activeKeyId}.${sealed.toString('base64url')}`;
  }

  /** @throws Undecipherable */
  decrypt(value: string, cell: Cell): string {
    const id = keyIdOf(value);
    const key = this.keys.get(id);
    if (!key) {
      throw new Undecipherable(
        `${nameOf(cell)} is encrypted with key "${id}", which is missing in ENCRYPTION_KEYS`,
      );
    }
    const sealed = Buffer.from(value.slice(id.length + 1), 'base64url');
    try {
      const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), OPTIONS);
      decipher.setAAD(binding(id, cell));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
      // Verifies the tag; GCM has no final block.
      decipher.final();
      return text.toString('utf8');
    } catch {
      throw new Undecipherable(`${nameOf(cell)} cannot be decrypted with key "${id}"`);
    }
  }

  has(keyId: string): boolean {
    return this.keys.has(keyId);
  }
}

function keyIdOf(value: string): string {
  const dot = value.indexOf('.');
  return dot === -1 ? '' : value.slice(0, dot);
}

function nameOf({ table, column, rowId }: Cell): string {
  return `${table}.${column} of row ${rowId}`;
}

/** Additional authenticated data, as JSON, so that it is different for every cell. */
function binding(keyId: string, { table, column, organizationId, rowId }: Cell): Buffer {
  return Buffer.from(JSON.stringify([keyId, table, column, organizationId, String(rowId)]));
}
