import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../../access/caller';
import { NotFound } from '../../../common/errors/errors';
import type { FailureReason } from '../../sessions/funnel';
import { Clock } from '../../../common/time/clock';
import { AppCache, type KnownApp } from '../../apps/cache/app-cache';
import { LinkPasses } from '../../tracked-links/restrictions/link-passes';
import { forEndUser } from '../../sessions/end-user.dto';
import { LinkPasswordCheck } from './link-password-check';
import { ResolutionStats } from './resolution-stats';
import type { ResolvedCampaignResponse, ResolvedShortUrlResponse, ResolveQuery } from '../deep-link.dto';
import { toResolvedCampaign, toResolvedShortUrl } from '../deep-link';
import { LinkOpenings } from './link-openings';
import { isOver, OwnedLinks } from './owned-links';
import type { CachedTrackedLink } from '../../tracked-links/tracked-link-cache';

export interface ResolutionRequest {
  query: ResolveQuery;
  /** User agent of the request itself. */
  userAgent: string;
  password: string | null;
}

/**
 * Resolves the URL for which the operating system opened an app
 * (docs/concepts/deep-links.md#what-the-app-asks).
 */
@Injectable()
export class LinkResolutions {
  constructor(
    private readonly trackedLinks: OwnedLinks,
    private readonly apps: AppCache,
    private readonly passes: LinkPasses,
    private readonly passwords: LinkPasswordCheck,
    private readonly attempts: ResolutionStats,
    private readonly openings: LinkOpenings,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound if the link is missing, expired or at its click limit; errors of LinkPasswordCheck.check */
  async shortUrl(
    caller: AppCaller,
    { code, appPath = null }: { code: string; appPath?: string | null },
    asked: ResolutionRequest,
  ): Promise<ResolvedShortUrlResponse> {
    const found = await this.trackedLinks.link(caller, code, appPath);
    const { app, trackedLink, sessionId } = await this.resolve(caller, found, asked);
    return { ...toResolvedShortUrl(app, trackedLink), sessionId };
  }

  /** @throws as `shortUrl` */
  async campaign(
    caller: AppCaller,
    alias: string,
    customerId: string | null,
    asked: ResolutionRequest,
  ): Promise<ResolvedCampaignResponse> {
    const found = await this.trackedLinks.campaign(caller, alias);
    const { app, trackedLink, sessionId } = await this.resolve(caller, found, asked);
    return { ...toResolvedCampaign(app, trackedLink, customerId), sessionId };
  }

  private async resolve<T extends CachedTrackedLink>(
    relay: AppCaller,
    trackedLink: T | null,
    { query, userAgent: ofRequest, password }: ResolutionRequest,
  ): Promise<{ app: KnownApp; trackedLink: T; sessionId: string | null }> {
    const app = await this.apps.find(relay.appId);
    if (!app) throw new NotFound('App');
    const caller = forEndUser(relay, query);
    const failure = await this.failureOf(trackedLink);
    const { platform } = app;
    // A person whom the system sent to the app has it installed, whether or not the resolution succeeds.
    const returning = { platform, userAgent: query.userAgent || ofRequest };
    const { token, sessionId = null, isFirstLaunch = null, requestId = null } = query;
    if (!trackedLink || failure) {
      const named = trackedLink && { kind: trackedLink.kind, id: trackedLink.id };
      const attempt = {
        trackedLink: named,
        failure: failure ?? 'NOT_FOUND',
        returned: trackedLink && returning,
        requestId,
      };
      await this.openings.fail((tx) => this.attempts.record(tx, caller, attempt));
      throw new NotFound('Link or campaign');
    }
    const named = { kind: trackedLink.kind, id: trackedLink.id };
    const click = token ? await this.openings.clickOf(caller, named, token) : null;
    // With a token, the password has already been entered on the page.
    if (!click) await this.passwords.check(trackedLink, password, caller);
    const opening = { platform, trackedLink: named, goalType: trackedLink.goalType };
    const recorded = await this.openings.record(
      caller,
      { ...opening, click, sessionId, isFirstLaunch },
      (tx, { returned }) =>
        this.attempts.record(tx, caller, {
          trackedLink: named,
          failure: null,
          returned: returned ? returning : null,
          requestId,
        }),
    );
    return { app, trackedLink, sessionId: recorded.sessionId };
  }

  private async failureOf(trackedLink: CachedTrackedLink | null): Promise<FailureReason | null> {
    if (!trackedLink) return 'NOT_FOUND';
    if (isOver(trackedLink, this.clock.now())) return 'EXPIRED';
    return trackedLink.maxClicks === null || (await this.passes.anyLeft(trackedLink)) ? null : 'EXPIRED';
  }
}
