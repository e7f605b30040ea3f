import { type DayRange, resolveDayRange } from '../../src/common/date-range';
import { CompactedMonths } from '../../src/infrastructure/database/compacted-months';
import { Database } from '../../src/infrastructure/database/database';
import type { TopItem } from '../../src/modules/click-statistics/statistics.dto';
import { ClickStatisticsQuery } from '../../src/modules/click-statistics/click-statistics.query';
import { ClickIngest } from '../../src/modules/click-statistics/counting/click-ingest';
import { CLICK_MONTHS } from '../../src/modules/click-statistics/rollups/click-months';
import type { Click } from '../../src/modules/clicks/click';
import { createOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';
import { GOOGLEBOT, plainClick } from '../support/visits';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2030, 0, 10);
const DAYS = 110;
const SITES = 150;
const [BUSY, SPARSE] = [501, 502];

/** Deterministic pseudo-random numbers in [0, 1). */
function randoms(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe('months of clicks', () => {
  const app = useTestApp();
  let organizationId: number;
  let written: Click[] = [];
  let nextId = 1;
  const random = randoms(7);

  beforeAll(async () => {
    ({ organizationId } = await createOrganization(app));
  });

  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

  function clickOn(day: number, trackedLinkId: number, fields: Partial<Click> = {}): Click {
    const at = FIRST_DAY + day * DAY_MS + Math.floor(random() * DAY_MS);
    const referrer = `https://site-${Math.floor(SITES * random() ** 2)}.example/`;
    const ip = `198.51.100.${Math.floor(90 * random())}`;
    const utm = [null, null, null, null, `campaign-${Math.floor(15 * random() ** 2)}`] as const;
    const variant = `https://${'abc'[Math.floor(4 * random())] ?? ''}.example/`;
    const chosen = variant === 'https://.example/' ? {} : { variant };
    const own = { id: nextId++, at, trackedLinkId, organizationId, referrer, ip, utm, ...chosen };
    return plainClick({ ...own, ...fields });
  }

  async function write(clicks: readonly Click[]): Promise<void> {
    const ingest = app.get(ClickIngest);
    const prepared = await ingest.prepare(clicks);
    await app.get(Database).write((tx) => ingest.ingest(tx, prepared));
    written = [...written, ...clicks];
  }

  const clicksOn = (day: number, trackedLinkId: number, count: number, fields: Partial<Click> = {}) =>
    Array.from({ length: count }, () => clickOn(day, trackedLinkId, fields));

  const monthsOf = async (trackedLinkId: number) =>
    (
      await app.sql<{ month: string }>(
        `SELECT month::text FROM click_months JOIN compacted_months USING (organization_id, month)
          WHERE tracked_link_id = $1 AND kind = 1 AND family = 1 AND claim IS NULL ORDER BY month`,
        [trackedLinkId],
      )
    ).map(({ month }) => month);

  const compact = () => app.get(CompactedMonths).compact([CLICK_MONTHS], new Map([[organizationId, 400]]));

  async function compactOn(date: string): Promise<void> {
    app.clock.set(`${date}T12:00:00Z`);
    await compact();
  }

  /** Expected statistics, computed from the raw clicks. */
  function expected(clicks: readonly Click[]) {
    const hours = clicks.map(({ at }) => new Date(at).getUTCHours());
    const hourly = Array.from({ length: 24 }, (_, hour) => hours.filter((each) => each === hour).length);
    const hourOfWeek = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
    for (const { at } of clicks) {
      const day = hourOfWeek[(new Date(at).getUTCDay() + 6) % 7] ?? [];
      const hour = new Date(at).getUTCHours();
      day[hour] = (day[hour] ?? 0) + 1;
    }
    const top = ranked(clicks.map(({ referrer }) => new URL(referrer ?? '').hostname)).slice(0, 10);
    const campaigns = ranked(clicks.flatMap(({ utm }) => utm?.[4] ?? [])).slice(0, 10);
    const variants = ranked(clicks.flatMap(({ variant }) => variant ?? [])).map(([url, count]) => ({
      url,
      clicks: count,
      visitors: visitorsOf(clicks.filter(({ variant }) => variant === url)),
    }));
    return {
      totalClicks: clicks.length,
      hourly,
      top,
      hourOfWeek,
      campaigns,
      variants,
      visitors: visitorsOf(clicks),
    };
  }

  /** Values with their counts, the most frequent first. */
  function ranked(values: readonly string[]): [string, number][] {
    const counts = new Map<string, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  }

  const visitorsOf = (clicks: readonly Click[]) =>
    new Set(clicks.map(({ at, ip, userAgent }) => `${dayOf(at)} ${ip} ${userAgent}`)).size;

  const statisticsOf = (kind: Click['kind'], trackedLinkId: number, range: DayRange) =>
    app
      .get(Database)
      .snapshot((tx) =>
        app.get(ClickStatisticsQuery).run(tx, kind, { organizationId, id: trackedLinkId }, range),
      );

  /** Compares short and long ranges that begin and end in every part of the time with clicks. */
  async function compare(trackedLinkId: number, kind: Click['kind'] = 'link'): Promise<void> {
    const people = written.filter(
      (click) =>
        click.trackedLinkId === trackedLinkId && click.kind === kind && click.userAgent !== GOOGLEBOT,
    );
    for (let start = -2; start <= DAYS; start += 9) {
      for (let end = start; end <= DAYS + 1; end += end - start < 6 ? 2 : 13) {
        const [startDate, endDate] = [dayOf(FIRST_DAY + start * DAY_MS), dayOf(FIRST_DAY + end * DAY_MS)];
        const range = resolveDayRange({ startDate, endDate }, { now: app.clock.date(), retentionDays: 800 });
        const statistics = await statisticsOf(kind, trackedLinkId, range);
        const inRange = people.filter(({ at }) => dayOf(at) >= startDate && dayOf(at) <= endDate);
        const { totalClicks, hourly, topReferrers, hourOfWeek, variants } = statistics;
        const counts = (items: readonly TopItem[] = []) => items.map(({ name, count }) => [name, count]);
        expect({
          startDate,
          endDate,
          totalClicks,
          hourly,
          top: counts(topReferrers),
          hourOfWeek,
          campaigns: counts(statistics.utm?.utmCampaign),
          variants,
          visitors: statistics.visitors?.total,
        }).toEqual({ startDate, endDate, ...expected(inRange) });
        expect(statistics.visitors?.since).toBe(startDate);
      }
    }
  }

  it('are compacted after their end if worthwhile, without changing the statistics of any range', async () => {
    for (let day = 0; day < DAYS; day++) {
      const bots = clicksOn(day, BUSY, 2, { userAgent: GOOGLEBOT });
      await write([
        ...clicksOn(day, BUSY, 60),
        ...bots,
        ...clicksOn(day, SPARSE, 1, { utm: null, variant: null }),
        // A campaign with the same id.
        ...clicksOn(day, BUSY, 3, { kind: 'campaign' }),
      ]);
    }
    await compare(BUSY);
    await compactOn('2030-03-02');
    // Not the month that has just ended, to tolerate clock skew.
    expect(await monthsOf(BUSY)).toEqual(['2030-01-01']);
    await compactOn('2030-03-03');
    expect(await monthsOf(BUSY)).toEqual(['2030-01-01', '2030-02-01']);
    expect(await monthsOf(SPARSE)).toEqual([]);
    await compactOn('2030-05-03');
    const all = ['2030-01-01', '2030-02-01', '2030-03-01', '2030-04-01'];
    expect(await monthsOf(BUSY)).toEqual(all);
    for (const kind of ['link', 'campaign'] as const) await compare(BUSY, kind);
    await compare(SPARSE);
    await compactOn('2030-05-04');
    expect(await monthsOf(BUSY)).toEqual(all);
  });

  it('replace their days in long ranges, but not in short ones', async () => {
    const hours = async (from: string, to: string) => {
      const range = resolveDayRange(
        { startDate: from, endDate: to },
        { now: app.clock.date(), retentionDays: 800 },
      );
      return (await statisticsOf('link', BUSY, range)).hourly;
    };
    const read = () =>
      Promise.all([
        hours('2030-01-20', '2030-04-10'),
        hours('2030-02-01', '2030-02-28'),
        hours('2030-02-02', '2030-02-28'),
      ]);
    const before = await read();
    await app.sql(`CREATE TABLE saved AS SELECT * FROM click_rollups WHERE day = '2030-02-10'`);
    await app.sql(
      `UPDATE click_rollups SET dimensions = '{}', dimension_counts = '{}' WHERE day = '2030-02-10'`,
    );
    const after = await read();
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after[2]).not.toEqual(before[2]);
    await app.sql(
      `UPDATE click_rollups r SET dimensions = s.dimensions, dimension_counts = s.dimension_counts
         FROM saved s WHERE (r.tracked_link_id, r.kind, r.day, r.slot) = (s.tracked_link_id, s.kind, s.day, s.slot)`,
    );
  });

  it('are deleted for late clicks, and compacted again', async () => {
    app.clock.set('2030-05-10T12:00:00Z');
    await write([3, 4, 17, 18].flatMap((day) => clicksOn(day, BUSY, 5)));
    expect(await monthsOf(BUSY)).toEqual(['2030-02-01', '2030-03-01', '2030-04-01']);
    await compare(BUSY);
    await write([
      ...clicksOn(-1, BUSY, 40, { referrer: 'https://early.example/' }),
      ...clicksOn(60, BUSY, 40, { referrer: 'https://late.example/' }),
      ...clicksOn(21, SPARSE, 2, { utm: null, variant: null }),
    ]);
    expect(await monthsOf(BUSY)).toEqual(['2030-02-01', '2030-04-01']);
    await compare(BUSY);
    await compact();
    expect(await monthsOf(BUSY)).toHaveLength(4);
    for (const kind of ['link', 'campaign'] as const) await compare(BUSY, kind);
    await compare(SPARSE);
  });

  it('are compacted by the next run after an interrupted one', async () => {
    await app.sql(`TRUNCATE click_months, compacted_months`);
    // Simulates a process that is killed at the second month.
    await app.sql(`
      CREATE FUNCTION cut_off() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF NEW.month = '2030-02-01' THEN RAISE 'killed'; END IF; RETURN NEW; END $$`);
    await app.sql(
      `CREATE TRIGGER cut_off BEFORE INSERT ON click_months FOR EACH ROW EXECUTE FUNCTION cut_off()`,
    );
    await expect(compact()).rejects.toThrow('killed');
    await app.sql(`DROP TRIGGER cut_off ON click_months`);
    await compact();
    expect(await monthsOf(BUSY)).toHaveLength(4);
    await compare(BUSY);
  });
});
