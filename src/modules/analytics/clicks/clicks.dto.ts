import { applyDecorators } from '@nestjs/common';
import {
  NUMBER_OR_NULL,
  INT64,
  INT64_OR_NULL,
  INTEGER,
  TEXT_OR_NULL,
  Field,
} from '../../../common/http/api-field';
import { DateText, OneOf, QueryInt } from '../../../common/validation/atoms';
import { atom, fromText, textProblem } from '../../../common/validation/atom';
import { OnlyKnownNames } from '../../../common/validation/known-names';
import {
  BREAKDOWNS,
  type Breakdown,
  type Metric,
  METRICS,
} from '../../click-statistics/breakdowns/breakdowns';
import { AnalyticsRangeQuery } from '../analytics.atoms';
import { AnalyticsRange } from '../analytics-range';

export const INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

const optional = true;
const MAX_VALUES = 20;
/** Characters of a destination, with `!` and a backslash in front. */
const MAX_VALUE = 1_002;

/**
 * Values of a repeatable parameter. `!` in front of a value excludes it; a backslash in front makes the rest literal.
 */
function Values(what: string, example: string): PropertyDecorator {
  const check = (given: unknown) => {
    const values = given as unknown[];
    if (!Array.isArray(given)) return 'must be text';
    if (values.length > MAX_VALUES) return `must be given at most ${MAX_VALUES} times`;
    const problems = values.map((value) => textProblem(value) ?? lengthProblem(value as string));
    return problems.find((problem) => problem !== null) ?? null;
  };
  return applyDecorators(
    fromText((text) => [text]),
    atom(
      'values',
      check,
      { type: 'array', items: { type: 'string', maxLength: MAX_VALUE }, maxItems: MAX_VALUES },
      {
        description:
          `Only clicks with this ${what}. Repeatable: any of them; with \`!\` in front: none of them. ` +
          'A backslash takes the rest as it is: `\\!x` is the value `!x`',
        example: [example],
        optional,
      },
    ),
  );
}

function lengthProblem(value: string): string | null {
  if (/^!?\\?$/.test(value)) return 'must not be empty';
  return Array.from(value).length > MAX_VALUE ? `must be at most ${MAX_VALUE} characters long` : null;
}

type Given = string[] | null;

export class ClickFilters extends AnalyticsRangeQuery {
  @Values('link id, or `(none)` for clicks on campaigns; NOT_FOUND for a foreign id', '(none)')
  link?: Given;

  @Values('campaign id, or `(none)` for clicks on links; NOT_FOUND for a foreign id', '(none)')
  campaign?: Given;

  @Values(
    'tag of the link or campaign, as it is now, in any case; `(none)` for clicks without tags',
    'autumn',
  )
  tag?: Given;

  @Values('domain name; NOT_FOUND for a foreign one', '!links.example.com')
  domain?: Given;

  @Values('app id, or `(none)`; APP_NOT_OWNED for a foreign id', '(none)')
  app?: Given;

  @Values('channel: the tracker of a campaign, `qr` for a scan, or `(none)`', 'poster')
  channel?: Given;

  @Values('variant: its destination, or `(none)`', 'https://example.com/b')
  variant?: Given;

  @Values('country, ISO 3166-1 alpha-2 in any case, or `Unknown`', 'KR')
  country?: Given;

  @Values('region, ISO 3166-2, or `Unknown`', 'KR-11')
  region?: Given;

  @Values('city, in English, or `Unknown`', 'Seoul')
  city?: Given;

  @Values('device type: Mobile, Desktop, Tablet or Unknown, in any case', 'Mobile')
  device?: Given;

  @Values('operating system, or `Unknown`', 'iOS')
  os?: Given;

  @Values('browser, or `Unknown`', 'Chrome')
  browser?: Given;

  @Values('referrer host, or `Direct`', '!Direct')
  referrer?: Given;

  @Values('utm_source, or `(none)`', 'newsletter')
  utmSource?: Given;

  @Values('utm_medium, or `(none)`', 'email')
  utmMedium?: Given;

  @Values('utm_campaign, or `(none)`', 'spring')
  utmCampaign?: Given;

  @Values('utm_term, or `(none)`', 'shoes')
  utmTerm?: Given;

  @Values('utm_content, or `(none)`', 'banner')
  utmContent?: Given;

