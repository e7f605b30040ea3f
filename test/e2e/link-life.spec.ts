import { CAMPAIGNS, createCampaign } from '../support/campaigns';
import { consoleApi, createOrganization } from '../support/factories';
import { eventually, heard } from '../support/eventually';
import { createDomain, createLink, URLS } from '../support/links';
import { perSuite, SHORT_HOST, type TestApp, useTestApp } from '../support/test-app';
import { CHROME, GOOGLEBOT, IPHONE, visit } from '../support/visits';

const NOW = '2026-11-20T08:32:00Z';
const THERE = 'https://shop.example.com/spring';
const SOON = 'https://shop.example.com/soon?a=%2B&b';
const OVER = 'https://shop.example.com/over#here';
const PREVIEW = 'facebookexternalhit/1.1';

const AGENTS = [CHROME, IPHONE, GOOGLEBOT, PREVIEW];
/** A field that the fast path leaves to node:http. */
const READERS: Record<string, string>[] = [{}, { 'Proxy-Connection': 'keep-alive' }];

/** The same answer to every visitor. */
const rightAnswers = (status: number, location?: string): unknown[] =>
  Array(2 * AGENTS.length * READERS.length).fill([status, location]);

interface Made {
  id: number;
  host: string;
  path: string;
}

describe.each([
  ['on two processes', true],
  ['on one process without Redis', false],
])('links and campaigns that do not answer, %s', (_, redis) => {
  const app = useTestApp({ redis });
  // Without Redis there is only one process.
  const processes = redis ? [app, useTestApp(() => ({ database: app.database, redis }))] : [app];
  let host: string;
  let customDomainId: number;

  const org = perSuite(() => createOrganization(app));
  beforeAll(async () => {
    host = 'go.life.example';
    customDomainId = await createDomain(app, org, host, 'ACTIVE');
  });
  beforeEach(() => setClocks(NOW));

  const setClocks = (time: string) => processes.forEach(({ clock }) => clock.set(time));

  const kinds = {
    links: {
      make: async (body: object = {}): Promise<Made> => {
        const { id, link } = await createLink(org, { url: THERE, ...body });
        return made(id, link as string);
      },
      put: ({ id }: Made, { expiresAt, ...body }: Record<string, unknown>) =>
        org.api.put(`${URLS}/${id}`, {
          ...body,
          ...(expiresAt !== undefined && { expirationDate: expiresAt }),
        }),
    },
    campaigns: {
      make: async (body: object = {}): Promise<Made> => {
        const { id, link } = await createCampaign(org, { originalUrl: THERE, ...body });
        return made(id, link as string);
      },
      put: ({ id }: Made, body: Record<string, unknown>) => org.api.put(`${CAMPAIGNS}/${id}`, body),
    },
  };

  function made(id: number, link: string): Made {
    const { host: on, pathname } = new URL(link);
    return { id, host: on, path: pathname };
  }

  /** The answers of a process to every visitor, by either reader of requests: status and Location. */
  async function answersOf(process: TestApp, { host: on, path }: Made): Promise<unknown[]> {
    const asked = (['get', 'head'] as const).flatMap((method) =>
      AGENTS.flatMap((userAgent) =>
        READERS.map(async (headers) => {
          const answer = await visit(process, path, { host: on, method, userAgent, headers });
          expect(answer.headers['cache-control']).toBe('private, no-store');
          return [answer.status, answer.headers.location];
        }),
      ),
    );
    return Promise.all(asked);
  }

  /** Waits until every process answers as expected. */
  async function settles(link: Made, status: number, location?: string): Promise<void> {
    const expected = processes.map(() => rightAnswers(status, location));
    const asked = () => Promise.all(processes.map((process) => answersOf(process, link)));
    await heard(async () => expect(await asked()).toEqual(expected));
  }

  describe.each(['links', 'campaigns'] as const)('%s', (kind) => {
    const { make, put } = kinds[kind];

    it.each(['short', 'custom'])('become right on every process, on the %s domain', async (domain) => {
      const link = await make(domain === 'custom' ? { customDomainId } : {});
      await settles(link, 302, THERE);
      for (const [change, status, location] of [
        [{ enabled: false }, 404],
        [{ enabled: true }, 302, THERE],
        [{ startsAt: '2026-11-20T08:33:00Z' }, 404],
        [{ notStartedUrl: SOON }, 302, SOON],
        [{ enabled: false }, 404],
        [{ enabled: true, startsAt: null }, 302, THERE],
        [{ startsAt: '2026-11-20T08:31:00Z' }, 302, THERE],
        [{ archived: true }, 302, THERE],
      ] as [object, number, string?][]) {
        await put(link, { ...change }).expect(200);
        await settles(link, status, location);
      }
      await put(link, { expiresAt: '2026-11-20T08:33:00Z' }).expect(200);
      setClocks('2026-11-20T08:33:00Z');
      await settles(link, 410);
      await put(link, { expiredUrl: OVER }).expect(200);
      await settles(link, 302, OVER);
      await put(link, { enabled: false }).expect(200);
      await settles(link, 404);
    });

    it('start and expire at their millisecond, without an announcement', async () => {
      const link = await make({
        startsAt: '2026-11-20T08:33:00.250Z',
        [kind === 'links' ? 'expirationDate' : 'expiresAt']: '2026-11-20T08:34:00.750Z',
        expiredUrl: OVER,
      });
      for (const [time, status, location] of [
        ['2026-11-20T08:33:00.249Z', 404],
        ['2026-11-20T08:33:00.250Z', 302, THERE],
        ['2026-11-20T08:34:00.749Z', 302, THERE],
        ['2026-11-20T08:34:00.750Z', 302, OVER],
      ] as [string, number, string?][]) {
        setClocks(time);
        for (const process of processes)
          expect(await answersOf(process, link)).toEqual(rightAnswers(status, location));
      }
    });
  });

  it('are answered like unknown ones, by their domain', async () => {
    const link = await kinds.links.make({ customDomainId, enabled: false, password: 'open sesame' });
    const pageOf = async (path: string, options: object) => {
      const { status, text, headers } = await visit(app, path, { host, ...options });
      return { status, text: text.replaceAll(/nonce="[^"]+"/g, ''), allow: headers.allow as unknown };
    };
    for (const options of [{}, { method: 'post' }])
      expect(await pageOf(link.path, options)).toEqual(await pageOf('/nothing', options));
    await app.alter(`UPDATE custom_domains SET not_found_url = $2 WHERE id = $1`, [customDomainId, OVER]);
    const other = await createDomain(app, org, 'other.life.example', 'ACTIVE');
    await app.alter(`UPDATE custom_domains SET not_found_url = $2, expired_url = $2 WHERE id = $1`, [
      other,
      OVER,
    ]);
    const off = await kinds.links.make({ customDomainId: other, enabled: false });
    await settles(off, 302, OVER);
    const early = await kinds.links.make({
      customDomainId: other,
      startsAt: '2027-01-01',
      expiredUrl: THERE,
    });
    await settles(early, 302, OVER);
    const over = await kinds.links.make({
      customDomainId: other,
      expirationDate: '2026-11-20',
      expiredUrl: SOON,
    });
    setClocks('2026-11-21T00:00:00Z');
    await settles(over, 302, SOON);
    await kinds.links.put(over, { expiredUrl: null }).expect(200);
    await settles(over, 302, OVER);
  });

  it('lead to expiredUrl when they are used up, and take no password before they start', async () => {
    const limited = await kinds.links.make({ maxClicks: 1, expiredUrl: OVER });
    await visit(app, limited.path).expect(302).expect('Location', THERE);
    await settles(limited, 302, OVER);
    const locked = await kinds.links.make({
      password: 'open sesame',
      startsAt: '2027-01-01',
      notStartedUrl: SOON,
    });
    await settles(locked, 302, SOON);
    await visit(app, locked.path, { method: 'post' }).expect(302).expect('Location', SOON);
  });

  it('stay disabled by the platform whatever the organization sets', async () => {
    const link = await kinds.links.make({ startsAt: '2027-01-01', notStartedUrl: SOON });
    const base = org.consolePath;
    await consoleApi(app).put(`${base}/links/${link.id}/disabled`, { reason: 'Phishing' }).expect(200);
    await settles(link, 410);
    await kinds.links.put(link, { enabled: false }).expect(200);
    await settles(link, 410);
  });

  it('are not counted', async () => {
    const states = [
      { enabled: false },
      { startsAt: '2027-01-01' },
      { startsAt: '2027-01-01', notStartedUrl: SOON },
      { expirationDate: '2026-11-20 08:33', expiredUrl: OVER },
    ];
    const links = await Promise.all(states.map((state) => kinds.links.make(state)));
    const open = await kinds.links.make();
    setClocks('2026-11-20T08:34:00Z');
    for (const { path } of [...links, open]) await visit(app, path, { host: SHORT_HOST });
    await eventually(async () => expect((await org.api.get(`${URLS}/${open.id}`)).body.clickCount).toBe(1));
    for (const { id } of links) expect((await org.api.get(`${URLS}/${id}`)).body.clickCount).toBe(0);
  });
});
