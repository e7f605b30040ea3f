import { randomBase62 } from '../../common/base62';
import { cut } from '../../common/sanitize-text';
import type { Tx } from '../../infrastructure/database/tx';
import { isUsernameFree } from '../users/users.errors';

const MAX_BASE = 90;
const SUFFIX = 8;

/** A user name for a person who has not chosen one: the e-mail address, with a suffix if the name is taken. */
export async function freeUsername(tx: Tx, email: string | null): Promise<string> {
  const base = cut(email ?? 'user', MAX_BASE);
  const isFree = email !== null && (await isUsernameFree(tx, base));
  return isFree ? base : `${base}-${randomBase62(SUFFIX)}`;
}
