import { Injectable } from '@nestjs/common';
import type { FailureReason } from '../sessions/funnel';
import { Clock } from '../../common/time/clock';
import { FINGERPRINT_MS } from './tokens/deep-link-tokens.service';
import { deviceOf, type DeviceReport } from './fingerprints/device';
import { chooseClick } from './fingerprints/fingerprint-choice';
import type { TrackedLinkRef } from '../sessions/rollups/funnel-sums';
import { SessionRollups } from '../sessions/rollups/session-rollups';
import { SessionDeltas } from '../sessions/rollups/session-deltas';
import { type OpenClick, OpenClicks } from './fingerprints/open-clicks';

/** A start of an app without a token, which asks what click led to it. */
export interface FirstStart {
  organizationId: number;
  appId: number;
  /** null for a web app. */
  platform: 'iOS' | 'Android' | null;
  device: DeviceReport;
  /** As `normalizeIp` writes it. */
  ip: string;
  /** What the app says; null: nothing, and it asks at first starts alone. */
  isFirstLaunch: boolean | null;
}

export type Found = { click: OpenClick; confidence: number } | { reason: FailureReason };

/** Finds the clicks that led to apps' first starts (docs/concepts/deep-links.md#matching-a-first-start). */
@Injectable()
export class FirstStarts {
  constructor(
    private readonly openClicks: OpenClicks,
    private readonly rollups: SessionRollups,
    private readonly clock: Clock,
  ) {}

  /** The one open click that led to it. It may be somebody else's a moment later: MatchedStarts makes sure. */
  async find(start: FirstStart): Promise<Found> {
    const { clicks, complete } = await this.openClicks.at(start.ip, start);
    const since = this.clock.now() - FINGERPRINT_MS;
    const fresh = clicks.filter(({ clickedAt }) => clickedAt > since);
    // Until they are deleted, old ones say why there is no match; there are none after that.
    if (fresh.length === 0) return { reason: clicks.length > 0 ? 'EXPIRED' : 'NO_CANDIDATE' };
    const choice = chooseClick(fresh, deviceOf({ ...start.device, platform: start.platform }));
    if ('reason' in choice) return choice;
    if (!complete) return { reason: 'AMBIGUOUS' };
    return { click: choice.candidate, confidence: choice.confidence };
  }

  /** Records that there was no match. @param tracked link what was clicked, where that is known */
  async fail(
    { organizationId, appId, platform }: FirstStart,
    failure: FailureReason,
    trackedLink: TrackedLinkRef | null = null,
  ): Promise<void> {
    const sums = new SessionDeltas();
    const common = { organizationId, appId, platform, at: this.clock.now() };
    sums.addResolution({ ...common, trackedLink, byFingerprint: true, failure });
    await this.rollups.writeAlone(sums);
  }
}
