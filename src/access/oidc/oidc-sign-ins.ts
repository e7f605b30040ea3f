import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Clock } from '../../common/time/clock';
import { Database } from '../../infrastructure/database/database';
import { OidcSignIn } from './oidc-sign-in.entity';
import { SignInRefused } from './sign-in-refused';

/** How long a sign-in at the provider may take. */
export const SIGN_IN_MS = 10 * 60_000;

/** What the callback needs to finish a sign-in. */
export type BegunSignIn = Pick<OidcSignIn, 'codeVerifier' | 'nonce' | 'returnTo' | 'invitationId'>;

/** Sign-ins in progress: each can be finished once, by the browser that began it, in any process. */
@Injectable()
export class OidcSignIns {
  constructor(
    @InjectRepository(OidcSignIn) private readonly signIns: Repository<OidcSignIn>,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async add(state: string, browser: string, begun: BegunSignIn): Promise<void> {
    const expiresAt = new Date(this.clock.now() + SIGN_IN_MS);
    await this.signIns.insert({ ...begun, stateHash: hash(state), browserHash: hash(browser), expiresAt });
  }

  /** Takes the sign-in; only one of several concurrent calls succeeds. @throws SignInRefused */
  async take(state: string | undefined, browser: string | undefined): Promise<BegunSignIn> {
    if (!state || !browser) throw new SignInRefused('OIDC_STATE_INVALID');
    const [begun] = await this.database.read<BegunSignIn>(
      `DELETE FROM oidc_sign_ins WHERE state_hash = $1 AND browser_hash = $2 AND expires_at > $3
       RETURNING code_verifier AS "codeVerifier", nonce, return_to AS "returnTo", invitation_id AS "invitationId"`,
      [hash(state), hash(browser), this.clock.date()],
    );
    if (!begun) throw new SignInRefused('OIDC_STATE_INVALID');
    return begun;
  }
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
