import { get as httpGet, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClickResponse as Listed } from '../../src/modules/click-statistics/click-log/click-log.dto';
import { ClickLogQuery } from '../../src/modules/click-statistics/click-log/click-log.query';
import type { Click } from '../../src/modules/clicks/click';
import { countClicks } from '../support/click-sums';
import { createCampaign } from '../support/campaigns';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { API_HOST, perSuite, useTestApp } from '../support/test-app';
import { GOOGLEBOT, IPHONE, plainClick, visit } from '../support/visits';

const NOW = '2026-11-20T08:32:00Z';
const DAY = 86_400_000;

describe('clicks one by one', () => {
  const app = useTestApp();
  let nextId = 1;

  beforeAll(() => app.clock.set(NOW));
  const org = perSuite(() => createOrganization(app));

  const count = (clicks: Click[]) => countClicks(app, clicks);
  const clickOf = (trackedLinkId: number, at: string, fields: Partial<Click> = {}) =>
    plainClick({
      id: nextId++,
      at: Date.parse(at),
      trackedLinkId,
      organizationId: org.organizationId,
      ...fields,
    });
  const pathOf = (id: number) => `/api/v1/service/urls/${id}/clicks`;
  const list = (id: number, query: object = {}) =>
    org.api.read<{ items: Listed[]; nextCursor: string | null }>(pathOf(id), query);
  const idsOf = async (id: number, query: object = {}) =>
    (await list(id, query)).items.map((item) => item.id);
  const exported = async (id: number, query: object = {}) =>
    (
      await org.api
        .get(`${pathOf(id)}/export`, query)
        .buffer(true)
        .expect(200)
    ).text;

  it('show what a visit of a link told, and no address', async () => {
    const link = await createLink(org, {
      utmSource: 'news',
      variants: [
        { url: 'https://example.com/a', weight: 50 },
        { url: 'https://example.com/b', weight: 50 },
      ],
    });
    await visit(app, new URL(link.shortUrl).pathname + '?utm_content=a:b', {
      ip: '168.126.63.1',
      userAgent: IPHONE,
      headers: { Referer: 'https://www.example.com/q' },
    }).expect(302);
    const { items, nextCursor } = await eventually(async () => {
      const page = await list(link.id);
      expect(page.items).toHaveLength(1);
      return page;
    });
    expect(nextCursor).toBeNull();
    const [{ id }] = (await app.sql<{ id: number }>('SELECT id FROM clicks WHERE tracked_link_id = $1', [
      link.id,
    ])) as [{ id: number }];
    expect(items).toEqual([
      {
        id,
        clickedAt: NOW,
        urlId: link.id,
        campaignId: null,
        country: 'KR',
        deviceType: 'Mobile',
        os: 'iOS',
        browser: 'Mobile Safari',
        referrer: 'example.com',
        tracker: null,
        customId: null,
        utmSource: 'news',
        utmMedium: null,
        utmTerm: null,
        utmContent: 'a:b',
        utmCampaign: null,
        variant: expect.stringMatching(/^https:\/\/example\.com\/[ab]$/) as string,
        isBot: false,
        region: null,
        city: null,
      },
    ]);
  });

  it('show tracker and customer of a campaign, and null for what is unknown', async () => {
    const campaign = await createCampaign(org);
    await count([
      clickOf(campaign.id, NOW, {
        kind: 'campaign',
        tracker: 'poster',
        customId: '=1+1',
        ip: '10.0.0.1',
        userAgent: '',
      }),
    ]);
    const path = `/api/v1/service/campaigns/${campaign.id}/clicks`;
    const { body } = await org.api.get(path, { bots: 'include' }).expect(200);
    expect(body.items).toEqual([
      expect.objectContaining({
        urlId: null,
        campaignId: campaign.id,
        tracker: 'poster',
        customId: '=1+1',
        country: null,
        deviceType: null,
        os: null,
        browser: null,
        referrer: null,
        isBot: true,
        region: null,
        city: null,
      }),
    ]);
    const file = await org.api.get(`${path}/export`, { bots: 'only' }).buffer(true).expect(200);
    expect(file.headers['content-disposition']).toBe(
      `attachment; filename="campaign-${campaign.id}-clicks.csv"`,
    );
    const [header, row, end] = file.text.split('\r\n');
    expect(header).toBe(Object.keys(body.items[0]).join(','));
    expect(row).toContain(",poster,'=1+1,");
    expect(end).toBe('');
  });

  it('are paged newest first, each once, while others arrive', async () => {
    const { id } = await createLink(org);
    // Equal times, in one month and over the border of two.
    const times = ['2026-10-31T23:59:59.999Z', '2026-11-01T00:00:00Z', '2026-11-01T00:00:00.001Z'];
    const clicks = times.flatMap((at) => Array.from({ length: 5 }, () => clickOf(id, at)));
    await count(clicks);
    const seen: number[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null; pages++) {
      expect(pages).toBeLessThan(5);
      const page: { items: Listed[]; nextCursor: string | null } = await list(id, { limit: 4, cursor });
      seen.push(...page.items.map((item) => item.id));
      cursor = page.nextCursor;
      await count([clickOf(id, NOW)]);
    }
    const newestFirst = [...clicks].sort((a, b) => b.at - a.at || b.id - a.id).map((click) => click.id);
    expect(seen).toEqual(newestFirst);
    expect((await list(id, { limit: 19 })).nextCursor).toBeNull();
    expect((await list(id, { limit: 18 })).nextCursor).not.toBeNull();
  });

  it('of bots are left out, included, or alone', async () => {
    const { id } = await createLink(org);
    const clicks = [0, 1, 2, 3, 4].map((second) =>
      clickOf(id, `2026-11-20T08:00:0${second}Z`, second % 2 ? { userAgent: GOOGLEBOT } : {}),
    );
    await count(clicks);
    const expected = (...picked: number[]) => picked.map((i) => clicks[i]?.id);
    expect(await idsOf(id)).toEqual(expected(4, 2, 0));
    expect(await idsOf(id, { bots: 'only' })).toEqual(expected(3, 1));
    expect(await idsOf(id, { bots: 'include' })).toEqual(expected(4, 3, 2, 1, 0));
    expect(await idsOf(id, { bots: 'include', limit: 2 })).toEqual(expected(4, 3));
  });

  it('are those of whole days, as far as the plan keeps them', async () => {
    const short = await createOrganization(app, { plan: 'PRO' });
    const { clickRetentionDays } = short.caller.organization.limits;
    const { id } = await createLink(short);
    const oldest = Date.parse(`${NOW.slice(0, 10)}T00:00:00Z`) - (clickRetentionDays - 1) * DAY;
    const at = [
      oldest - 1,
      oldest,
      Date.parse('2026-11-18T23:59:59.999Z'),
      Date.parse('2026-11-19T00:00:00Z'),
    ];
    const clicks = at.map((time) =>
      clickOf(id, new Date(time).toISOString(), { organizationId: short.organizationId }),
    );
    await count(clicks);
    const ids = async (query: object) => {
      const { body } = await short.api.get(pathOf(id), query).expect(200);
      return (body.items as Listed[]).map((item) => clicks.findIndex((click) => click.id === item.id));
    };
    expect(await ids({})).toEqual([3, 2, 1]);
    expect(await ids({ startDate: '2000-01-01' })).toEqual([3, 2, 1]);
    expect(await ids({ startDate: '2026-11-19' })).toEqual([3]);
    expect(await ids({ endDate: '2026-11-18' })).toEqual([2, 1]);
    expect(await ids({ startDate: '2026-11-18', endDate: '2026-11-18' })).toEqual([2]);
    expect(await ids({ endDate: '2000-01-01' })).toEqual([]);
    const timeZone = 'Asia/Seoul';
    expect(await ids({ startDate: '2026-11-19', timeZone })).toEqual([3, 2]);
    expect(await ids({ startDate: '2026-11-18', endDate: '2026-11-18', timeZone })).toEqual([]);
    expect(await ids({ endDate: '2026-11-19', timeZone: 'America/New_York' })).toEqual([3, 2, 1]);
    expect(await ids({ startDate: '2026-11-19', timeZone: 'America/New_York' })).toEqual([]);
  });

  it.each([
    [{ timeZone: 'Asia/Atlantis' }, 'VALIDATION_FAILED'],
    [{ startDate: '2026-11-20', endDate: '2026-11-19' }, 'INVALID_DATE_RANGE'],
    [{ cursor: 'AAAA' }, 'INVALID_CURSOR'],
    [{ cursor: '_'.repeat(22) }, 'INVALID_CURSOR'],
  ])('are refused for %j', async (query, code) => {
    const { id } = await createLink(org);
    expect((await org.api.get(pathOf(id), query).expect(400)).body.code).toBe(code);
  });

  describe('as a file', () => {
    const clicks: Click[] = [];

    const link = perSuite(() => createLink(org));
    beforeAll(async () => {
      for (let n = 0; n < 5_000; n++) {
        clicks.push(
          clickOf(link.id, '2026-11-19T00:00:00Z', {
            at: Date.parse('2026-11-19T00:00:00Z') + Math.floor(n / 3),
          }),
        );
      }
      await count(clicks);
    });

    it('have each click once', async () => {
      const expected = clicks.map((click) => click.id).reverse();
      const lines = (await exported(link.id, { format: 'ndjson' })).split('\n');
      expect(lines.pop()).toBe('');
      expect(lines.map((line) => (JSON.parse(line) as Listed).id)).toEqual(expected);
      const [, ...rows] = (await exported(link.id)).trimEnd().split('\r\n');
      expect(rows.map((row) => Number(row.split(',')[0]))).toEqual(expected);
      expect(rows[0]).toContain(',2026-11-19T00:00:01Z,');
    });

    it('are empty without clicks in range', async () => {
      expect(await exported(link.id, { format: 'ndjson', endDate: '2026-11-18' })).toBe('');
      expect(await exported(link.id, { endDate: '2026-11-18' })).toMatch(/^id,clickedAt,.*\r\n$/);
    });

    const open = (query = '') =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { Host: API_HOST, 'X-API-KEY': org.apiKey };
        httpGet(`${app.url}${pathOf(link.id)}/export${query}`, { headers }, resolve).on('error', reject);
      });

    it('stop being read when the client leaves', async () => {
      const reads = jest.spyOn(app.get(ClickLogQuery), 'read');
      const answer = await open();
      answer.once('data', () => answer.destroy());
      await new Promise((resolve) => answer.once('close', resolve));
      const settled = async () => {
        const before = reads.mock.calls.length;
        await delay(100);
        expect(reads.mock.calls.length).toBe(before);
      };
      await eventually(settled);
      expect(reads.mock.calls.length).toBeLessThan(25);
      reads.mockRestore();
    });
  });
});
