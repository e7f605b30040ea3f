import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../access/caller';
import { NotFound } from '../../common/errors/errors';
import type { FailureReason } from '../../common/funnel';
import { Clock } from '../../common/time/clock';
import { Transactions } from '../../infrastructure/database/transactions';
import { AppDirectory, type KnownApp } from '../apps/app-directory';
import type { CampaignTarget } from '../campaigns/campaign-directory';
import type { LinkTarget } from '../links/link-directory';
import { LinkPasses } from '../links/link-passes';
import { Attempts } from './attempts';
import type { ResolvedCampaignResponse, ResolvedShortUrlResponse } from './deep-link.dto';
import { toResolvedCampaign, toResolvedShortUrl } from './deep-link';
import { isOver, OwnTargets } from './own-targets';

/** Tells apps that the system has opened for a link or campaign what to show (4-decisions §7). */
@Injectable()
export class TargetResolutions {
  constructor(
    private readonly targets: OwnTargets,
    private readonly apps: AppDirectory,
    private readonly passes: LinkPasses,
    private readonly attempts: Attempts,
    private readonly tx: Transactions,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound when it is not there, has expired or is used up */
  async shortUrl(
    caller: AppCaller,
    { code, appPath = null }: { code: string; appPath?: string | null },
    userAgent: string,
  ): Promise<ResolvedShortUrlResponse> {
    const found = await this.targets.link(caller, code, appPath);
    const { app, target } = await this.resolve(caller, found, userAgent);
    return toResolvedShortUrl(app, target);
  }

  /** @throws NotFound when it is not there or has expired */
  async campaign(
    caller: AppCaller,
    alias: string,
    customerId: string | null,
    userAgent: string,
  ): Promise<ResolvedCampaignResponse> {
    const found = await this.targets.campaign(caller, alias);
    const { app, target } = await this.resolve(caller, found, userAgent);
    return toResolvedCampaign(app, target, customerId);
  }

  private async resolve<T extends LinkTarget | CampaignTarget>(
    caller: AppCaller,
    target: T | null,
    userAgent: string,
  ): Promise<{ app: KnownApp; target: T }> {
    const app = await this.apps.find(caller.appId);
    if (!app) throw new NotFound('App');
    const failure = await this.failureOf(target);
    // Whoever the system has led into the app has it: he comes back, whether or not it can show him what he wants.
    const returned = target && { platform: app.platform, userAgent };
    await this.tx.run((tx) =>
      this.attempts.record(tx, caller, {
        target: target && { kind: target.kind, id: target.id },
        failure,
        returned,
      }),
    );
    if (!target || failure) throw new NotFound('Link or campaign');
    return { app, target };
  }

  private async failureOf(target: LinkTarget | CampaignTarget | null): Promise<FailureReason | null> {
    if (!target) return 'NOT_FOUND';
    if (isOver(target, this.clock.now())) return 'EXPIRED';
    const limited = target.kind === 'link' && target.maxClicks !== null;
    return !limited || (await this.passes.anyLeft(target)) ? null : 'EXPIRED';
  }
}
