/** Stages of the funnel in order, with their display names (docs/concepts/sessions.md#stages). */
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

export const SESSION_PLATFORMS = ['WEB', 'IOS', 'ANDROID'] as const;
export type SessionPlatform = (typeof SESSION_PLATFORMS)[number];

/** Platform numbers in rollups of sessions and goals. */
export const PLATFORM_NUMBER: Readonly<Record<SessionPlatform, number>> = { WEB: 1, IOS: 2, ANDROID: 3 };

/** Stages of a web app (docs/concepts/sessions.md#stages). */
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

/** Subjects of rollups, by their number in the tables; links and campaigns as in TRACKED_LINK_KIND. */
export const SUBJECT_KIND = { link: 1, campaign: 2, app: 3 } as const;
export type SubjectKind = keyof typeof SUBJECT_KIND;

/** Platforms with app installs, by the names in install statistics. */
export const INSTALL_PLATFORMS = ['iOS', 'Android'] as const;
export type InstallPlatform = (typeof INSTALL_PLATFORMS)[number];

/** Install platform of a session platform. Web apps have none, because no store installs them. */
export const INSTALLED_ON: Partial<Record<SessionPlatform, InstallPlatform>> = {
  IOS: 'iOS',
  ANDROID: 'Android',
};

/** Subject kind of rollups that are limited to one platform. */
export function subjectKindOn(subject: SubjectKind, platform: InstallPlatform): number {
  return SUBJECT_KIND[subject] + (platform === 'iOS' ? 10 : 20);
}

/** Subject id of sums over all links of an app (kind link), all campaigns, or sessions with neither (kind app). */
export const ALL_OF_KIND = 0;

/** Period lengths of funnel rollups: a UTC day, and a quarter of an hour, into which days of every time zone divide. */
export const DAY_MINUTES = 1_440;
export const QUARTER_MINUTES = 15;

const FAILURES = 40;
const COUNTRIES = 1_000;
const LETTER_A = 65;
const UNKNOWN_COUNTRY = 1_999;
/** Lowest term for returning users: 10,000 for a first return, else 10,000 plus the days since the previous one. */
const RETURNS = 10_000;

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
  /** @param code ISO 3166-1 alpha-2; other text means unknown */
  country: (code: string | null): number => {
    if (code === null || !/^[A-Z]{2}$/.test(code)) return UNKNOWN_COUNTRY;
    return COUNTRIES + 26 * (code.charCodeAt(0) - LETTER_A) + code.charCodeAt(1) - LETTER_A;
  },
  /** @param gapDays days since the user's previous return; null for the first one */
  returnAfter: (gapDays: number | null): number => RETURNS + (gapDays ?? 0),
} as const;

/** The country code of a term; null for an unknown country, undefined if the term is not a country. */
export function countryOfTerm(term: number): string | null | undefined {
  if (term === UNKNOWN_COUNTRY) return null;
  const letters = term - COUNTRIES;
  if (letters < 0 || letters >= 676) return undefined;
  return String.fromCharCode(LETTER_A + Math.floor(letters / 26), LETTER_A + (letters % 26));
}

export const PURCHASE = 'purchase';

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The currency in a goal type `purchase_<CURRENCY>`; null for other goal types. */
export function purchaseCurrency(goalType: string): string | null {
  const suffix = /^purchase_([A-Za-z]{3})$/.exec(goalType)?.[1]?.toUpperCase();
  return suffix !== undefined && CURRENCIES.has(suffix) ? suffix : null;
}
