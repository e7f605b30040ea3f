import type { DayRange } from '../../../common/date-range';
import { OTHER } from '../../click-statistics/breakdowns/breakdowns';
import type { ClickSums } from '../../click-statistics/breakdowns/click-sums';
import { percent } from '../../click-statistics/percentages';
import { type AnalyticsRange, changePct } from '../analytics-range';
import type {
  ClickAnalyticsRequest,
  ClickAnalyticsResponse,
  ClickComparison,
  ClickGroup,
  ComparedClickGroup,
} from './clicks.dto';
import type { NamedValue } from './group-names.query';
import { seriesOf } from './periods';

interface Figures {
  range: DayRange;
  sums: ClickSums;
}

interface Answered extends Figures {
  request: ClickAnalyticsRequest;
  shown: Pick<AnalyticsRange, keyof AnalyticsRange>;
  compared: Figures | null;
  /** Null without groupBy. */
  nameOf: ((value: string) => NamedValue) | null;
  retentionDays: number;
}

const REST: NamedValue = { key: OTHER, name: OTHER, id: null, address: null };

export function toClickAnalytics(answered: Answered): ClickAnalyticsResponse {
  const { request, range, shown, sums, compared, retentionDays } = answered;
  const { interval, metric } = request;
  const total = totalOf(sums);
  const groups = groupsOf(answered);
  return {
    ...shown,
    interval,
    metric,
    groupBy: request.groupBy ?? null,
    total,
    series: seriesOf(sums, range, interval, shown.timeZone),
    groups: groups.map(({ named, value }): ClickGroup => ({
      ...named,
      value,
      percentage: percent(value, total),
    })),
    ...(compared && { comparison: toComparison(answered, compared, total, groups) }),
    meta: { dataRetentionDays: retentionDays },
  };
}

interface Group {
  named: NamedValue;
  value: number;
  /** Sum in the comparison range. */
  before: number;
}

/** Groups of the listed values, followed by the rest of both ranges if there is any. */
function groupsOf({ nameOf, sums, compared }: Answered): Group[] {
  if (nameOf === null) return [];
  const listed = [...sums.values].map(([key, value]) => ({
    named: nameOf(key),
    value,
    before: compared?.sums.values.get(key) ?? 0,
  }));
  const rest = {
    named: REST,
    value: sums.allValues - sum(listed.map(({ value }) => value)),
    before: (compared?.sums.allValues ?? 0) - sum(listed.map(({ before }) => before)),
  };
  return rest.value > 0 || rest.before > 0 ? [...listed, rest] : listed;
}

function toComparison(
  { request, shown }: Answered,
  { range, sums }: Figures,
  total: number,
  groups: readonly Group[],
): ClickComparison {
  const before = totalOf(sums);
  return {
    startDate: range.startDate,
    endDate: range.endDate,
    total: before,
    change: changePct(total, before),
    series: seriesOf(sums, range, request.interval, shown.timeZone),
    groups: groups.map(({ named: { key, name }, value, before: compared }): ComparedClickGroup => ({
      key,
      name,
      value: compared,
      change: changePct(value, compared),
    })),
  };
}

function totalOf({ days }: ClickSums): number {
  return sum([...days.values()]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
