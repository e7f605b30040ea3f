import { Database } from '../../src/infrastructure/database/database';
import { type Breakdown, BREAKDOWNS } from '../../src/modules/click-statistics/breakdowns/breakdowns';
import { ClickSumBuilder } from '../../src/modules/click-statistics/breakdowns/click-sum-builder';
import { ClickIngest } from '../../src/modules/click-statistics/counting/click-ingest';
import { ClickHousekeeping } from '../../src/modules/click-statistics/retention/click-housekeeping';
import type { Click } from '../../src/modules/clicks/click';
import { consoleApi, createOrganization, type TestOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { useTestApp } from '../support/test-app';
import { CHROME, GOOGLEBOT, plainClick } from '../support/visits';

const PATH = '/api/v1/service/analytics/clicks';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Given = Partial<Click> & { at: number };
type Series = { start: string; value: number }[];

describe('Sums of clicks by day and month', () => {
  const app = useTestApp();
  let nextId = 700_000;

  beforeEach(() => app.clock.set('2030-11-20T12:00:00Z'));

  async function count({ organizationId }: TestOrganization, clicks: readonly Given[]): Promise<void> {
    const ingest = app.get(ClickIngest);
    const made = clicks.map((click) =>
      plainClick({ id: nextId++, organizationId, trackedLinkId: 1, ...click }),
    );
    const prepared = await ingest.prepare(made);
    await app.get(Database).write((tx) => ingest.ingest(tx, prepared));
  }

  const build = () => app.get(ClickSumBuilder).build(400);

  const get = async ({ api }: TestOrganization, query: object) =>
    (await api.get(PATH).query(query).expect(200)).body;

  /** First days of the stored periods of an organization, by unit. */
  async function stored({ organizationId }: TestOrganization, unit: 'day' | 'month'): Promise<string[]> {
    const rows = await app.sql<{ start: string }>(
      `SELECT start::text FROM click_sums WHERE organization_id = $1 AND unit = $2 AND claim IS NULL ORDER BY start`,
      [organizationId, unit === 'day' ? 1 : 2],
    );
    return rows.map(({ start }) => start);
  }

  const at = (time: string) => Date.parse(time);
  const counted = (series: Series) => series.filter(({ value }) => value > 0);

  describe('of values that visitors choose', () => {
    let organization: TestOrganization;
    const range = { startDate: '2030-09-25', endDate: '2030-11-05' };
    const VALUES = 260;

    beforeAll(async () => {
      app.clock.set('2030-11-20T12:00:00Z');
      organization = await createOrganization(app, { timeZone: 'UTC' });
      const link = await createLink(organization, { tags: ['Sale'] });
      const clicks = ['2030-09-30', '2030-10-01', '2030-10-31'].flatMap((day, d) =>
        Array.from({ length: VALUES }, (_, i): Given[] => {
          // More clicks on earlier terms; those of the last day are others.
          const given: Given = {
            at: at(`${day}T${String(i % 24).padStart(2, '0')}:10:00Z`),
            trackedLinkId: link.id,
            utm: [i % 2 ? 'mail' : null, null, `term-${d === 2 ? i + 100 : i}`, null],
            userAgent: i % 10 === 0 ? GOOGLEBOT : CHROME,
            ip: `198.51.100.${i % 40}`,
            referrer: `https://site-${i}.example/`,
          };
          return Array.from({ length: i < 20 ? 3 : 1 }, () => given);
        }).flat(),
      );
      await count(organization, clicks);
    });

    async function addUp(): Promise<Record<string, number>> {
      const totals: Record<string, number> = {};
      for (const metric of ['clicks', 'visitors', 'bots']) {
        const { total } = await get(organization, { ...range, metric });
        totals[metric] = total;
        for (const groupBy of BREAKDOWNS) {
          for (const limit of [1, 100]) {
            const { body } = await organization.api.get(PATH).query({ ...range, metric, groupBy, limit });
            const sum = body.groups.reduce((all: number, { value }: { value: number }) => all + value, 0);
            const more = metric === 'visitors' && sum >= total;
            expect({ groupBy, metric, limit, total: body.total, sum }).toEqual({
              groupBy,
              metric,
              limit,
              total,
              sum: more ? sum : total,
            });
          }
        }
      }
      return totals;
    }

    /** Clicks by term with a filter, and without one. */
    async function ofTerm(term: string): Promise<Record<string, number>> {
      const only = await get(organization, { ...range, utmTerm: term });
      const none = await get(organization, { ...range, utmTerm: `!${term}` });
      const programs = await get(organization, { ...range, utmTerm: term, metric: 'bots' });
      const grouped = await get(organization, { ...range, utmTerm: term, groupBy: 'utmTerm' });
      expect(grouped.groups.map(({ key, value }: { key: string; value: number }) => [key, value])).toEqual(
        only.total === 0 ? [] : [[term, only.total]],
      );
      return { only: only.total, none: none.total, programs: programs.total };
    }

    it('add up to the total over every dimension, and rare values are found', async () => {
      const before = await addUp();
      const terms = ['term-1', 'term-110', 'term-255', 'term-350', 'term-999'];
      const ofTerms = [];
      for (const term of terms) ofTerms.push(await ofTerm(term));
      await build();
      expect(await stored(organization, 'month')).toEqual(['2030-10-01']);
      const [row] = await app.sql<{ keys: number; rest: number }>(
        `SELECT cardinality(keys)::int AS keys, clicks[cardinality(clicks)]::int AS rest FROM click_breakdowns
          WHERE organization_id = $1 AND dimension = 'utmTerm' AND unit = 1 AND start = '2030-10-01'`,
        [organization.organizationId],
      );
      expect(row?.keys).toBe(200);
      expect(row?.rest).toBeGreaterThan(0);
      expect(await addUp()).toEqual(before);
      const after = [];
      for (const term of terms) after.push(await ofTerm(term));
      expect(after).toEqual(ofTerms);
    }, 60_000);
  });

  it('include clicks that are counted after their day and month were summed', async () => {
    const organization = await createOrganization(app, { timeZone: 'Asia/Seoul' });
    const other = await createOrganization(app);
    await count(organization, [
      { at: at('2030-09-30T03:00:00Z') },
      { at: at('2030-10-15T03:00:00Z') },
      { at: at('2030-10-16T03:00:00Z') },
    ]);
    await count(other, [{ at: at('2030-10-15T03:00:00Z') }]);
    await build();
    const range = { startDate: '2030-09-30', endDate: '2030-11-05', groupBy: 'country' };
    const answer = async () => {
      const { total, series, groups } = await get(organization, range);
      return {
        total,
        series: counted(series),
        countries: groups.map((each: { value: number }) => each.value),
      };
    };
    expect(await stored(organization, 'month')).toEqual(['2030-10-01']);
    expect(await answer()).toMatchObject({ total: 3, countries: [3] });

    await count(organization, [{ at: at('2030-10-15T04:00:00Z'), ip: '8.8.8.8' }]);
    expect(await stored(organization, 'month')).toEqual([]);
    expect(await stored(organization, 'day')).not.toContain('2030-10-15');
    expect(await stored(other, 'day')).toContain('2030-10-15');
    const late = {
      total: 4,
      series: [
        { start: '2030-09-30', value: 1 },
        { start: '2030-10-15', value: 2 },
        { start: '2030-10-16', value: 1 },
      ],
      countries: [3, 1],
    };
    expect(await answer()).toEqual(late);
    await build();
    expect(await stored(organization, 'month')).toEqual(['2030-10-01']);
    expect(await answer()).toEqual(late);
  });

  it('neither lose nor double clicks that are counted while days and months are summed', async () => {
    const organization = await createOrganization(app, { timeZone: 'UTC' });
    const days = Array.from({ length: 31 }, (_, i) => at('2030-10-01T10:00:00Z') + i * DAY_MS);
    const onEach = (hour: number) => days.map((day) => ({ at: day + hour * HOUR_MS, ip: `8.8.8.${hour}` }));
    await count(organization, onEach(0));
    for (const round of [1, 4, 7]) {
      await Promise.all([
        build(),
        count(organization, onEach(round)),
        build(),
        ...onEach(round + 1).map((click) => count(organization, [click])),
        count(organization, onEach(round + 2)),
      ]);
      const range = { startDate: '2030-10-01', endDate: '2030-10-31', groupBy: 'country' };
      const expected = { total: 31 * (round + 3), groups: [{ key: 'US', value: 31 * (round + 3) }] };
      expect(await get(organization, range)).toMatchObject(expected);
      expect(await get(organization, { ...range, metric: 'visitors' })).toMatchObject(expected);
      await build();
      expect(await stored(organization, 'month')).toEqual(['2030-10-01']);
      expect(await get(organization, range)).toMatchObject(expected);
      expect(await get(organization, { ...range, metric: 'visitors' })).toMatchObject(expected);
    }
  }, 60_000);

  it.each([
    { zone: 'America/New_York', day: '2030-03-10', hours: 23 },
    { zone: 'America/New_York', day: '2030-11-03', hours: 25 },
    { zone: 'Europe/Berlin', day: '2030-03-31', hours: 23 },
    { zone: 'Europe/Berlin', day: '2030-10-27', hours: 25 },
    { zone: 'Asia/Seoul', day: '2030-03-31', hours: 24 },
    { zone: 'Asia/Kolkata', day: '2030-10-27', hours: 24 },
  ])('have every hour of $day in $zone: $hours', async ({ zone, day, hours }) => {
    const organization = await createOrganization(app, { timeZone: zone });
    const { series } = await get(organization, { startDate: day, endDate: day, interval: 'hour' });
    const starts = series.map(({ start }: { start: string }) => at(start));
    expect(starts).toHaveLength(hours);
    const [first] = starts as [number];
    expect(starts).toEqual(Array.from({ length: hours }, (_, i) => first + i * HOUR_MS));
    // One click in the first hour, two in the second, and some in the hours around the day.
    const clicks = [first - 1, first + hours * HOUR_MS].map((time) => ({ at: time }));
    await count(organization, [
      ...clicks,
      ...starts.flatMap((start: number, i: number) =>
        Array.from({ length: i + 1 }, () => ({ at: start + i * 60_000 })),
      ),
    ]);
    const answer = () => get(organization, { startDate: day, endDate: day, interval: 'hour' });
    const read = await answer();
    expect(read.series.map(({ value }: { value: number }) => value)).toEqual(
      Array.from({ length: hours }, (_, i) => i + 1),
    );
    expect(read.total).toBe((hours * (hours + 1)) / 2);
    await build();
    expect(await stored(organization, 'day')).toContain(day);
    expect(await answer()).toEqual(read);
  });

  it('keep the days of the zone in which clicks were counted', async () => {
    const organization = await createOrganization(app, { timeZone: 'Asia/Seoul' });
    app.clock.set('2030-10-10T00:00:00Z');
    // In Seoul the 9th, 10th and 10th, in Los Angeles the 9th, 9th and 10th.
    const times = ['2030-10-09T14:00:00Z', '2030-10-09T16:00:00Z', '2030-10-10T08:00:00Z'].map(at);
    const clicks = times.map((time) => ({ at: time }));
    await count(organization, clicks);
    app.clock.set('2030-10-10T08:30:00Z');
    await consoleApi(app)
      .patch(`/api/v1/console/organizations/${organization.organizationId}`)
      .send({ timeZone: 'America/Los_Angeles' })
      .expect(200);
    await count(organization, clicks);
    app.clock.set('2030-10-13T12:00:00Z');
    const answer = async () =>
      counted((await get(organization, { startDate: '2030-10-05', endDate: '2030-10-12' })).series);
    const expected = [
      { start: '2030-10-09', value: 3 },
      { start: '2030-10-10', value: 3 },
    ];
    expect(await answer()).toEqual(expected);
    await build();
    expect(await stored(organization, 'day')).toEqual(expect.arrayContaining(['2030-10-09', '2030-10-10']));
    expect(await answer()).toEqual(expected);
  });

  it('count a visitor once a day, an hour and a value, once for each link by tag, and again on the next day', async () => {
    const organization = await createOrganization(app, { timeZone: 'UTC' });
    const [first, second] = [
      await createLink(organization, { tags: ['a', 'b'] }),
      await createLink(organization, { tags: ['a'] }),
    ];
    const visit = (time: string, trackedLinkId: number, ip = '8.8.8.8') => ({
      at: at(time),
      trackedLinkId,
      ip,
    });
    await count(organization, [
      visit('2030-10-01T10:00:00Z', first.id),
      visit('2030-10-01T10:30:00Z', second.id),
      visit('2030-10-01T11:00:00Z', second.id),
      visit('2030-10-01T11:00:00Z', second.id, '126.0.0.1'),
      visit('2030-10-02T10:00:00Z', first.id),
      { ...visit('2030-10-02T10:00:00Z', first.id, '126.0.0.9'), userAgent: GOOGLEBOT },
    ]);
    const range = { startDate: '2030-10-01', endDate: '2030-10-02', metric: 'visitors' };
    const figures = async () => {
      const groups = async (query: { groupBy: Breakdown } & object) => {
        const body = await get(organization, { ...range, ...query });
        const values = body.groups.map(({ key, value }: { key: string; value: number }) => [key, value]);
        return { total: body.total, ...Object.fromEntries(values) };
      };
      const hourly = { ...range, endDate: '2030-10-01', interval: 'hour' };
      return {
        days: (await get(organization, range)).series,
        hours: counted((await get(organization, hourly)).series).map(({ value }) => value),
        links: await groups({ groupBy: 'link' }),
        tags: await groups({ groupBy: 'tag' }),
        domains: Object.values(await groups({ groupBy: 'domain' })),
        tagged: await groups({ groupBy: 'country', tag: 'a' } as { groupBy: Breakdown }),
        others: (await get(organization, { ...range, tag: '!b' })).total,
      };
    };
    const expected = {
      days: [
        { start: '2030-10-01', value: 2 },
        { start: '2030-10-02', value: 1 },
      ],
      hours: [1, 2],
      links: { total: 3, [second.id]: 2, [first.id]: 2 },
      tags: { total: 3, a: 4, b: 2 },
      domains: [3, 3],
      tagged: { total: 4, US: 3, JP: 1 },
      others: 2,
    };
    expect(await figures()).toEqual(expected);
    await build();
    expect(await figures()).toEqual(expected);
  });

  it('are deleted with the clicks at the end of the retention, also those of a deleted organization', async () => {
    app.clock.set('2030-03-20T12:00:00Z');
    const kept = await createOrganization(app, { timeZone: 'Pacific/Kiritimati' });
    const deleted = await createOrganization(app, { timeZone: 'Pacific/Pago_Pago' });
    for (const each of [kept, deleted]) {
      const days = Array.from({ length: 70 }, (_, i) => ({ at: at('2030-01-05T12:00:00Z') + i * DAY_MS }));
      await count(each, days);
    }
    await build();
    expect(await stored(kept, 'month')).toEqual(['2030-02-01']);
    const ids = [kept.organizationId, deleted.organizationId];
    await app.sql(`UPDATE organizations SET plan = 'FREE' WHERE id = ANY($1)`, [ids]);
    await app.sql(`UPDATE organizations SET deleted_at = now() WHERE id = $1`, [deleted.organizationId]);
    const tables = async () => {
      const rows = await app.sql<{ table: string; id: number; first: string }>(
        ['click_sums', 'click_breakdowns', 'click_link_sums']
          .map(
            (table) =>
              `SELECT '${table}' AS table, organization_id AS id, min(start)::text AS first FROM ${table} GROUP BY 2`,
          )
          .join(' UNION ALL '),
      );
      return rows.filter(({ id }) => ids.includes(id));
    };
    expect(await tables()).toHaveLength(6);

    // 90 days before are the 12th of February; the oldest day of the retention is the next one.
    app.clock.set('2030-05-13T12:00:00Z');
    await app.get(ClickHousekeeping).deleteOld();
    for (const { first } of await tables()) expect(first).toBe('2030-02-11');
    expect(await stored(kept, 'month')).toEqual([]);
    await app.sql(`UPDATE organizations SET deleted_at = now() WHERE id = $1`, [deleted.organizationId]);

    app.clock.set('2030-09-01T12:00:00Z');
    await app.get(ClickHousekeeping).deleteOld();
    expect(await tables()).toEqual([]);
    const clicks = await app.sql(`SELECT FROM clicks WHERE organization_id = ANY($1)`, [ids]);
    expect(clicks).toEqual([]);
  });

  it('are of use for any number of clicks, of which a query reads five million', async () => {
    const organization = await createOrganization(app, { timeZone: 'UTC' });
    await count(organization, [{ at: at('2030-10-10T12:00:00Z') }, { at: at('2030-10-11T12:00:00Z') }]);
    const range = { startDate: '2030-10-01', endDate: '2030-10-20' };
    const crossed = { ...range, groupBy: 'country', device: 'Desktop' };
    expect((await get(organization, crossed)).total).toBe(2);
    const refused = async (query: object) => {
      const { body } = await organization.api.get(PATH).query(query).expect(400);
      expect(body.code).toBe('RANGE_TOO_LARGE');
      return body.message;
    };
    // As a day of ten million clicks that has no sums yet.
    await app.sql(
      `UPDATE visitor_rollups SET link_clicks = 10000000 WHERE organization_id = $1 AND day = '2030-10-10'`,
      [organization.organizationId],
    );
    expect(await refused(crossed)).toBe(
      'The range has 10000001 clicks, of which a query reads at most 5000000: ask for 9 days, or with fewer filters',
    );
    expect(await refused(range)).toBe(
      'The range has 10000001 clicks on days without sums of these figures, of which a query reads at most 5000000: ask for 9 days',
    );
    expect((await get(organization, { ...crossed, startDate: '2030-10-11' })).total).toBe(1);
    await build();
    // The sums know better how many there are.
    expect((await get(organization, crossed)).total).toBe(2);
    await app.sql(
      `UPDATE click_sums SET bots = 5000000 WHERE organization_id = $1 AND unit = 1 AND start = '2030-10-10'`,
      [organization.organizationId],
    );
    expect(await refused(crossed)).toContain('The range has 5000002 clicks');
    expect((await get(organization, range)).total).toBe(2);
    expect((await get(organization, { ...range, groupBy: 'country' })).groups).toHaveLength(1);
  });
});
