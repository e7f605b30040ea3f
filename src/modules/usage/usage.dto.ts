import { INT64, Field } from '../../common/http/api-field';
import { type Plan, PLANS } from '../../access/caller';

class RowsOfImports {
  @Field('The number that the limit allows', 1_000_000, INT64)
  limit!: number;
}

export class LimitedUsage extends RowsOfImports {
  @Field('The number in use', 42, INT64)
  usage!: number;
}

export class MonthlyClicksUsage extends LimitedUsage {
  @Field("The present month in the organization's time zone", '2026-11')
  month!: string;

  @Field('Whether the month has more clicks than the limit', false)
  exceeded!: boolean;
}

export class RetentionTerms {
  @Field('Days for which clicks and their figures are kept', 400, INT64)
  clickRetentionDays!: number;

  @Field('Days for which sessions, events, goals and installs are kept', 400, INT64)
  eventRetentionDays!: number;

  @Field('Months for which daily sums of sessions, goals, events and visitors are kept', 37, INT64)
  rollupRetentionMonths!: number;

  @Field('Months for which the audit log is kept', 25, INT64)
  auditRetentionMonths!: number;
}

export class UsageResponse {
  @Field('Plan', 'PRO', { enum: PLANS })
  plan!: Plan;

  @Field('Links, not counting deleted ones', undefined, { type: LimitedUsage })
  links!: LimitedUsage;

  @Field('Clicks of people in the present month; those beyond the limit are counted too', undefined, {
    type: MonthlyClicksUsage,
  })
  monthlyClicks!: MonthlyClicksUsage;

  @Field('Active contacts', undefined, { type: LimitedUsage })
  contacts!: LimitedUsage;

  @Field('Imports that run now', undefined, { type: LimitedUsage })
  concurrentImports!: LimitedUsage;

  @Field('Rows of an imported file', undefined, { type: RowsOfImports })
  importRows!: RowsOfImports;

  @Field('Webhook endpoints', undefined, { type: LimitedUsage })
  webhookEndpoints!: LimitedUsage;

  @Field('Apps, not counting deleted ones', undefined, { type: LimitedUsage })
  apps!: LimitedUsage;

  @Field('Custom domains in any state, not counting deleted ones', undefined, { type: LimitedUsage })
  customDomains!: LimitedUsage;

  @Field('Campaigns, not counting deleted ones', undefined, { type: LimitedUsage })
  campaigns!: LimitedUsage;

  @Field('Contact groups', undefined, { type: LimitedUsage })
  contactGroups!: LimitedUsage;

  @Field('API keys', undefined, { type: LimitedUsage })
  apiKeys!: LimitedUsage;

  @Field('Users', undefined, { type: LimitedUsage })
  users!: LimitedUsage;

  @Field('Invitations that are open', undefined, { type: LimitedUsage })
  invitations!: LimitedUsage;

  @Field('Entries of the IP allow-list', undefined, { type: LimitedUsage })
  allowListEntries!: LimitedUsage;

  @Field('Open streams of live clicks', undefined, { type: LimitedUsage })
  liveListeners!: LimitedUsage;

  @Field('How long data is kept', undefined, { type: RetentionTerms })
  retention!: RetentionTerms;
}

/** Data of the event `usage.click_limit_exceeded`. */
export class ClickLimitExceeded {
  @Field("The month in the organization's time zone", '2026-11')
  month!: string;

  @Field('The number of clicks in a month that the limit allows', 10_000_000, INT64)
  limit!: number;

  @Field('Clicks of the month when the excess was noticed', 10_000_042, INT64)
  usage!: number;
}
