import { Injectable } from '@nestjs/common';
import type { AppKeyKind } from '../../access/caller';
import type { FailureReason } from '../sessions/funnel';
import { Clock } from '../../common/time/clock';
import { FINGERPRINT_MS } from './tokens/deep-link-tokens.service';
import { deviceOf, type DeviceReport } from './fingerprints/device';
import { chooseClick } from './fingerprints/fingerprint-choice';
import type { TrackedLinkRef } from '../sessions/rollups/funnel-sums';
import { SessionRollups } from '../sessions/rollups/session-rollups';
import { SessionDeltas } from '../sessions/rollups/session-deltas';
import { type OpenClick, OpenClicks } from './tokens/open-clicks';

/** An app start without a token, to be matched with a click. */
export interface FirstStart {
  organizationId: number;
  appId: number;
  key: AppKeyKind;
  /** Null for a web app. */
  platform: 'iOS' | 'Android' | null;
  device: DeviceReport;
  /** Normalized by `normalizeIp`. */
  ip: string;
  /** As reported by the app; null for apps that only call on first starts. */
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

  /**
   * Finds the only open click that can have led to the start. A concurrent start may take it first, which MatchedStarts
   * detects.
   */
  async find(start: FirstStart): Promise<Found> {
    const { clicks, complete } = await this.openClicks.at(start.ip, start);
    const since = this.clock.now() - FINGERPRINT_MS;
    const fresh = clicks.filter(({ clickedAt }) => clickedAt > since);
    // Expired clicks that have not been deleted yet explain a missing match.
    if (fresh.length === 0) return { reason: clicks.length > 0 ? 'EXPIRED' : 'NO_CANDIDATE' };
    const choice = chooseClick(fresh, deviceOf({ ...start.device, platform: start.platform }));
    if ('reason' in choice) return choice;
    if (!complete) return { reason: 'AMBIGUOUS' };
    return { click: choice.candidate, confidence: choice.confidence };
  }

  /** Records that there was no match. @param trackedLink the clicked link or campaign, if known */
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
