import { DateTime } from 'luxon';
import type { Breakdown, Metric } from '../../src/modules/click-statistics/breakdowns/breakdowns';
import type { Click } from '../../src/modules/clicks/click';
import { agentOf, botName, referrerHost } from '../../src/modules/clicks/visitor-facts';

/** The organization's links and campaigns, by kind and id, such as `link/7`. */
export interface OracleTargets {
  tags: ReadonlyMap<string, readonly string[]>;
  domains: ReadonlyMap<string, string>;
}

/** A counted click, with its day in the time zone at that time. */
export interface OracleClick extends Click {
  day: string;
}

export interface OracleQuery {
  metric: Metric;
  interval: 'hour' | 'day' | 'week' | 'month';
  startDate: string;
  endDate: string;
  groupBy?: Breakdown;
  limit: number;
  /** Values by dimension, with `!` in front of excluded ones. */
  filters: Partial<Record<Breakdown, string[]>>;
}

/** Countries of the IP addresses that tests click from. */
export const ADDRESSES: Record<string, string> = {
  '211.234.1.1': 'KR',
  '211.234.1.2': 'KR',
  '126.0.0.1': 'JP',
  '8.8.8.8': 'US',
  '203.0.113.7': 'Unknown',
};

const NONE = '(none)';

/** Computes figures from the clicks, one by one. */
export class ClickOracle {
  constructor(
    private readonly clicks: readonly OracleClick[],
    private readonly targets: OracleTargets,
    private readonly zone: string,
  ) {}

  answer(query: OracleQuery) {
    const { metric, groupBy, limit } = query;
    const matching = this.clicks.filter((click) => this.matches(click, query));
    const ofTag = 'tag' in query.filters;
    const days = byKey(matching, { metric, ofTag }, (click) => [click.day]);
    const total = sum([...days.values()]);
    const groups = groupBy
      ? byKey(matching, { metric, ofTag: ofTag || groupBy === 'tag' }, (click) =>
          this.valuesOf(click, groupBy),
        )
      : new Map<string, number>();
    const ranked = [...groups]
      .filter(([key]) => key !== '(other)')
      .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
    const rest = sum(ranked.slice(limit).map(([, value]) => value)) + (groups.get('(other)') ?? 0);
    return {
      total,
      series: this.series(matching, query, days),
      groups: [...ranked.slice(0, limit), ...(rest > 0 ? [['(other)', rest] as const] : [])],
    };
  }

  /** Values of a click; several for tags. */
  valuesOf(click: OracleClick, breakdown: Breakdown): readonly string[] {
    const { browser, os, deviceType, isBot } = agentOf(click.userAgent);
    const [source, medium, term, content, campaign] = click.utm ?? [];
    const id = String(click.trackedLinkId);
    const isLink = click.kind === 'link';
    const target = `${click.kind}/${id}`;
    const tags = this.targets.tags.get(target) ?? [];
    const values: Record<Breakdown, string | null | undefined | readonly string[]> = {
      link: isLink ? id : null,
      campaign: isLink ? null : id,
      tag: tags.length > 0 ? tags : null,
      domain: this.targets.domains.get(target),
      app: click.appIds[0]?.toString(),
      channel: click.tracker,
      variant: click.variant,
      country: ADDRESSES[click.ip],
      region: 'Unknown',
      city: 'Unknown',
      device: deviceType,
      os,
      browser,
      referrer: referrerHost(click.referrer),
      utmSource: source,
      utmMedium: medium,
      utmCampaign: campaign,
      utmTerm: term,
      utmContent: content,
      bot: isBot ? botName(click.userAgent) : null,
    };
    const value = values[breakdown] ?? NONE;
    return typeof value === 'string' ? [value] : value;
  }

  private matches(click: OracleClick, { metric, startDate, endDate, filters }: OracleQuery): boolean {
    if (agentOf(click.userAgent).isBot !== (metric === 'bots')) return false;
    if (click.day < startDate || click.day > endDate) return false;
    return Object.entries(filters).every(([breakdown, given]) => {
      const values = this.valuesOf(click, breakdown as Breakdown);
      const included = given.filter((each) => !each.startsWith('!'));
      const excluded = given.filter((each) => each.startsWith('!')).map((each) => each.slice(1));
      const has = (wanted: readonly string[]) => wanted.some((each) => values.includes(each));
      return (included.length === 0 || has(included)) && !has(excluded);
    });
  }

  private series(matching: readonly OracleClick[], query: OracleQuery, days: ReadonlyMap<string, number>) {
    const { metric, interval, startDate, endDate, filters } = query;
    if (interval === 'hour') {
      const hours = byKey(matching, { metric, ofTag: 'tag' in filters }, ({ at }) => [
        DateTime.fromMillis(at, { zone: this.zone })
          .startOf('hour')
          .toUTC()
          .toISO({ suppressMilliseconds: true }) ?? '',
      ]);
      return [...hours].sort(([a], [b]) => (a < b ? -1 : 1)).map(([start, value]) => ({ start, value }));
    }
    const periods = new Map<string, number>();
    const date = (time: DateTime) => time.toISODate() ?? '';
    for (
      let at = DateTime.fromISO(startDate, { zone: 'utc' });
      date(at) <= endDate;
      at = at.plus({ days: 1 })
    ) {
      const start = date(at.startOf(interval));
      periods.set(start, (periods.get(start) ?? 0) + (days.get(date(at)) ?? 0));
    }
    return [...periods].map(([start, value]) => ({ start, value }));
  }
}

/** Clicks by key, or unique visitors per day; for tags, per link or campaign. */
function byKey(
  clicks: readonly OracleClick[],
  { metric, ofTag }: { metric: Metric; ofTag: boolean },
  keysOf: (click: OracleClick) => readonly string[],
): Map<string, number> {
  const seen = new Map<string, Set<string>>();
  for (const click of clicks) {
    const target = ofTag ? `${click.kind}/${click.trackedLinkId}` : '';
    const visitor = `${click.day} ${target} ${click.ip} ${click.userAgent}`;
    const what = metric === 'visitors' ? visitor : String(click.id);
    for (const key of keysOf(click)) seen.set(key, (seen.get(key) ?? new Set()).add(what));
  }
  return new Map([...seen].map(([key, set]) => [key, set.size]));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
