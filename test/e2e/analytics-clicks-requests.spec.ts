import type { Click } from '../../src/modules/clicks/click';
import { countClicks } from '../support/click-sums';
import { createCampaign } from '../support/campaigns';
import { createOrganization } from '../support/factories';
import { codeOf, createApp, createDomain, createLink, SHORT_ORIGIN } from '../support/links';
import { perSuite, SHORT_HOST, useTestApp } from '../support/test-app';
import { GOOGLEBOT, IPHONE, plainClick } from '../support/visits';

const PATH = '/api/v1/service/analytics/clicks';

describe('Requests for clicks of an organization', () => {
  const app = useTestApp();
  let nextId = 800_000;

  beforeAll(() => app.clock.set('2030-11-20T12:00:00Z'));
  const organization = perSuite(() => createOrganization(app, { timeZone: 'Asia/Seoul' }));
  const other = perSuite(() => createOrganization(app));

  const get = (query: object = {}, status = 200) => organization.api.get(PATH, query).expect(status);

  async function count(...clicks: (Partial<Click> & { day: string })[]): Promise<void> {
    await countClicks(
      app,
      clicks.map(({ day, ...click }) =>
        plainClick({
          id: nextId++,
          at: Date.parse(`${day}T12:00:00+09:00`),
          organizationId: organization.organizationId,
          trackedLinkId: 1,
          ...click,
        }),
      ),
    );
  }

  it('are answered with every field, zeros included', async () => {
    const link = await createLink(organization, { title: 'Spring' });
    await count(
      { day: '2030-11-19', trackedLinkId: link.id },
      { day: '2030-11-19', trackedLinkId: link.id, userAgent: IPHONE },
      { day: '2030-11-01', trackedLinkId: link.id },
      { day: '2030-11-19', trackedLinkId: link.id, userAgent: GOOGLEBOT },
    );
    const range = { startDate: '2030-11-18', endDate: '2030-11-20' };
    const compared = { compareStartDate: '2030-11-01', compareEndDate: '2030-11-03' };
    const { body } = await get({ ...range, ...compared, groupBy: 'link' });
    const named = { key: String(link.id), name: 'Spring' };
    expect(body).toEqual({
      ...range,
      timeZone: 'Asia/Seoul',
      timeZoneChangedAt: null,
      interval: 'day',
      metric: 'clicks',
      groupBy: 'link',
      total: 2,
      series: [
        { start: '2030-11-18', value: 0 },
        { start: '2030-11-19', value: 2 },
        { start: '2030-11-20', value: 0 },
      ],
      groups: [{ ...named, id: link.id, address: link.shortUrl, value: 2, percentage: 100 }],
      comparison: {
        startDate: '2030-11-01',
        endDate: '2030-11-03',
        total: 1,
        change: 100,
        series: [
          { start: '2030-11-01', value: 1 },
          { start: '2030-11-02', value: 0 },
          { start: '2030-11-03', value: 0 },
        ],
        groups: [{ ...named, value: 1, change: 100 }],
      },
      meta: { dataRetentionDays: 400 },
    });
    const { body: bots } = await get({ ...range, ...compared, metric: 'bots', groupBy: 'bot' });
    expect(bots.groups).toEqual([
      { key: 'Googlebot', name: 'Googlebot', id: null, address: null, value: 1, percentage: 100 },
    ]);
    expect(bots.comparison).toMatchObject({
      total: 0,
      change: null,
      groups: [{ key: 'Googlebot', value: 0, change: null }],
    });
  });

  it('list groups that only the comparison range has, where room is left', async () => {
    const link = await createLink(organization);
    const click = (day: string, referrer: string) => ({ day, trackedLinkId: link.id, referrer });
    await count(
      ...['a', 'a', 'b', 'b', 'b', 'c'].map((name) => click('2030-03-01', `https://${name}.example/`)),
      ...['a', 'd'].map((name) => click('2030-03-02', `https://${name}.example/`)),
    );
    const groups = async (limit: number) => {
      const { body } = await get({
        ...{ startDate: '2030-03-02', endDate: '2030-03-02', groupBy: 'referrer', limit },
        ...{ compareStartDate: '2030-03-01', compareEndDate: '2030-03-01' },
      });
      return body.groups.map(({ key, value }: { key: string; value: number }, index: number) => {
        const before = body.comparison.groups[index];
        expect(before.key).toBe(key);
        return [key, value, before.value, before.change];
      });
    };
    const [a, d] = [
      ['a.example', 1, 2, -50],
      ['d.example', 1, 0, null],
    ];
    const [b, c] = [
      ['b.example', 0, 3, -100],
      ['c.example', 0, 1, -100],
    ];
    expect(await groups(10)).toEqual([a, d, b, c]);
    expect(await groups(3)).toEqual([a, d, b, ['(other)', 0, 1, -100]]);
    expect(await groups(2)).toEqual([a, d, ['(other)', 0, 4, -100]]);
  });

  it('name links, campaigns, apps, domains and countries, deleted ones too', async () => {
    const domainId = await createDomain(app, organization, 'links.example.com', 'ACTIVE');
    const link = await createLink(organization, { customDomainId: domainId });
    const campaign = await createCampaign(organization, { name: 'Autumn' });
    const appId = await createApp(app, organization, 'iOS', 'shop');
    await count(
      { day: '2030-10-05', trackedLinkId: link.id, ip: '211.234.1.1', appIds: [appId] },
      { day: '2030-10-05', trackedLinkId: campaign.id, kind: 'campaign' },
      { day: '2030-10-05', trackedLinkId: campaign.id, kind: 'campaign' },
    );
    await organization.api.delete(`/api/v1/service/urls/${link.id}`).expect(204);
    const groups = async (groupBy: string) =>
      (await get({ startDate: '2030-10-05', endDate: '2030-10-05', groupBy })).body.groups.map(
        ({ value: _, percentage: __, ...group }: Record<string, unknown>) => group,
      );
    const plain = { id: null, address: null };
    const none = { key: '(none)', name: '(none)', ...plain };
    expect(await groups('campaign')).toEqual([
      {
        key: String(campaign.id),
        name: 'Autumn',
        id: campaign.id,
        address: `${SHORT_ORIGIN}/c/${campaign.alias}`,
      },
      none,
    ]);
    expect(await groups('link')).toEqual([
      none,
      expect.objectContaining({ id: link.id, address: `https://links.example.com/${codeOf(link)}` }),
    ]);
    expect(await groups('app')).toEqual([
      none,
      { key: String(appId), name: 'Shop', id: appId, address: null },
    ]);
    expect(await groups('domain')).toEqual([
      { key: SHORT_HOST, name: SHORT_HOST, ...plain },
      { key: 'links.example.com', name: 'links.example.com', ...plain },
    ]);
    expect(await groups('country')).toEqual([
      { key: 'Unknown', name: 'Unknown', ...plain },
      { key: 'KR', name: 'South Korea', ...plain },
    ]);
    await organization.api.delete(`/api/v1/service/mobile-apps/${appId}`).expect(204);
    const filters = [
      { link: link.id },
      { app: appId },
      { domain: 'Links.Example.com' },
      { domain: `!${SHORT_HOST}` },
    ];
    for (const filter of filters) {
      const { body } = await get({ startDate: '2030-10-05', endDate: '2030-10-05', ...filter });
      expect(body.total).toBe(1);
    }
  });

  it.each([
    ['colour=red', 'colour'],
    ['country=', 'country'],
    ['country=!', 'country'],
    ['channel=!%5C', 'channel'],
    ['country=Korea', 'country'],
    ['device=Phone', 'device'],
    ['link=abc', 'link'],
    ['campaign=!x', 'campaign'],
    ['compareStartDate=2030-10-01', 'compareEndDate'],
    ['compareEndDate=2030-10-01', 'compareStartDate'],
    ['interval=hour&startDate=2030-10-01&endDate=2030-11-01', 'interval'],
    [
      'interval=hour&startDate=2030-10-01&endDate=2030-10-01&compareStartDate=2030-09-01&compareEndDate=2030-10-02',
      'interval',
    ],
  ])('are refused by the name of the field: %s', async (query, field) => {
    const { body } = await organization.api.get(`${PATH}?${query}`).expect(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
  });

  it.each([
    [
      'compareStartDate=2030-10-02&compareEndDate=2030-10-01',
      'compareStartDate',
      'must not be after compareEndDate',
    ],
    [
      'compareStartDate=2029-09-30&compareEndDate=2030-10-01',
      'compareStartDate',
      'must be at most 365 days before compareEndDate',
    ],
    ['startDate=2030-10-02&endDate=2030-10-01', 'startDate', 'must not be after endDate'],
  ])('name the end of a range that is wrong: %s', async (query, field, message) => {
    const { body } = await organization.api.get(`${PATH}?${query}`).expect(400);
    expect(body).toMatchObject({ code: 'INVALID_DATE_RANGE', details: [{ field, message }] });
  });

  it('are refused for resources of another organization, as for those of none', async () => {
    const link = await createLink(other);
    const campaign = await createCampaign(other);
    const appId = await createApp(app, other, 'iOS', 'theirs');
    await createDomain(app, other, 'theirs.example.com', 'ACTIVE');
    for (const query of [
      { link: link.id },
      { campaign: `!${campaign.id}` },
      { link: 999_999_999 },
      { domain: 'theirs.example.com' },
    ]) {
      const { body } = await get(query, 404);
      expect(body).toMatchObject({ code: 'NOT_FOUND', details: [{ field: Object.keys(query)[0] }] });
    }
    for (const id of [appId, 999_999_999]) {
      const { body } = await get({ app: id }, 403);
      expect(body).toMatchObject({ code: 'APP_NOT_OWNED', details: [{ field: 'app' }] });
    }
  });

  it('take values that begin with a mark after a backslash, and the longest destinations', async () => {
    const day = '2030-08-02';
    const variant = `https://shop.example.com/${'x'.repeat(975)}`;
    const values = ['!x', '\\x', '\\!x', 'x'];
    await count(...values.map((value) => ({ day, utm: [value, null, null, null] as Click['utm'] })));
    await count({ day, variant });
    const range = { startDate: day, endDate: day };
    const total = async (query: object) => (await get({ ...range, ...query })).body.total as number;
    for (const value of values.slice(0, 3)) {
      expect(await total({ utmSource: `\\${value}` })).toBe(1);
      expect(await total({ utmSource: `!\\${value}` })).toBe(4);
    }
    expect(await total({ utmSource: '!x' })).toBe(4);
    expect(await total({ utmSource: '\\x' })).toBe(1);
    expect(variant).toHaveLength(1_000);
    expect([await total({ variant }), await total({ variant: `!\\${variant}` })]).toEqual([1, 4]);
  });
});
