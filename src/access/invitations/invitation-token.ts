import { randomBytes } from 'node:crypto';
import { sha256 } from '../../common/crypto/sha256';

/** A new token, and its hash for storage. */
export function makeInvitationToken(): { token: string; tokenHash: Buffer } {
  const token = `wp_invitation_${randomBytes(32).toString('base64url')}`;
  return { token, tokenHash: sha256(token) };
}
