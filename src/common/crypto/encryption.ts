import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
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

/**
 * Encryption at rest: AES-256-GCM under versioned keys. A value is `<key id>.<base64url of nonce, ciphertext, tag>`.
 * The first key encrypts; the others read what was encrypted before it came. Nonces are random, which is sound for
 * 2^32 values a key.
 */
export class Encryption {
  private readonly active: EncryptionKey;
  private readonly keys: ReadonlyMap<string, Uint8Array>;

  constructor(keys: readonly EncryptionKey[]) {
    const [active] = keys;
    if (!active) throw new Error('There is no key to encrypt with');
    this.active = active;
    this.keys = new Map(keys.map(({ id, key }) => [id, key]));
  }

  encrypt(text: string, cell: Cell): string {
    const { id, key } = this.active;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(binding(id, cell));
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${id}.${sealed.toString('base64url')}`;
  }

  /** @throws Undecipherable */
  decrypt(value: string, cell: Cell): string {
    const id = keyIdOf(value);
    const key = this.keys.get(id);
    const where = `${cell.table}.${cell.column} of row ${cell.rowId}`;
    if (!key) throw new Undecipherable(`${where} is encrypted with key "${id}", which ENCRYPTION_KEYS lacks`);
    const sealed = Buffer.from(value.slice(id.length + 1), 'base64url');
    try {
      const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(binding(id, cell));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      throw new Undecipherable(`${where} can't be opened with key "${id}"`);
    }
  }

  /** Id of the key that encrypts; values under any other are of a key that it has followed. */
  get activeKeyId(): string {
    return this.active.id;
  }

  has(keyId: string): boolean {
    return this.keys.has(keyId);
  }
}

function keyIdOf(value: string): string {
  const dot = value.indexOf('.');
  return dot === -1 ? '' : value.slice(0, dot);
}

/** Additional data of the cipher: JSON, so that no two cells have the same. */
function binding(keyId: string, { table, column, organizationId, rowId }: Cell): Buffer {
  return Buffer.from(JSON.stringify([keyId, table, column, organizationId, String(rowId)]));
}
