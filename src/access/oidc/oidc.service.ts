import { Injectable } from '@nestjs/common';
import { RateLimited } from '../access.errors';
import { networkOf } from '../client-ip';
import type { Client } from '../console/client';
import { ConsoleSessions, type OpenedSession } from '../console/console-sessions';
import { OpenInvitations } from '../invitations/open-invitations';
import { RateLimitStorage } from '../rate-limits/rate-limit-storage';
import { IdentifiedUsers } from './identified-users';
import { IdentityProvider } from './identity-provider';
import type { StartOidcQuery } from './oidc.dto';
import { OidcSignIns } from './oidc-sign-ins';

/** Sign-ins that a network may begin per minute; each is stored. */
const MAX_STARTS = 120;
const MINUTE_MS = 60_000;

@Injectable()
export class OidcService {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly signIns: OidcSignIns,
    private readonly users: IdentifiedUsers,
    private readonly invitations: OpenInvitations,
    private readonly sessions: ConsoleSessions,
    private readonly limits: RateLimitStorage,
  ) {}

  /**
   * @param browser value of the browser cookie
   * @returns the provider's URL to redirect to
   * @throws SignInRefused, INVITATION_NOT_FOUND, RateLimited
   */
  async start({ returnTo, invitation }: StartOidcQuery, browser: string, ip: string): Promise<string> {
    const network = networkOf(ip);
    const { isBlocked, timeToExpire } = await this.limits.increment(
      network,
      MINUTE_MS,
      MAX_STARTS,
      0,
      'oidc',
    );
    if (isBlocked) throw new RateLimited(timeToExpire);
    const invitationId = invitation ? (await this.invitations.find(invitation, ip)).id : null;
    const { url, state, ...checks } = await this.provider.authorizationRequest();
    await this.signIns.add(state, browser, { ...checks, returnTo, invitationId });
    return url.href;
  }

  /**
   * @param query of the callback
   * @throws SignInRefused, INVITATION_NOT_FOUND, AlreadyExists
   */
  async finish(
    query: URLSearchParams,
    browser: string | undefined,
    from: Client,
  ): Promise<{ session: OpenedSession; returnTo: string }> {
    const begun = await this.signIns.take(query.get('state') ?? undefined, browser);
    const identity = await this.provider.identify(query, begun);
    const userId = await this.users.find(identity, begun.invitationId, from.ip);
    return { session: await this.sessions.open(userId, 'OIDC', from), returnTo: begun.returnTo };
  }
}
