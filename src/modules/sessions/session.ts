import type { SessionPlatform } from './funnel';
import { FUNNEL_TERM, STAGES, type Stage } from './funnel';
import type { TrackedLinkRef } from './rollups/funnel-sums';

/** What clients tell of a device (docs/concepts/sessions.md#life-of-a-session); each is a text. */
export const DEVICE_FIELDS = [
  'platform',
  'os',
  'osVersion',
  'browser',
  'browserVersion',
  'deviceType',
  'deviceModel',
  'language',
  'screenResolution',
  'userAgent',
  'appVersion',
  'sdkVersion',
] as const;
/** Characters that are kept of each. */
export const MAX_DEVICE_TEXT = 200;
export type DeviceInfo = Partial<Record<(typeof DEVICE_FIELDS)[number], string | null>>;

/** One person's way from a click, or from the first opening of an app or page, to a goal. */
export interface Session {
  organizationId: number;
  id: string;
  appId: number | null;
  /** The link or campaign that led there. */
  trackedLink: TrackedLinkRef | null;
  /** The one that it goes on with, and the one that it began on. */
  platform: SessionPlatform;
  firstPlatform: SessionPlatform;
  externalUserId: string | null;
  /** Type of the goals that do not name one: that of the tracked link when it was registered. */
  goalType: string | null;
  deviceInfo: DeviceInfo | null;
  utmSource: string | null;
  utmMedium: string | null;
  utmTerm: string | null;
  utmContent: string | null;
  referrer: string | null;
  landingUrl: string | null;
  /** ISO 3166-1 alpha-2; null when unknown. */
  country: string | null;
  /** The customer that a campaign's click named. */
  customId: string | null;
  clientTimestamp: Date | null;
  clientTimezone: string | null;
  startedAt: Date;
  /**
   * The organization's day on which it began, `YYYY-MM-DD`; null for one of an older version, which is in no rollup.
   */
  day: string | null;
  lastActivityAt: Date;
  /** Bit n: it has reached stage n + 1 of docs/concepts/sessions.md#stages. */
  stages: number;
  purchased: boolean;
  /** How many events were recorded in it. */
  events: number;
}

/** A session that knows nothing but where and when it began. */
export function newSession(
  given: Pick<Session, 'organizationId' | 'id' | 'appId' | 'platform' | 'startedAt' | 'day'> &
    Partial<Session>,
): Session {
  return {
    trackedLink: null,
    firstPlatform: given.platform,
    externalUserId: null,
    goalType: null,
    deviceInfo: null,
    utmSource: null,
    utmMedium: null,
    utmTerm: null,
    utmContent: null,
    referrer: null,
    landingUrl: null,
    country: null,
    customId: null,
    clientTimestamp: null,
    clientTimezone: null,
    lastActivityAt: given.startedAt,
    stages: 0,
    purchased: false,
    events: 0,
    ...given,
  };
}

export function bitOf(stage: Stage): number {
  return 1 << (FUNNEL_TERM.stage(stage) - 1);
}

export function hasReached({ stages }: Pick<Session, 'stages'>, stage: Stage): boolean {
  return (stages & bitOf(stage)) !== 0;
}

/** In the order of the funnel. */
export function stagesOf(session: Pick<Session, 'stages'>): Stage[] {
  return STAGES.map(([stage]) => stage).filter((stage) => hasReached(session, stage));
}
