/** Limits of an organization: those of its plan, except where the platform has set others. */
export interface Limits {
  /** Links, not counting deleted ones. */
  readonly links: number;
  /** Clicks of people in a calendar month. Clicks beyond are counted too. */
  readonly monthlyClicks: number;
  /** Active contacts. */
  readonly contacts: number;
  /** Imports that run at the same time. */
  readonly concurrentImports: number;
  /** Rows of an imported file. */
  readonly importRows: number;
  readonly webhookEndpoints: number;
  /** Apps, not counting deleted ones. */
  readonly apps: number;
  /** Custom domains in any state, not counting deleted ones. */
  readonly customDomains: number;
  /** Campaigns, not counting deleted ones. */
  readonly campaigns: number;
  /** Contact groups. */
  readonly contactGroups: number;
  /** API keys. */
  readonly apiKeys: number;
  /** Users. */
  readonly users: number;
  /** Invitations that are open. */
  readonly invitations: number;
  /** Entries of the IP allow-list. */
  readonly allowListEntries: number;
  /** Open streams of live clicks. */
  readonly liveListeners: number;
  /** Days for which clicks and their figures are kept. */
  readonly clickRetentionDays: number;
  /** Days for which sessions, events, goals and installs are kept. */
  readonly eventRetentionDays: number;
  /** Months for which daily sums of sessions, goals, events and visitors are kept. */
  readonly rollupRetentionMonths: number;
  /** Months for which the audit log is kept. */
  readonly auditRetentionMonths: number;
}
export type LimitName = keyof Limits;

/** The limit that says for how many days the data of a query is kept. */
export type RetentionDays = 'clickRetentionDays' | 'eventRetentionDays';

/** Limits that replace those of the plan; null: that of the plan. */
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

/** Combines what each limit has a value for. */
export function limitsFrom<T>(valueOf: (name: LimitName) => T): { [name in LimitName]: T } {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, valueOf(name)])) as { [name in LimitName]: T };
}

export const NO_OVERRIDES: LimitOverrides = limitsFrom(() => null);
