import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../../access/caller';
import { NotFound, ValidationFailed } from '../../../common/errors/errors';
import { forEndUser } from '../../sessions/end-user.dto';
import type { FailureReason } from '../../sessions/funnel';
import { AppCache, type KnownApp } from '../../apps/cache/app-cache';
import { type FirstStart, FirstStarts } from '../../attribution/first-starts';
import type { TrackedLinkRef } from '../../sessions/rollups/funnel-sums';
import { MatchedStarts } from '../../attribution/matched-starts';
import { UnexpiredTrackedLinks } from '../resolutions/unexpired-tracked-links';
import {
  type FingerprintMatchResponse,
  NO_MATCH,
  type ResolveFingerprintQuery,
  toFingerprintMatch,
} from './fingerprints.dto';
import { Database } from '../../../infrastructure/database/database';

/** Resolves the first start of an app to the click that led to its install. */
@Injectable()
export class FingerprintsService {
  constructor(
    private readonly apps: AppCache,
    private readonly trackedLinks: UnexpiredTrackedLinks,
    private readonly starts: FirstStarts,
    private readonly matches: MatchedStarts,
    private readonly database: Database,
  ) {}

  /** @throws NotFound if the app has just been deleted; ValidationFailed for a call of a server without ipAddress */
  async resolve(
    caller: Pick<AppCaller, 'organizationId' | 'appId' | 'key' | 'ip'>,
    { ipAddress, isFirstLaunch = null, ...device }: ResolveFingerprintQuery,
  ): Promise<FingerprintMatchResponse> {
    const { organizationId, appId, key } = caller;
    if (key === 'secret' && !ipAddress) {
      throw ValidationFailed.field('ipAddress', 'is required with the secret key');
    }
    const { ip } = forEndUser(caller, { ipAddress });
    const app = await this.apps.find(appId);
    if (!app) throw new NotFound('App');
    const platform = app.platform === 'Web' ? null : app.platform;
    const start: FirstStart = { organizationId, appId, key, platform, device, ip, isFirstLaunch };
    // A start that loses the race for a click retries, because that click is no longer open.
    for (;;) {
      const answer = await this.attempt(app, start);
      if (answer) return answer;
    }
  }

  /** @returns null if a concurrent start has taken the click */
  private async attempt(app: KnownApp, start: FirstStart): Promise<FingerprintMatchResponse | null> {
    const found = await this.starts.find(start);
    if ('reason' in found) return this.fail(start, found.reason, null);
    const { click, confidence } = found;
    const trackedLink = await this.trackedLinks.find(start.organizationId, click.trackedLink);
    if (!trackedLink) return this.fail(start, 'EXPIRED', click.trackedLink);
    const match = await this.database.write((tx) =>
      this.matches.match(tx, start, click, trackedLink.goalType),
    );
    return (
      match && toFingerprintMatch({ ...match, confidence, clicked: click.trackedLink, trackedLink, app })
    );
  }

  private async fail(
    start: FirstStart,
    reason: FailureReason,
    trackedLink: TrackedLinkRef | null,
  ): Promise<FingerprintMatchResponse> {
    await this.starts.fail(start, reason, trackedLink);
    return { ...NO_MATCH, reason };
  }
}
