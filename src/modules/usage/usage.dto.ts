import { ApiProperty } from '@nestjs/swagger';
import { type Plan, PLANS } from '../../access/caller';

const whole = (description: string, example: number) =>
  ApiProperty({ type: 'integer', format: 'int64', description, example });

class RowsOfImports {
  @whole('The number that the limit allows', 1_000_000)
  limit!: number;
}

export class LimitedUsage extends RowsOfImports {
  @whole('The number in use', 42)
  usage!: number;
}

export class MonthlyClicksUsage extends LimitedUsage {
  @ApiProperty({
    description: "The present month in the organization's time zone",
    example: '2026-11',
  })
  month!: string;

  @ApiProperty({ description: 'Whether the month has more clicks than the limit', example: false })
  exceeded!: boolean;
}

export class RetentionTerms {
  @whole('Days for which clicks and their figures are kept', 400)
  clickRetentionDays!: number;

  @whole('Days for which sessions, events, goals and installs are kept', 400)
  eventRetentionDays!: number;

  @whole('Months for which daily sums of sessions, goals, events and visitors are kept', 37)
  rollupRetentionMonths!: number;

  @whole('Months for which the audit log is kept', 25)
  auditRetentionMonths!: number;
}

export class UsageResponse {
  @ApiProperty({ enum: PLANS, description: 'Plan', example: 'PRO' })
  plan!: Plan;

  @ApiProperty({ type: LimitedUsage, description: 'Links, not counting deleted ones' })
  links!: LimitedUsage;

  @ApiProperty({
    type: MonthlyClicksUsage,
    description: 'Clicks of people in the present month; those beyond the limit are counted too',
  })
  monthlyClicks!: MonthlyClicksUsage;

  @ApiProperty({ type: LimitedUsage, description: 'Active contacts' })
  contacts!: LimitedUsage;

  @ApiProperty({ type: LimitedUsage, description: 'Imports that run now' })
  concurrentImports!: LimitedUsage;

  @ApiProperty({ type: RowsOfImports, description: 'Rows of an imported file' })
  importRows!: RowsOfImports;

  @ApiProperty({ type: LimitedUsage, description: 'Webhook endpoints' })
  webhookEndpoints!: LimitedUsage;

  @ApiProperty({ type: LimitedUsage, description: 'Apps, not counting deleted ones' })
  apps!: LimitedUsage;

  @ApiProperty({ type: LimitedUsage, description: 'Custom domains in any state, not counting deleted ones' })
  customDomains!: LimitedUsage;

  @ApiProperty({ type: LimitedUsage, description: 'Campaigns, not counting deleted ones' })
  campaigns!: LimitedUsage;

  @ApiProperty({ type: LimitedUsage, description: 'Contact groups' })
  contactGroups!: LimitedUsage;

  @ApiProperty({ type: LimitedUsage, description: 'API keys' })
  apiKeys!: LimitedUsage;

  @ApiProperty({ type: LimitedUsage, description: 'Users' })
  users!: LimitedUsage;

  @ApiProperty({ type: LimitedUsage, description: 'Invitations that are open' })
  invitations!: LimitedUsage;

  @ApiProperty({ type: LimitedUsage, description: 'Entries of the IP allow-list' })
  allowListEntries!: LimitedUsage;

  @ApiProperty({ type: LimitedUsage, description: 'Open streams of live clicks' })
  liveListeners!: LimitedUsage;

  @ApiProperty({ type: RetentionTerms, description: 'How long data is kept' })
  retention!: RetentionTerms;
}

/** Data of the event `usage.click_limit_exceeded`. */
export class ClickLimitExceeded {
  @ApiProperty({ description: "The month in the organization's time zone", example: '2026-11' })
  month!: string;

  @whole('The number of clicks in a month that the limit allows', 10_000_000)
  limit!: number;

  @whole('Clicks of the month when the excess was noticed', 10_000_042)
  usage!: number;
}
