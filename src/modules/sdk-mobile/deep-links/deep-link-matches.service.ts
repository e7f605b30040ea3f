import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../../access/caller';
import { NotFound } from '../../../common/errors/errors';
import type { TrackedLinkEntity } from '../../tracked-links/tracked-link.entity';
import { AppCache, type KnownApp } from '../../apps/cache/app-cache';
import { AppPageTokens } from '../../attribution/tokens/app-page-tokens';
import { forEndUser } from '../../sessions/end-user.dto';
import { type TokenClick, TokenClicks } from '../../attribution/tokens/token-clicks';
import { TokenMatches } from '../../attribution/tokens/token-matches';
import { type Attempt, ResolutionStats } from '../resolutions/resolution-stats';
import { UnexpiredTrackedLinks } from '../resolutions/unexpired-tracked-links';
import { deepLinkOf } from '../deep-link';
import type { DeepLinkMatchResponse, MatchQuery } from '../deep-link.dto';
import { Database, type Tx } from '../../../infrastructure/database/database';

interface MatchedStart {
  app: KnownApp;
  isFirstLaunch: boolean | null;
  requestId: string | null;
  goalType: string | null;
  userAgent: string;
}

/** Resolves the token of the page that opened an app to the link or campaign that was clicked. */
@Injectable()
export class DeepLinkMatches {
  constructor(
    private readonly apps: AppCache,
    private readonly tokens: AppPageTokens,
    private readonly clicks: TokenClicks,
    private readonly trackedLinks: UnexpiredTrackedLinks,
    private readonly matches: TokenMatches,
    private readonly attempts: ResolutionStats,
    private readonly database: Database,
  ) {}

  /** @throws NotFound if the token is unknown, expired or for another app, or the link or campaign is no longer open */
  async match(relay: AppCaller, query: MatchQuery, ofRequest: string): Promise<DeepLinkMatchResponse> {
    const { token } = query;
    const caller = forEndUser(relay, query);
    const app = await this.apps.find(caller.appId);
    if (!app) throw new NotFound('App');
    const found = await this.clicks.find(caller.organizationId, token);
    const click = found?.appIds.includes(app.id) ? found : null;
    const trackedLink = click && (await this.trackedLinks.find(caller.organizationId, click.trackedLink));
    const { isFirstLaunch = null, requestId = null } = query;
    if (!trackedLink) {
      const failure = click || this.tokens.isExpired(token) ? 'EXPIRED' : 'NOT_FOUND';
      const attempt = {
        trackedLink: click?.trackedLink ?? null,
        failure,
        returned: null,
        requestId,
      } as const;
      await this.database.write((tx) => this.attempts.record(tx, caller, attempt));
      throw new NotFound('Token');
    }
    const userAgent = query.userAgent || ofRequest;
    const start = { app, isFirstLaunch, requestId, goalType: trackedLink.goalType, userAgent };
    const sessionId = await this.database.write((tx) => this.take(tx, caller, click, start));
    return toMatch(app, { ...click, sessionId }, trackedLink);
  }

  private async take(
    tx: Tx,
    caller: AppCaller,
    click: TokenClick,
    { app, isFirstLaunch, requestId, goalType, userAgent }: MatchedStart,
  ): Promise<string | null> {
    const platform = app.platform === 'Web' ? null : app.platform;
    const start = { platform, isFirstLaunch, goalType };
    const { sessionId, returned } = await this.matches.match(tx, caller, click, start);
    const attempt: Attempt = {
      trackedLink: click.trackedLink,
      failure: null,
      returned: returned ? { platform: app.platform, userAgent } : null,
      requestId,
    };
    await this.attempts.record(tx, caller, attempt);
    return sessionId;
  }
}

function toMatch(
  app: KnownApp,
  { trackedLink: { kind, id }, sessionId }: TokenClick,
  trackedLink: TrackedLinkEntity,
): DeepLinkMatchResponse {
  return {
    ...deepLinkOf(app, trackedLink, kind === 'link' ? id : null),
    shorturl: trackedLink.code,
    campaignId: kind === 'campaign' ? id : null,
    sessionId,
  };
}
