import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import type { Tx } from '../../infrastructure/database/transactions';
import { JourneyEvents } from './journey-events';
import { hasReached } from './session';
import { type OwnApp, SessionStore } from './session-store';
import type { TokenClick } from './token-clicks';

/** Takes a click for the app that brings the token of its page (4-decisions §7). */
@Injectable()
export class TokenMatches {
  constructor(
    private readonly sessions: SessionStore,
    private readonly events: JourneyEvents,
    private readonly clock: Clock,
  ) {}

  /**
   * The session of the click goes on in the app. The token goes on working; but no other device is taken for the one
   * that clicked any more.
   * @returns whether the app had been there before the click, and was only opened by it
   */
  async match(tx: Tx, { organizationId, appId }: OwnApp, click: TokenClick): Promise<{ returned: boolean }> {
    const { key, sessionId, visitedStore } = click;
    const { issuedAt, hash } = key;
    const at = this.clock.date();
    await tx.query(MATCHED, [new Date(issuedAt), Buffer.from(hash, 'base64url'), at]);
    const change = sessionId && (await this.sessions.openAny(tx.manager, organizationId, sessionId));
    if (!change) return { returned: !visitedStore };
    const returned = !visitedStore && !hasReached(change.stored, 'APP_INSTALLED');
    change.set({ appId });
    const stage = 'DEEP_LINK_RESOLVED' as const;
    const stages = change.reach(stage) ? [{ stage, occurredAt: change.at }] : [];
    await this.sessions.save(tx.manager, change);
    await this.events.add(tx, change, { stages });
    return { returned };
  }
}

const MATCHED = `
  UPDATE deep_link_tokens SET matched_at = $3 WHERE issued_at = $1 AND token_hash = $2 AND matched_at IS NULL`;
