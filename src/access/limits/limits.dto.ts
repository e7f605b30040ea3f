import { INT64_OR_NULL, Field } from '../../common/http/api-field';
import { Int } from '../../common/validation/atoms';
import { type LimitName, type LimitOverrides, limitsFrom } from './limits';

interface LimitField {
  min: number;
  max: number;
  description: string;
  example: number;
}

const MOST = 1_000_000_000_000;
const days = { min: 1, max: 36_600 };
const months = { min: 1, max: 1_200 };

const FIELDS: Readonly<Record<LimitName, LimitField>> = {
  links: { min: 0, max: MOST, description: 'Links, not counting deleted ones', example: 1_000_000 },
  monthlyClicks: {
    min: 0,
    max: MOST,
    description: 'Clicks of people in a calendar month; those beyond are counted too',
    example: 10_000_000,
  },
  contacts: { min: 0, max: MOST, description: 'Active contacts', example: 1_000_000 },
  concurrentImports: { min: 0, max: 1_000, description: 'Imports that run at the same time', example: 5 },
  importRows: {
    min: 0,
    max: 1_000_000,
    description:
      'Rows of an imported file; files of links may have 100,000 at most, those of contacts 200,000',
    example: 1_000_000,
  },
  webhookEndpoints: { min: 0, max: 10_000, description: 'Webhook endpoints', example: 50 },
  apps: { min: 0, max: 1_000_000, description: 'Apps, not counting deleted ones', example: 200 },
  customDomains: {
    min: 0,
    max: 1_000_000,
    description: 'Custom domains in any state, not counting deleted ones',
    example: 100,
  },
  campaigns: { min: 0, max: 1_000_000, description: 'Campaigns, not counting deleted ones', example: 10_000 },
  contactGroups: { min: 0, max: 1_000_000, description: 'Contact groups', example: 500 },
  apiKeys: { min: 0, max: 1_000_000, description: 'API keys', example: 100 },
  users: { min: 0, max: 1_000_000, description: 'Users', example: 500 },
  invitations: { min: 0, max: 1_000_000, description: 'Invitations that are open', example: 200 },
  allowListEntries: { min: 0, max: 1_000_000, description: 'Entries of the IP allow-list', example: 200 },
  liveListeners: {
    min: 0,
    max: 100_000,
    description: 'Open streams of live clicks and pulls of webhooks',
    example: 100,
  },
  clickRetentionDays: {
    ...days,
    description: 'Days for which clicks and their figures are kept',
    example: 400,
  },
  eventRetentionDays: {
    ...days,
    description: 'Days for which sessions, events, goals and installs are kept',
    example: 400,
  },
  rollupRetentionMonths: {
    ...months,
    description:
      'Months for which daily sums of sessions, goals, events and visitors are kept, but never less than what they ' +
      'are sums of',
    example: 37,
  },
  auditRetentionMonths: { ...months, description: 'Months for which the audit log is kept', example: 25 },
};

function Limit(name: LimitName): PropertyDecorator {
  return Int({ ...FIELDS[name], optional: true });
}

function Override(name: LimitName): PropertyDecorator {
  const { description, example } = FIELDS[name];
  return Field(description, example, INT64_OR_NULL);
}

/** Only supplied limits change; null restores the limit of the plan. */
export class LimitsRequest {
  @Limit('links') links?: number | null;
  @Limit('monthlyClicks') monthlyClicks?: number | null;
  @Limit('contacts') contacts?: number | null;
  @Limit('concurrentImports') concurrentImports?: number | null;
  @Limit('importRows') importRows?: number | null;
  @Limit('webhookEndpoints') webhookEndpoints?: number | null;
  @Limit('apps') apps?: number | null;
  @Limit('customDomains') customDomains?: number | null;
  @Limit('campaigns') campaigns?: number | null;
  @Limit('contactGroups') contactGroups?: number | null;
  @Limit('apiKeys') apiKeys?: number | null;
  @Limit('users') users?: number | null;
  @Limit('invitations') invitations?: number | null;
  @Limit('allowListEntries') allowListEntries?: number | null;
  @Limit('liveListeners') liveListeners?: number | null;
  @Limit('clickRetentionDays') clickRetentionDays?: number | null;
  @Limit('eventRetentionDays') eventRetentionDays?: number | null;
  @Limit('rollupRetentionMonths') rollupRetentionMonths?: number | null;
  @Limit('auditRetentionMonths') auditRetentionMonths?: number | null;
}

/** Null: the limit of the plan applies. */
export class LimitsResponse implements LimitOverrides {
  @Override('links') links!: number | null;
  @Override('monthlyClicks') monthlyClicks!: number | null;
  @Override('contacts') contacts!: number | null;
  @Override('concurrentImports') concurrentImports!: number | null;
  @Override('importRows') importRows!: number | null;
  @Override('webhookEndpoints') webhookEndpoints!: number | null;
  @Override('apps') apps!: number | null;
  @Override('customDomains') customDomains!: number | null;
  @Override('campaigns') campaigns!: number | null;
  @Override('contactGroups') contactGroups!: number | null;
  @Override('apiKeys') apiKeys!: number | null;
  @Override('users') users!: number | null;
  @Override('invitations') invitations!: number | null;
  @Override('allowListEntries') allowListEntries!: number | null;
  @Override('liveListeners') liveListeners!: number | null;
  @Override('clickRetentionDays') clickRetentionDays!: number | null;
  @Override('eventRetentionDays') eventRetentionDays!: number | null;
  @Override('rollupRetentionMonths') rollupRetentionMonths!: number | null;
  @Override('auditRetentionMonths') auditRetentionMonths!: number | null;
}

/** @param stored null if the platform has set none */
export function toLimitsResponse(stored: LimitOverrides | null): LimitsResponse {
  return limitsFrom((name) => stored?.[name] ?? null);
}