  @Values('name of the program, with metric `bots`; `(none)` for people', 'Googlebot')
  bot?: Given;
}

@OnlyKnownNames()
export class ClickAnalyticsRequest extends ClickFilters {
  @OneOf(INTERVALS, {
    default: 'day',
    description: 'Length of the periods of `series`; `hour` for ranges of at most 31 days',
    example: 'day',
  })
  interval: Interval = 'day';

  @OneOf(METRICS, {
    default: 'clicks',
    description:
      '`clicks` of people; `visitors`: different people, each counted once a day, by tag once a day for each link or campaign; ' +
      '`bots`: clicks of programs',
    example: 'clicks',
  })
  metric: Metric = 'clicks';

  @OneOf(BREAKDOWNS, { description: 'Dimension of `groups`', example: 'country', optional })
  groupBy?: Breakdown | null;

  @QueryInt({ min: 1, max: 100, default: 10, description: 'Groups before `(other)`', example: 10 })
  limit: number = 10;

  @DateText({
    description: 'First day of the comparison range; VALIDATION_FAILED without compareEndDate',
    example: '2026-10-12',
    optional,
  })
  compareStartDate?: string | null;

  @DateText({
    description: 'Last day of the comparison range, inclusive; VALIDATION_FAILED without compareStartDate',
    example: '2026-10-31',
    optional,
  })
  compareEndDate?: string | null;
}

const figure = Field('Sum of the metric', 1200, INT64);
const change = (description: string) =>
  Field(`${description}; null when the compared value is 0`, 12.5, NUMBER_OR_NULL);

export class ClickPeriod {
  @Field(
    'Start of the hour in UTC, or first day of the day, week (Monday) or month; a week or month at the end of the ' +
      'range holds only the days of the range',
    '2026-11-16',
  )
  start!: string;

  @figure
  value!: number;
}

class GroupKey {
  @Field('The value, as filters take it; `(other)` stands for the rest', 'KR')
  key!: string;

  @Field('Name to show', 'South Korea')
  name!: string;
}

export class ClickGroup extends GroupKey {
  @Field('Id of the link, campaign or app', null, INT64_OR_NULL)
  id!: number | null;

  @Field('Address of the link or campaign', null, TEXT_OR_NULL)
  address!: string | null;

  @figure
  value!: number;

  @Field('Share of `total` in percent, one decimal', 61.5)
  percentage!: number;
}

export class ComparedClickGroup extends GroupKey {
  @figure
  value!: number;

  @change('Change to the value of the same group, in percent')
  change!: number | null;
}

export class ClickComparison {
  @Field('First day of the comparison range, as applied', '2026-10-12')
  startDate!: string;

  @Field('Last day, inclusive', '2026-10-31')
  endDate!: string;

  @figure
  total!: number;

  @change('Change of the total, in percent')
  change!: number | null;

  @Field('Every period of the comparison range', undefined, { type: ClickPeriod, isArray: true })
  series!: ClickPeriod[];

  @Field('The same groups in the same order', undefined, { type: ComparedClickGroup, isArray: true })
  groups!: ComparedClickGroup[];
}

class ClickAnalyticsMeta {
  @Field('Days for which the plan keeps data', 365, INTEGER)
  dataRetentionDays!: number;
}

export class ClickAnalyticsResponse extends AnalyticsRange {
  @Field('Length of the periods', 'day', { enum: INTERVALS })
  interval!: Interval;

  @Field('What is counted', 'clicks', { enum: METRICS })
  metric!: Metric;

  @Field('Dimension of the groups', 'country', { type: String, enum: BREAKDOWNS, nullable: true })
  groupBy!: Breakdown | null;

  @figure
  total!: number;

  @Field('Every period of the range, with zeros', undefined, { type: ClickPeriod, isArray: true })
  series!: ClickPeriod[];

  @Field(
    'The largest groups; where room is left, with 0, those that only the comparison range has; then `(other)` if there ' +
      'are more. Empty without groupBy',
    undefined,
    { type: ClickGroup, isArray: true },
  )
  groups!: ClickGroup[];

  @Field('Present when compareStartDate and compareEndDate are given', undefined, {
    type: ClickComparison,
    required: false,
  })
  comparison?: ClickComparison;

  @Field('Limits of the plan', undefined, { type: ClickAnalyticsMeta })
  meta!: ClickAnalyticsMeta;
}
