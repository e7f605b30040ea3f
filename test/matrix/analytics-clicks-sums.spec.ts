import { BREAKDOWNS } from '../../src/modules/click-statistics/breakdowns/breakdowns';
import { ClickHousekeeping } from '../../src/modules/click-statistics/retention/click-housekeeping';
import { clickSums, type GivenClick } from '../support/click-sums';
import { createOrganization, type TestOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { useTestApp } from '../support/test-app';
import { CHROME, GOOGLEBOT } from '../support/visits';

const PATH = '/api/v1/service/analytics/clicks';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Series = { start: string; value: number }[];

describe('Sums of clicks by day and month', () => {
  const app = useTestApp();

  beforeEach(() => app.clock.set('2030-11-20T12:00:00Z'));

  const { count, build, get, stored } = clickSums(app);

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
        Array.from({ length: VALUES }, (_, i): GivenClick[] => {
          // More clicks on earlier terms; those of the last day are others.
          const given: GivenClick = {
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
      const rare: GivenClick = {
        at: at('2030-11-05T10:10:00Z'),
        trackedLinkId: link.id,
        utm: [null, null, 'term-355', null],
      };
      await count(organization, [...clicks, rare]);
    });

    async function addUp(): Promise<Record<string, number>> {
      const totals: Record<string, number> = {};
      for (const metric of ['clicks', 'visitors', 'bots']) {
        const { total } = await get(organization, { ...range, metric });
        totals[metric] = total;
        for (const groupBy of BREAKDOWNS) {
          for (const limit of [1, 100]) {
            const { body } = await organization.api.get(PATH, { ...range, metric, groupBy, limit });
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

    /** A term that is rare in the months before. */
    const comparison = () =>
      get(organization, {
        startDate: '2030-11-05',
        endDate: '2030-11-05',
        compareStartDate: '2030-09-01',
        compareEndDate: '2030-10-31',
        groupBy: 'utmTerm',
      });

    it('add up to the total over every dimension, and rare values are found', async () => {
      const before = await addUp();
      const terms = ['term-1', 'term-110', 'term-255', 'term-350', 'term-999'];
      const ofTerms = [];
      const beside = await comparison();
      expect(beside.groups[0]).toMatchObject({ key: 'term-355', value: 1 });
      expect(beside.comparison.groups[0]).toMatchObject({ key: 'term-355', value: 1 });
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
      expect(await comparison()).toEqual(beside);
      const after = [];
      for (const term of terms) after.push(await ofTerm(term));
      expect(after).toEqual(ofTerms);
    });
  });

  it('are built although those of another organization cannot be', async () => {
    const [broken, whole] = [await createOrganization(app), await createOrganization(app)];
    // The newest is due first.
    await count(broken, [{ at: at('2030-11-15T03:00:00Z') }]);
    await count(whole, [{ at: at('2030-11-01T03:00:00Z') }]);
    await app.sql(
      `ALTER TABLE click_sums ADD CONSTRAINT broken CHECK (organization_id <> ${broken.organizationId})`,
    );
    await expect(build()).rejects.toThrow('broken');
    await app.sql('ALTER TABLE click_sums DROP CONSTRAINT broken');
    expect(await stored(whole, 'day')).toContain('2030-11-01');
    expect(await stored(broken, 'day')).toEqual([]);
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
      const { body } = await organization.api.get(PATH, query).expect(400);
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
