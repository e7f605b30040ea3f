import { Injectable } from '@nestjs/common';
import { sha256 } from '../../common/crypto/sha256';
import { Clock } from '../../common/time/clock';
import { Database } from '../../infrastructure/database/database';
import { SignInRefused } from './sign-in-refused';

export const SIGN_IN_MS = 10 * 60_000;

export interface BegunSignIn {
  readonly codeVerifier: string;
  readonly nonce: string;
  /** Path to continue at. */
  readonly returnTo: string;
  /** Invitation to accept, which may have ended meanwhile. */
  readonly invitationId: number | null;
}

/** Sign-ins in progress: each can be finished once, by the browser that began it, in any process. */
@Injectable()
export class OidcSignIns {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async add(state: string, browser: string, begun: BegunSignIn): Promise<void> {
    const { codeVerifier, nonce, returnTo, invitationId } = begun;
    const expiresAt = new Date(this.clock.now() + SIGN_IN_MS);
    await this.database.execute(
      `INSERT INTO oidc_sign_ins (state_hash, browser_hash, code_verifier, nonce, return_to, invitation_id, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [sha256(state), sha256(browser), codeVerifier, nonce, returnTo, invitationId, expiresAt],
    );
  }

  /** Takes the sign-in; only one of several concurrent calls succeeds. @throws SignInRefused */
  async take(state: string | undefined, browser: string | undefined): Promise<BegunSignIn> {
    if (!state || !browser) throw new SignInRefused('OIDC_STATE_INVALID');
    const [begun] = await this.database.read<BegunSignIn>(
      `DELETE FROM oidc_sign_ins WHERE state_hash = $1 AND browser_hash = $2 AND expires_at > $3
       RETURNING code_verifier AS "codeVerifier", nonce, return_to AS "returnTo", invitation_id AS "invitationId"`,
      [sha256(state), sha256(browser), this.clock.date()],
    );
    if (!begun) throw new SignInRefused('OIDC_STATE_INVALID');
    return begun;
  }
}
