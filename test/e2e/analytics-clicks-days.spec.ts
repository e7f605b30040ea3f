import type { Breakdown } from '../../src/modules/click-statistics/breakdowns/breakdowns';
import { clickSums } from '../support/click-sums';
import { eventually } from '../support/eventually';
import { consoleApi, createOrganization } from '../support/factories';
import { codeOf, createLink } from '../support/links';
import { useTestApp } from '../support/test-app';
import { CHROME, GOOGLEBOT, IPHONE, visit } from '../support/visits';

const HOUR_MS = 3_600_000;

describe('Clicks of an organization by day', () => {
  const app = useTestApp();
  const { count, build, get, stored } = clickSums(app);

  beforeEach(() => app.clock.set('2030-11-20T12:00:00Z'));

  const at = (time: string) => Date.parse(time);
  const counted = (series: { start: string; value: number }[]) => series.filter(({ value }) => value > 0);

  it.each([
    { zone: 'America/New_York', day: '2030-03-10', hours: 23 },
    { zone: 'America/New_York', day: '2030-11-03', hours: 25 },
    { zone: 'Europe/Berlin', day: '2030-03-31', hours: 23 },
    { zone: 'Europe/Berlin', day: '2030-10-27', hours: 25 },
    { zone: 'Asia/Seoul', day: '2030-03-31', hours: 24 },
    { zone: 'Asia/Kolkata', day: '2030-10-27', hours: 24 },
  ])('have every hour of $day in $zone: $hours', async ({ zone, day, hours }) => {
    app.clock.set(new Date(at(`${day}T12:00:00Z`) + 10 * 24 * HOUR_MS).toISOString());
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
    // The next test need not sum its days.
    await app.sql('UPDATE organizations SET deleted_at = now() WHERE id = $1', [organization.organizationId]);
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
      .patch(`/api/v1/console/organizations/${organization.organizationId}`, {
        timeZone: 'America/Los_Angeles',
      })
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
    const clickAt = (time: string, trackedLinkId: number, ip = '8.8.8.8') => ({
      at: at(time),
      trackedLinkId,
      ip,
    });
    await count(organization, [
      clickAt('2030-10-01T10:00:00Z', first.id),
      clickAt('2030-10-01T10:30:00Z', second.id),
      clickAt('2030-10-01T11:00:00Z', second.id),
      clickAt('2030-10-01T11:00:00Z', second.id, '126.0.0.1'),
      clickAt('2030-10-02T10:00:00Z', first.id),
      { ...clickAt('2030-10-02T10:00:00Z', first.id, '126.0.0.9'), userAgent: GOOGLEBOT },
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

  it('are those of people and programs, without repeated ones where a link is de-duplicated', async () => {
    const organization = await createOrganization(app, { timeZone: 'UTC' });
    const link = await createLink(organization);
    const path = `/${codeOf(link)}`;
    await consoleApi(app)
      .put(`/api/v1/console/organizations/${organization.organizationId}/links/${link.id}/settings`, {
        deduplication: { enabled: true, windowMinutes: 60 },
      })
      .expect(200);
    const visits = [
      { ip: '8.8.8.8', userAgent: CHROME },
      // The same address, so the same visitor for de-duplication.
      { ip: '8.8.8.8', userAgent: CHROME },
      { ip: '8.8.8.8', userAgent: IPHONE },
      { ip: '8.8.4.4', userAgent: CHROME },
      { ip: '66.249.66.1', userAgent: GOOGLEBOT },
      { ip: '66.249.66.1', userAgent: GOOGLEBOT },
    ];
    for (const each of visits) await visit(app, path, each).expect(302);
    const day = { startDate: '2030-11-20', endDate: '2030-11-20' };
    const figures = async () => {
      const totals = { clicks: 0, visitors: 0, bots: 0 };
      for (const metric of ['clicks', 'visitors', 'bots'] as const)
        totals[metric] = (await get(organization, { ...day, metric })).total;
      return totals;
    };
    await eventually(async () => expect(await figures()).toEqual({ clicks: 2, visitors: 2, bots: 2 }));
    app.clock.set('2030-11-21T12:00:00Z');
    await build();
    expect(await stored(organization, 'day')).toContain('2030-11-20');
    expect(await figures()).toEqual({ clicks: 2, visitors: 2, bots: 2 });
    const { groups } = await get(organization, { ...day, metric: 'bots', groupBy: 'bot' });
    expect(groups).toMatchObject([{ key: 'Googlebot', value: 2 }]);
  });
});
