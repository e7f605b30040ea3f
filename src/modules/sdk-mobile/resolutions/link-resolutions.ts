import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../../access/caller';
import { NotFound } from '../../../common/errors/errors';
import type { FailureReason } from '../../sessions/funnel';
import { Clock } from '../../../common/time/clock';
import { AppDirectory, type KnownApp } from '../../apps/cache/app-cache';
import type { CampaignTarget } from '../../campaigns/campaign-cache';
import type { LinkTarget } from '../../links/link-cache';
import { LinkPasses } from '../../links/access/link-passes';
import { forEndUser } from '../../sessions/end-user.dto';
import { AskedPasswords } from './link-password-check';
import { Attempts } from './resolution-stats';
import type {
  ResolvedCampaignResponse,
  ResolvedShortUrlResponse,
  ResolveQuery,
} from '../deep-links/deep-link.dto';
import { toResolvedCampaign, toResolvedShortUrl } from '../deep-links/deep-link';
import { LinkOpenings } from './link-openings';
import { isOver, OwnTargets } from './owned-links';

/** What an app says with its question. */
export interface AskedResolution {
  query: ResolveQuery;
  /** Of the request. */
  userAgent: string;
  password: string | null;
}

/** Tells apps that the system has opened for a link or campaign what to show (4-decisions §7). */
@Injectable()
export class TargetResolutions {
  constructor(
    private readonly targets: OwnTargets,
    private readonly apps: AppDirectory,
    private readonly passes: LinkPasses,
    private readonly passwords: AskedPasswords,
    private readonly attempts: Attempts,
    private readonly openings: LinkOpenings,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound when it is not there, has expired or is used up; what AskedPasswords throws */
  async shortUrl(
    caller: AppCaller,
    { code, appPath = null }: { code: string; appPath?: string | null },
    asked: AskedResolution,
  ): Promise<ResolvedShortUrlResponse> {
    const found = await this.targets.link(caller, code, appPath);
    const { app, target, sessionId } = await this.resolve(caller, found, asked);
    return { ...toResolvedShortUrl(app, target), sessionId };
  }

  /** @throws NotFound when it is not there or has expired */
  async campaign(
    caller: AppCaller,
    alias: string,
    customerId: string | null,
    asked: AskedResolution,
  ): Promise<ResolvedCampaignResponse> {
    const found = await this.targets.campaign(caller, alias);
    const { app, target, sessionId } = await this.resolve(caller, found, asked);
    return { ...toResolvedCampaign(app, target, customerId), sessionId };
  }

  private async resolve<T extends LinkTarget | CampaignTarget>(
    relay: AppCaller,
    target: T | null,
    { query, userAgent: ofRequest, password }: AskedResolution,
  ): Promise<{ app: KnownApp; target: T; sessionId: string | null }> {
    const app = await this.apps.find(relay.appId);
    if (!app) throw new NotFound('App');
    const caller = forEndUser(relay, query);
    const failure = await this.failureOf(target);
    const { platform } = app;
    // Whoever the system has led into the app has it, whether or not it can show what is wanted.
    const returning = { platform, userAgent: query.userAgent || ofRequest };
    if (!target || failure) {
      const named = target && { kind: target.kind, id: target.id };
      const attempt = { target: named, failure: failure ?? 'NOT_FOUND', returned: target && returning };
      await this.openings.fail((tx) => this.attempts.record(tx, caller, attempt));
      throw new NotFound('Link or campaign');
    }
    const { token, sessionId = null, isFirstLaunch = null } = query;
    const named = { kind: target.kind, id: target.id };
    const click = token ? await this.openings.clickOf(caller, named, token) : null;
    // The page has asked whoever has a token.
    if (target.kind === 'link' && !click) await this.passwords.check(target, password, caller);
    const opening = { platform, target: named, goalType: target.goalType };
    const recorded = await this.openings.record(
      caller,
      { ...opening, click, sessionId, isFirstLaunch },
      (tx, { returned }) =>
        this.attempts.record(tx, caller, {
          target: named,
          failure: null,
          returned: returned ? returning : null,
        }),
    );
    return { app, target, sessionId: recorded.sessionId };
  }

  private async failureOf(target: LinkTarget | CampaignTarget | null): Promise<FailureReason | null> {
    if (!target) return 'NOT_FOUND';
    if (isOver(target, this.clock.now())) return 'EXPIRED';
    const limited = target.kind === 'link' && target.maxClicks !== null;
    return !limited || (await this.passes.anyLeft(target)) ? null : 'EXPIRED';
  }
}
