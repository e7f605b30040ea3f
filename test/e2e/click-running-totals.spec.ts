import { resolveDayRange } from '../../src/common/time/date-range';
import { Database } from '../../src/infrastructure/database/database';
import type { Click } from '../../src/modules/clicks/click';
import { ClickHousekeeping } from '../../src/modules/click-statistics/retention/click-housekeeping';
import { ClickIngest } from '../../src/modules/click-statistics/counting/click-ingest';
import { ClickRunningTotals } from '../../src/modules/click-statistics/rollups/click-running-totals';
import { ClickStatisticsQuery } from '../../src/modules/click-statistics/click-statistics.query';
import { createOrganization } from '../support/factories';
import { nth } from '../support/nth';
import { TestApp, useTestApp } from '../support/test-app';
import { GOOGLEBOT, plainClick } from '../support/visits';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2030, 0, 10);
const DAYS = 60;
const SITES = 150;
const [BUSY, SPARSE, RACED] = [501, 502, 503];

/** Numbers from 0 up to 1 that are the same in each run. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe('running totals of clicks', () => {
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
    return plainClick({ id: nextId++, at, trackedLinkId, organizationId, referrer, ...fields });
  }

  async function write(clicks: readonly Click[]): Promise<void> {
    const ingest = app.get(ClickIngest);
    const prepared = await ingest.prepare(clicks);
    await app.get(Database).write((tx) => ingest.ingest(tx, prepared));
    written = [...written, ...clicks];
  }

  const clicksOn = (day: number, trackedLinkId: number, count: number, fields: Partial<Click> = {}) =>
    Array.from({ length: count }, () => clickOn(day, trackedLinkId, fields));

  const totalsOf = (trackedLinkId: number) =>
    app.sql<{ day: string }>(`SELECT day FROM click_running_totals WHERE target_id = $1 ORDER BY day`, [
      trackedLinkId,
    ]);

  async function buildOn(day: number): Promise<void> {
    app.clock.set(new Date(FIRST_DAY + day * DAY_MS + DAY_MS / 2));
    await app.get(ClickRunningTotals).build();
  }

  /** What statistics should say, from the clicks themselves. */
  function expected(clicks: readonly Click[]) {
    const sites = new Map<string, number>();
    for (const { referrer } of clicks) {
      const site = new URL(referrer ?? '').hostname;
      sites.set(site, (sites.get(site) ?? 0) + 1);
    }
    const hours = clicks.map(({ at }) => new Date(at).getUTCHours());
    const hourly = Array.from({ length: 24 }, (_, hour) => hours.filter((each) => each === hour).length);
    const top = [...sites].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, 10);
    return { totalClicks: clicks.length, hourly, top };
  }

  /** Compares ranges of every kind: short and long, from and to each part of the time that there are clicks in. */
  async function compare(trackedLinkId: number, kind: Click['kind'] = 'link'): Promise<void> {
    const people = written.filter(
      (click) =>
        click.trackedLinkId === trackedLinkId && click.kind === kind && click.userAgent !== GOOGLEBOT,
    );
    for (let start = -2; start <= DAYS; start += 5) {
      for (let end = start; end <= DAYS + 1; end += end - start < 6 ? 1 : 7) {
        const [startDate, endDate] = [dayOf(FIRST_DAY + start * DAY_MS), dayOf(FIRST_DAY + end * DAY_MS)];
        const range = resolveDayRange({ startDate, endDate }, { now: app.clock.date(), retentionDays: 800 });
        const said = await app.get(ClickStatisticsQuery).run(kind, trackedLinkId, range);
        const inRange = people.filter(({ at }) => dayOf(at) >= startDate && dayOf(at) <= endDate);
        const { totalClicks, hourly, topReferrers } = said;
        const top = topReferrers.map(({ name, count }) => [name, count]);
        expect({ startDate, endDate, totalClicks, hourly, top }).toEqual({
          startDate,
          endDate,
          ...expected(inRange),
        });
      }
    }
  }

  it('are made of what has many terms, and change no figure of any range', async () => {
    for (let day = 0; day < DAYS - 10; day++) {
      const bots = clicksOn(day, BUSY, 2, { userAgent: GOOGLEBOT });
      await write([
        ...clicksOn(day, BUSY, 80),
        ...bots,
        ...clicksOn(day, SPARSE, 1),
        // The same number, and something else.
        ...clicksOn(day, BUSY, 3, { kind: 'campaign' }),
      ]);
    }
    await compare(BUSY);
    await buildOn(30);
    const first = await totalsOf(BUSY);
    expect(first.length).toBeGreaterThan(2);
    // Not of the last day that is over: clocks need not agree.
    expect(nth(first, -1).day < dayOf(FIRST_DAY + 29 * DAY_MS)).toBe(true);
    expect(await totalsOf(SPARSE)).toEqual([]);
    await compare(BUSY);
    await compare(BUSY, 'campaign');

    await buildOn(DAYS);
    const all = await totalsOf(BUSY);
    expect(all.length).toBeGreaterThan(first.length);
    expect(all.slice(0, first.length)).toEqual(first);
    await compare(BUSY);
    await compare(BUSY, 'campaign');
    await compare(SPARSE);

    await buildOn(DAYS);
    expect(await totalsOf(BUSY)).toEqual(all);
  }, 60_000);

  it('hold late clicks as well, of several days at once', async () => {
    const before = await totalsOf(BUSY);
    await write([3, 4, 17, 40, 49, 55, DAYS].flatMap((day) => clicksOn(day, BUSY, 5)));
    await compare(BUSY);
    // New words, before every other click and between two totals.
    await write([
      ...clicksOn(-1, BUSY, 40, { referrer: 'https://early.example/' }),
      ...clicksOn(21, BUSY, 40, { referrer: 'https://late.example/' }),
      ...clicksOn(21, SPARSE, 2),
    ]);
    expect(await totalsOf(BUSY)).toEqual(before);
    await compare(BUSY);
    await compare(BUSY, 'campaign');
    await compare(SPARSE);
  }, 60_000);

  it('miss nothing that is counted while they are made', async () => {
    app.clock.set(new Date(FIRST_DAY + DAYS * DAY_MS));
    const days = Array.from({ length: 40 }, (_, day) => day);
    for (const day of days) await write(clicksOn(day, RACED, 60));
    const late = Array.from({ length: 12 }, () => days.flatMap((day) => clicksOn(day, RACED, 1)));
    await Promise.all([
      app.get(ClickRunningTotals).build(),
      ...late.map((clicks) => write(clicks)),
      app.get(ClickRunningTotals).build(),
    ]);
    written = [...new Map(written.concat(late.flat()).map((click) => [click.id, click])).values()];
    expect((await totalsOf(RACED)).length).toBeGreaterThan(2);
    await compare(RACED);
  }, 60_000);

  it('spare long ranges the days inside, and not short ones', async () => {
    const hours = async (from: number, to: number) => {
      const [startDate, endDate] = [dayOf(FIRST_DAY + from * DAY_MS), dayOf(FIRST_DAY + to * DAY_MS)];
      const range = resolveDayRange({ startDate, endDate }, { now: app.clock.date(), retentionDays: 800 });
      return (await app.get(ClickStatisticsQuery).run('link', BUSY, range)).hourly;
    };
    const before = [await hours(5, 45), await hours(20, 22)];
    await app.sql(
      `UPDATE click_rollups SET counts = array_fill(0, ARRAY[cardinality(counts)]) WHERE day = $1`,
      [dayOf(FIRST_DAY + 21 * DAY_MS)],
    );
    const after = [await hours(5, 45), await hours(20, 22)];
    expect(after[0]).toEqual(before[0]);
    expect(after[1]).not.toEqual(before[1]);
  });

  it('are made daily, and not in the hours after an upgrade, while the version before may count', async () => {
    const fresh = await TestApp.start();
    const build = () => fresh.get(ClickHousekeeping).buildTotals();
    fresh.clock.set(new Date(Date.now() + DAY_MS / 3));
    expect(await build()).toBe(false);
    fresh.clock.set(new Date(Date.now() + DAY_MS));
    expect(await build()).toBe(true);
    expect(await build()).toBe(false);
    await fresh.close();
  });
});
