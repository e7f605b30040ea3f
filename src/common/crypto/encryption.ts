import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { EncryptionKey } from '../../config/encryption-keys';

/** The one cell that an encrypted value belongs to: copied into any other, it can't be read. */
export interface Cell {
  readonly table: string;
  readonly column: string;
  readonly organizationId: number;
  /** Id of the row. */
  readonly rowId: number | string;
}

/** A stored value that no key of ours opens: of another cell, damaged, or of a key that is not at hand. */
export class Undecipherable extends Error {}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const OPTIONS = { authTagLength: TAG_BYTES };

/**
 * Encryption at rest: AES-256-GCM under versioned keys. A value is `<key id>.<base64url of nonce, ciphertext, tag>`.
 * The first key encrypts; the others read what was encrypted before it came. Nonces are random, which is sound for
 * 2^32 values a key.
 */
export class Encryption {
  /** Id of the key that encrypts; values under any other are of a key that it has followed. */
  readonly activeKeyId: string;
  private readonly activeKey: KeyObject;
  private readonly keys: ReadonlyMap<string, KeyObject>;

  constructor(keys: readonly EncryptionKey[]) {
    const [active] = keys;
    if (!active) throw new Error('There is no key to encrypt with');
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
      throw new Undecipherable(`${nameOf(cell)} is encrypted with key "${id}", which ENCRYPTION_KEYS lacks`);
    }
    const sealed = Buffer.from(value.slice(id.length + 1), 'base64url');
    try {
      const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), OPTIONS);
      decipher.setAAD(binding(id, cell));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
      // Checks the tag; GCM is a stream, which leaves nothing to the end.
      decipher.final();
      return text.toString('utf8');
    } catch {
      throw new Undecipherable(`${nameOf(cell)} can't be opened with key "${id}"`);
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

/** Additional data of the cipher: JSON, so that no two cells have the same. */
function binding(keyId: string, { table, column, organizationId, rowId }: Cell): Buffer {
  return Buffer.from(JSON.stringify([keyId, table, column, organizationId, String(rowId)]));
}
