import { randomBytes } from 'node:crypto';
import { sha256 } from '../../common/crypto/sha256';
import type { Database } from '../../infrastructure/database/database';

const LIFETIME_MS = 24 * 3_600_000;

/** Finds the user by name, in an organization that is not deleted; `$4` restricts it to one organization. */
const ADD = `
  INSERT INTO sign_in_links (token_hash, user_id, expires_at)
  SELECT $1, u.id, $2 FROM users u JOIN organizations o ON o.id = u.organization_id AND o.deleted_at IS NULL
  WHERE lower(u.username) = lower($3) AND ($4::bigint IS NULL OR u.organization_id = $4)`;

export interface LinkedUser {
  readonly username: string;
  /** Any organization if omitted. */
  readonly organizationId?: number;
}

/**
 * Adds a sign-in link for a user; also used by CLI tools outside the Nest container.
 * @param now in milliseconds
 * @returns the URL, with the token in the fragment, which browsers do not send to servers; null if there is no such
 * user
 */
export async function addSignInLink(
  database: Database,
  baseUrl: string,
  { username, organizationId }: LinkedUser,
  now: number,
): Promise<string | null> {
  const token = `wp_sign_in_${randomBytes(32).toString('base64url')}`;
  const expiresAt = new Date(now + LIFETIME_MS);
  const added = await database.execute(ADD, [sha256(token), expiresAt, username, organizationId ?? null]);
  return added === 0 ? null : `${baseUrl}/console/sign-in#token=${token}`;
}
