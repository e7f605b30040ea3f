/** Limits of an organization: those of its plan, except where the platform has set others. */
export interface Limits {
  /** Excluding deleted links. */
  readonly links: number;
  /** Clicks of people per calendar month. Clicks above the limit are still counted. */
  readonly monthlyClicks: number;
  readonly contacts: number;
  readonly concurrentImports: number;
  readonly importRows: number;
  readonly webhookEndpoints: number;
  /** Excluding deleted apps. */
  readonly apps: number;
  /** In any state, but excluding deleted domains. */
  readonly customDomains: number;
  /** Excluding deleted campaigns. */
  readonly campaigns: number;
  readonly contactGroups: number;
  readonly apiKeys: number;
  readonly users: number;
  /** Open invitations. */
  readonly invitations: number;
  readonly allowListEntries: number;
  /** Open streams of live clicks and pulls of webhooks. */
  readonly liveListeners: number;
  /** Days for which clicks and figures derived from them are kept. */
  readonly clickRetentionDays: number;
  /** Days for which sessions, events, goals and installs are kept. */
  readonly eventRetentionDays: number;
  /** Months for which daily sums of sessions, goals, events and visitors are kept. */
  readonly rollupRetentionMonths: number;
  readonly auditRetentionMonths: number;
}
export type LimitName = keyof Limits;

/** The limit that determines for how many days the data of a query is kept. */
export type RetentionDays = 'clickRetentionDays' | 'eventRetentionDays';

/** Limits set by the platform; null: the limit of the plan applies. */
export type LimitOverrides = { readonly [name in LimitName]: number | null };

export const LIMIT_NAMES = [
  'links',
  'monthlyClicks',
  'contacts',
  'concurrentImports',
  'importRows',
  'webhookEndpoints',
  'apps',
  'customDomains',
  'campaigns',
  'contactGroups',
  'apiKeys',
  'users',
  'invitations',
  'allowListEntries',
  'liveListeners',
  'clickRetentionDays',
  'eventRetentionDays',
  'rollupRetentionMonths',
  'auditRetentionMonths',
] as const satisfies readonly LimitName[];

export function limitsFrom<T>(valueOf: (name: LimitName) => T): { [name in LimitName]: T } {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, valueOf(name)])) as { [name in LimitName]: T };
}

export const NO_OVERRIDES: LimitOverrides = limitsFrom(() => null);
