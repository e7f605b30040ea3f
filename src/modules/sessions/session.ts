import type { SessionPlatform } from './funnel';
import { FUNNEL_TERM, STAGES, type Stage } from './funnel';
import type { TrackedLinkRef } from './rollups/funnel-sums';

/** Device fields that clients may report (docs/concepts/sessions.md#life-of-a-session). */
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
/** Maximum length in characters of a stored device field. */
export const MAX_DEVICE_TEXT = 200;
export type DeviceInfo = Partial<Record<(typeof DEVICE_FIELDS)[number], string | null>>;

/** A user's path from a click, or from the first opening of an app or page, to a goal. */
export interface Session {
  organizationId: number;
  id: string;
  appId: number | null;
  trackedLink: TrackedLinkRef | null;
  /** The current platform. `firstPlatform` is the one on which the session started. */
  platform: SessionPlatform;
  firstPlatform: SessionPlatform;
  externalUserId: string | null;
  /** Default type of goals: the goal type that the tracked link had when it was registered. */
  goalType: string | null;
  deviceInfo: DeviceInfo | null;
  utmSource: string | null;
  utmMedium: string | null;
  utmTerm: string | null;
  utmContent: string | null;
  referrer: string | null;
  landingUrl: string | null;
  /** ISO 3166-1 alpha-2; null if unknown. */
  country: string | null;
  /** The customId of a campaign click. */
  customId: string | null;
  clickId: number | null;
  clientTimestamp: Date | null;
  clientTimezone: string | null;
  startedAt: Date;
  /** Day of the start in the organization's time zone, `YYYY-MM-DD`. */
  day: string;
  lastActivityAt: Date;
  /** Bit n is set if the session has reached stage n + 1 of docs/concepts/sessions.md#stages. */
  stages: number;
  /** Time of stage n + 1 at index n; null or absent if it has not been reached. */
  stageTimes: readonly (Date | null)[];
  purchased: boolean;
  events: number;
  /** Whether the publishable key of the app began it, and may read it. */
  publishable: boolean;
}

export function newSession(
  fields: Pick<Session, 'organizationId' | 'id' | 'appId' | 'platform' | 'startedAt' | 'day'> &
    Partial<Session>,
): Session {
  return {
    trackedLink: null,
    firstPlatform: fields.platform,
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
    clickId: null,
    clientTimestamp: null,
    clientTimezone: null,
    lastActivityAt: fields.startedAt,
    stages: 0,
    stageTimes: [],
    purchased: false,
    events: 0,
    publishable: false,
    ...fields,
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

export function withStage(
  { stages, stageTimes }: Pick<Session, 'stages' | 'stageTimes'>,
  stage: Stage,
  at: Date,
): Pick<Session, 'stages' | 'stageTimes'> {
  const times = STAGES.map(([code], i) => (code === stage ? at : (stageTimes[i] ?? null)));
  return { stages: stages | bitOf(stage), stageTimes: times };
}
