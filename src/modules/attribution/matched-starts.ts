import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import { uuidV7 } from '../../common/uuid';
import { type OpenClick, OpenClicks } from './tokens/open-clicks';
import type { FirstStart } from './first-starts';
import { Reengagements } from './reengagements';
import { Countries, UNKNOWN } from '../clicks/visitor-facts';
import { isInstall } from '../sessions/app-start';
import { SessionWebhooks } from '../sessions/events/session-webhooks';
import type { SessionChange } from '../sessions/session-change';
import { reachByStart } from '../sessions/session-installs';
import { SessionStore } from '../sessions/session-store';
import type { Tx } from '../../infrastructure/database/database';

export interface MatchedStart {
  /** A new token for the click. */
  token: string;
  sessionId: string;
  /** Whether the start counts as an install; otherwise the app had been installed before. */
  installed: boolean;
}

/** Takes a click for a start and applies the consequences: session, install, webhook events. */
@Injectable()
export class MatchedStarts {
  constructor(
    private readonly openClicks: OpenClicks,
    private readonly sessions: SessionStore,
    private readonly events: SessionWebhooks,
    private readonly countries: Countries,
    private readonly reengagements: Reengagements,
    private readonly clock: Clock,
  ) {}

  /**
   * @param goalType goal type of the link or campaign
   * @returns null if a concurrent start has taken the click
   */
  async match(
    tx: Tx,
    start: FirstStart,
    click: OpenClick,
    goalType: string | null,
  ): Promise<MatchedStart | null> {
    const at = this.clock.date();
    const sessionId = click.sessionId ?? uuidV7(at.getTime());
    const { organizationId, appId } = start;
    const taken = await this.openClicks.take(tx, click, { organizationId, appId, sessionId, at });
    if (!taken) return null;
    // A click that de-duplication has filtered out has no session, so one is created.
    const change = taken.session
      ? this.sessions.change(taken.session)
      : await this.sessions.openOrBegin(
          tx,
          { ...start, appPlatform: start.platform ?? 'Web' },
          sessionId,
          null,
        );
    const { isFirstLaunch } = start;
    const installed = isInstall({ isFirstLaunch, isKnownBrowser: taken.isKnownBrowser }, true);
    change.continueIn(start);
    change.learn({ trackedLink: click.trackedLink, goalType, ...this.factsOf(start) });
    await this.goOn(tx, start, change, installed);
    return { token: taken.token, sessionId, installed };
  }

  /** Continues the click's session in the app. */
  private async goOn(tx: Tx, start: FirstStart, change: SessionChange, installed: boolean): Promise<void> {
    const { organizationId, appId, platform } = start;
    const stages = reachByStart(change, platform, installed);
    const { trackedLink } = change.session;
    const common = { organizationId, appId, trackedLink, at: change.at.getTime() };
    change.sums.addResolution({ ...common, platform, byFingerprint: true, failure: null });
    if (!installed) {
      const user = this.reengagements.userOf(start.ip, start.device.userAgent);
      const returned = { ...common, user, platform: platform ?? ('Other' as const), successful: true };
      change.sums.funnel.add(await this.reengagements.record(tx, returned));
    }
    await this.sessions.save(tx, change);
    await this.events.add(tx, change, { stages });
  }

  private factsOf({ platform, device, ip }: FirstStart) {
    const { resolution: screenResolution, language, deviceModel, osVersion } = device;
    const country = this.countries.of(ip);
    return {
      country: country === UNKNOWN ? null : country,
      deviceInfo: { os: platform, osVersion, deviceModel, language, screenResolution },
    };
  }
}
