import { createHash, randomBytes } from 'node:crypto';

/** A new token, and its hash for storage. */
export function makeInvitationToken(): { token: string; tokenHash: Buffer } {
  const token = `wp_invitation_${randomBytes(32).toString('base64url')}`;
  return { token, tokenHash: hashInvitationToken(token) };
}

export function hashInvitationToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
