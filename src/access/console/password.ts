import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';

import { Semaphore } from '../../common/semaphore';

/** Leaves one of libuv's four default threads to DNS and file access. */
const threads = new Semaphore(3);

interface HashCost {
  log2N: number;
  r: number;
  p: number;
}

/** One of the scrypt settings recommended by OWASP, with 16 MiB of memory. */
const COST: HashCost = { log2N: 14, r: 8, p: 5 };
const KEY_BYTES = 32;

/** Replaces the cost of new hashes, for tests. */
export const SCRYPT: { cost: HashCost | null } = { cost: null };

/** Verified against if the user does not exist, so that the response takes the same time. */
export const NOBODYS_HASH = formOf(COST, Buffer.alloc(16), Buffer.alloc(KEY_BYTES));

/** Format: `scrypt$<log2 N>$<r>$<p>$<salt>$<key>`, so that the cost can be raised later. */
export async function hashPassword(password: string, usual = COST): Promise<string> {
  const cost = SCRYPT.cost ?? usual;
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return formOf(cost, salt, key);
}

function formOf({ log2N, r, p }: HashCost, salt: Buffer, key: Buffer): string {
  return ['scrypt', log2N, r, p, salt.toString('base64'), key.toString('base64')].join('$');
}

export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, log2N, r, p, salt = '', key = ''] = hash.split('$');
  const expected = Buffer.from(key, 'base64');
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
  const actual = await derive(password, Buffer.from(salt, 'base64'), cost);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function derive(password: string, salt: Buffer, { log2N, r, p }: HashCost): Promise<Buffer> {
  const N = 2 ** log2N;
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  // Makes the password independent of how the keyboard composes characters.
  const text = password.normalize('NFKC');
  const derived = () =>
    new Promise<Buffer>((resolve, reject) => {
      scrypt(text, salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
    });
  return threads.run(derived);
}
