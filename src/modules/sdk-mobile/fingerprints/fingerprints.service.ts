import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../../access/caller';
import { normalizeIp } from '../../../access/client-ip';
import { NotFound } from '../../../common/errors/errors';
import type { FailureReason } from '../../sessions/funnel';
import { Transactions } from '../../../infrastructure/database/transactions';
import { AppDirectory, type KnownApp } from '../../apps/cache/app-cache';
import { type FirstStart, FirstStarts } from '../../attribution/first-starts';
import type { FunnelTarget } from '../../sessions/rollups/funnel-sums';
import { MatchedStarts } from '../../attribution/matched-starts';
import { ClickedTargets } from '../resolutions/clicked-links';
import {
  type FingerprintMatchResponse,
  type ResolveFingerprintQuery,
  toFingerprintMatch,
  toNoMatch,
} from './fingerprints.dto';

/** Leads the first start of an app to what was clicked to get it. */
@Injectable()
export class FingerprintsService {
  constructor(
    private readonly apps: AppDirectory,
    private readonly targets: ClickedTargets,
    private readonly starts: FirstStarts,
    private readonly matches: MatchedStarts,
    private readonly tx: Transactions,
  ) {}

  /** @throws NotFound when the app has just been deleted */
  async resolve(
    { organizationId, appId }: Pick<AppCaller, 'organizationId' | 'appId'>,
    { ipAddress, isFirstLaunch = null, ...device }: ResolveFingerprintQuery,
  ): Promise<FingerprintMatchResponse> {
    const app = await this.apps.find(appId);
    if (!app) throw new NotFound('App');
    const platform = app.platform === 'Web' ? null : app.platform;
    const ip = normalizeIp(ipAddress);
    const start: FirstStart = { organizationId, appId, platform, device, ip, isFirstLaunch };
    // Whoever is late looks again: one click less is open then.
    for (;;) {
      const answer = await this.attempt(app, start);
      if (answer) return answer;
    }
  }

  /** @returns null when another start has taken the click meanwhile */
  private async attempt(app: KnownApp, start: FirstStart): Promise<FingerprintMatchResponse | null> {
    const found = await this.starts.find(start);
    if ('reason' in found) return this.fail(start, found.reason, null);
    const { click, confidence } = found;
    const target = await this.targets.find(start.organizationId, click.target);
    if (!target) return this.fail(start, 'EXPIRED', click.target);
    const match = await this.tx.run((tx) => this.matches.match(tx, start, click, target.goalType));
    return match && toFingerprintMatch({ ...match, confidence, clicked: click.target, target, app });
  }

  private async fail(
    start: FirstStart,
    reason: FailureReason,
    target: FunnelTarget | null,
  ): Promise<FingerprintMatchResponse> {
    await this.starts.fail(start, reason, target);
    return toNoMatch(reason);
  }
}
