/** The stages of the funnel in order, with their display names (docs/concepts/sessions.md#stages). */
export const STAGES = [
  ['CLICKED', 'Clicked'],
  ['STORE_VISITED', 'Store visited'],
  ['APP_INSTALLED', 'App installed'],
  ['APP_OPENED', 'App opened'],
  ['DEEP_LINK_RESOLVED', 'Deep link resolved'],
  ['CONTENT_VIEWED', 'Content viewed'],
  ['ACTION_TAKEN', 'Action taken'],
  ['GOAL_COMPLETED', 'Goal completed'],
] as const;
export type Stage = (typeof STAGES)[number][0];

/** What sessions run on. */
export const SESSION_PLATFORMS = ['WEB', 'IOS', 'ANDROID'] as const;
export type SessionPlatform = (typeof SESSION_PLATFORMS)[number];

/** The platforms as session and goal rollups number them. */
export const PLATFORM_NUMBER: Readonly<Record<SessionPlatform, number>> = { WEB: 1, IOS: 2, ANDROID: 3 };

/** The stages of a web app (docs/concepts/sessions.md#stages). */
export const WEB_STAGES: readonly Stage[] = [
  'CLICKED',
  'DEEP_LINK_RESOLVED',
  'CONTENT_VIEWED',
  'ACTION_TAKEN',
  'GOAL_COMPLETED',
];

/** Why a deep link was not resolved. */
export const FAILURE_REASONS = [
  'NO_CANDIDATE',
  'AMBIGUOUS',
  'LOW_CONFIDENCE',
  'EXPIRED',
  'NOT_FOUND',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** Whose figures a funnel rollup holds, as the tables number it; links and campaigns as TRACKED_LINK_KIND does. */
export const SUBJECT_KIND = { link: 1, campaign: 2, app: 3 } as const;
export type SubjectKind = keyof typeof SUBJECT_KIND;

/** Platforms that apps are installed on, as install statistics name them. */
export const INSTALL_PLATFORMS = ['iOS', 'Android'] as const;
export type InstallPlatform = (typeof INSTALL_PLATFORMS)[number];

/** What sessions run on, as install statistics name it; a web app is not installed from a store. */
export const INSTALLED_ON: Partial<Record<SessionPlatform, InstallPlatform>> = {
  IOS: 'iOS',
  ANDROID: 'Android',
};

/** Number of the rollups that hold a subject's figures on one platform alone. */
export function subjectKindOn(subject: SubjectKind, platform: InstallPlatform): number {
  return SUBJECT_KIND[subject] + (platform === 'iOS' ? 10 : 20);
}

/**
 * Subject of the sums over all links of an app (kind link), over all campaigns, and over neither of both (kind app).
 */
export const ALL_OF_KIND = 0;

/** Lengths of the periods that funnel rollups sum up: a UTC day, and what every time zone's days are made of. */
export const DAY_MINUTES = 1_440;
export const QUARTER_MINUTES = 15;

const FAILURES = 40;
const COUNTRIES = 1_000;
const LETTER_A = 65;
const UNKNOWN_COUNTRY = 1_999;
/** Somebody who came back, and how many days after the last time; 10,000 itself: for the first time. */
const RETURNS = 10_000;

/** What funnel rollups count, as their terms number it. */
export const FUNNEL_TERM = {
  session: 10,
  resolution: 20,
  resolved: 21,
  resolvedByFingerprint: 22,
  reengagement: 30,
  reengaged: 31,
  reengagedOn: { iOS: 32, Android: 33, Other: 34 },
  returns: RETURNS,
  stage: (stage: Stage): number => STAGES.findIndex(([code]) => code === stage) + 1,
  failure: (reason: FailureReason): number => FAILURES + FAILURE_REASONS.indexOf(reason),
  /** @param code ISO 3166-1 alpha-2, anything else is unknown */
  country: (code: string | null): number => {
    if (code === null || !/^[A-Z]{2}$/.test(code)) return UNKNOWN_COUNTRY;
    return COUNTRIES + 26 * (code.charCodeAt(0) - LETTER_A) + code.charCodeAt(1) - LETTER_A;
  },
  /** @param gapDays since the day on which the same person came back last; null: never before */
  returnAfter: (gapDays: number | null): number => RETURNS + (gapDays ?? 0),
} as const;

/** The country of a term: its code, null for the unknown one, undefined when the term is about something else. */
export function countryOfTerm(term: number): string | null | undefined {
  if (term === UNKNOWN_COUNTRY) return null;
  const letters = term - COUNTRIES;
  if (letters < 0 || letters >= 676) return undefined;
  return String.fromCharCode(LETTER_A + Math.floor(letters / 26), LETTER_A + (letters % 26));
}

export const PURCHASE = 'purchase';

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The currency of a goal type `purchase_<CURRENCY>`; null for every other goal type. */
export function purchaseCurrency(goalType: string): string | null {
  const suffix = /^purchase_([A-Za-z]{3})$/.exec(goalType)?.[1]?.toUpperCase();
  return suffix !== undefined && CURRENCIES.has(suffix) ? suffix : null;
}
