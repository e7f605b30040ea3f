import { Injectable } from '@nestjs/common';
import type { Stage } from '../../common/funnel';
import { Clock } from '../../common/time/clock';
import { uuidV7 } from '../../common/uuid';
import { Transactions, type Tx } from '../../infrastructure/database/transactions';
import { Countries } from '../clicks/countries';
import { UNKNOWN } from '../clicks/visit';
import type { FirstStart } from './first-starts';
import type { FunnelTarget } from './funnel-sums';
import { JourneyEvents } from './journey-events';
import { type OpenClick, OpenClicks } from './open-clicks';
import type { SessionChange } from './session-change';
import { SessionStore } from './session-store';

/** A click that was matched with the first start of an app. */
export interface MatchedStart {
  /** A further token of the click. */
  token: string;
  sessionId: string;
}

/** What a first start that was led by a click shows of itself: a web app is not installed. */
const REACHED: readonly Stage[] = ['APP_INSTALLED', 'APP_OPENED', 'DEEP_LINK_RESOLVED'];
const REACHED_BY_WEB_APP: readonly Stage[] = ['DEEP_LINK_RESOLVED'];

/** Takes a click for a first start, once, with all that follows from it. */
@Injectable()
export class MatchedStarts {
  constructor(
    private readonly openClicks: OpenClicks,
    private readonly sessions: SessionStore,
    private readonly events: JourneyEvents,
    private readonly countries: Countries,
    private readonly tx: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * @param goalType that of what was clicked
   * @returns null when the click has been taken meanwhile
   */
  match(start: FirstStart, click: OpenClick, goalType: string | null): Promise<MatchedStart | null> {
    return this.tx.run(async (tx) => {
      const at = this.clock.date();
      const sessionId = click.sessionId ?? uuidV7(at.getTime());
      const taken = await this.openClicks.take(tx.manager, click, { sessionId, at });
      if (!taken) return null;
      // A click that de-duplication refused has none: it begins here.
      const change = taken.session
        ? await this.sessions.change(tx.manager, taken.session)
        : await this.sessions.openOrBegin(tx.manager, start, sessionId, null);
      await this.goOn(tx, start, click.target, change, goalType);
      return { token: taken.token, sessionId };
    });
  }

  /** The session of the click goes on in the app. */
  private async goOn(
    tx: Tx,
    start: FirstStart,
    target: FunnelTarget,
    change: SessionChange,
    goalType: string | null,
  ): Promise<void> {
    const { organizationId, appId, platform, device } = start;
    const { resolution: screenResolution, language, deviceModel, osVersion } = device;
    const deviceInfo = { os: platform, osVersion, deviceModel, language, screenResolution };
    change.set({ appId });
    change.learn({ target, goalType, country: this.countryOf(start.ip), deviceInfo });
    const stages = (platform ? REACHED : REACHED_BY_WEB_APP).filter((stage) => change.reach(stage));
    if (stages.includes('APP_INSTALLED')) this.install(start, change);
    const resolution = { organizationId, appId, target, at: change.at.getTime() };
    change.sums.addResolution({ ...resolution, byFingerprint: true, failure: null });
    await this.sessions.save(tx.manager, change);
    await this.events.add(tx, change, {
      stages: stages.map((stage) => ({ stage, occurredAt: change.at })),
    });
  }

  private install({ organizationId, appId, platform, device, ip }: FirstStart, change: SessionChange): void {
    if (platform === null) return;
    const { id: sessionId, target } = change.session;
    change.sums.addInstall({
      ...{ organizationId, appId, target, sessionId, platform },
      country: this.countryOf(ip),
      osVersion: device.osVersion ?? null,
      deviceModel: device.deviceModel ?? null,
      at: change.at.getTime(),
    });
  }

  private countryOf(ip: string): string | null {
    const country = this.countries.of(ip);
    return country === UNKNOWN ? null : country;
  }
}
