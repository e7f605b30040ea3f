import { Agent, request as httpRequest } from 'node:http';
import { ClickRecorder } from '../../src/modules/clicks/click-recorder';
import { PLAY_STORE, registerApp } from '../support/apps';
import { createCampaign } from '../support/campaigns';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { HOSTILE } from '../support/hostile';
import { codeOf, createLink } from '../support/links';
import { increases, type Scrape, scrape } from '../support/scrape';
import { API_HOST, perSuite, SHORT_HOST, TestApp, useTestApp } from '../support/test-app';
import { GALAXY, GOOGLEBOT, visit } from '../support/visits';

const IP = '203.0.113.99';

interface Line extends Record<string, unknown> {
  msg: string;
}

describe('Answers of short domains', () => {
  const lines: Line[] = [];
  const logTo = { write: (line: string) => lines.push(JSON.parse(line) as Line) };
  const env = { OPERATIONS_PORT: '0', REDIRECT_LOG: 'all' };
  const app = useTestApp({ env, logTo });
  const organization = perSuite(() => createOrganization(app));
  beforeEach(() => lines.splice(0));

  const redirects = (before: Scrape, after: Scrape) => increases('waypost_redirects_total', before, after);
  const logged = () => lines.filter(({ msg }) => msg === 'redirect');

  it('count by answer and kind, and each has a line', async () => {
    const { organizationId } = organization;
    const { id: androidAppId } = await registerApp(organization, {
      platform: 'Android',
      storeUrl: PLAY_STORE,
    });
    const link = await createLink(organization);
    const campaign = await createCampaign(organization, { alias: 'spring' });
    const opened = await createLink(organization, { androidAppId, androidDeepLinkPath: '/p' });
    const page = await createLink(organization, { showAdPage: true });
    const closed = await createLink(organization, {
      expirationDate: new Date(app.clock.now() + 60_000).toISOString(),
    });
    const off = await createLink(organization, { enabled: false });
    const gate = await createLink(organization, { password: 'correct horse' });
    const failing = await createLink(organization);
    const path = (of: { shortUrl: string }) => `/${codeOf(of)}`;
    app.clock.advance(120_000);
    const before = await scrape(app);

    await visit(app, path(link)).expect(302);
    await visit(app, path(link), { userAgent: GOOGLEBOT, method: 'head' }).expect(302);
    await visit(app, '/c/spring').expect(302);
    await visit(app, path(opened), { userAgent: GALAXY }).expect(200);
    await visit(app, path(page)).expect(200);
    await visit(app, path(closed)).expect(410);
    await visit(app, path(off)).expect(404);
    await visit(app, '/nothing-here').expect(404);
    await visit(app, '/', { host: 'unknown.test' }).expect(404);
    await visit(app, path(gate)).expect(200);
    await visit(app, path(gate), { method: 'post' }).expect(415);
    await visit(app, path(link), { method: 'post' }).expect(405);
    await visit(app, '/robots.txt').expect(200);
    await visit(app, path(link), { method: 'delete' }).expect(405);
    const clicks = jest
      .spyOn(app.get(ClickRecorder), 'record')
      .mockReturnValue({ journaled: Promise.reject(new Error('No store')) } as never);
    await visit(app, path(failing)).expect(503);
    clicks.mockRestore();
    // The API's own host has no short links.
    await visit(app, '/health/live', { host: API_HOST }).expect(200);

    await eventually(async () => {
      const after = await scrape(app);
      expect(redirects(before, after)).toEqual({
        '{answer="redirect",kind="link"}': 2,
        '{answer="redirect",kind="campaign"}': 1,
        '{answer="app",kind="link"}': 1,
        '{answer="page",kind="link"}': 1,
        '{answer="closed",kind="link"}': 1,
        '{answer="not_found",kind="link"}': 1,
        '{answer="not_found",kind="none"}': 2,
        '{answer="gate",kind="link"}': 2,
        '{answer="other",kind="link"}': 1,
        '{answer="other",kind="none"}': 2,
        '{answer="unavailable",kind="link"}': 1,
      });
      expect(increases('waypost_redirect_duration_seconds_count', before, after)).toEqual({ '': 15 });
      expect(increases('waypost_redirect_duration_seconds_bucket', before, after)['{le="+Inf"}']).toBe(15);
    });
    const [first, bot, ofCampaign] = logged();
    expect(first).toEqual({
      level: 'info',
      time: expect.any(String),
      pid: process.pid,
      msg: 'redirect',
      host: SHORT_HOST,
      kind: 'link',
      id: link.id,
      organizationId,
      answer: 'redirect',
      status: 302,
      ms: expect.any(Number),
      bot: false,
      country: 'Unknown',
    });
    expect(bot).toMatchObject({ kind: 'link', id: link.id, bot: true });
    expect(ofCampaign).toMatchObject({ kind: 'campaign', id: campaign.id });
    expect(
      logged()
        .map(({ answer, status }) => [answer, status])
        .slice(3),
    ).toEqual([
      ['app', 200],
      ['page', 200],
      ['closed', 410],
      ['not_found', 404],
      ['not_found', 404],
      ['not_found', 404],
      ['gate', 200],
      ['gate', 415],
      ['other', 405],
      ['other', 200],
      ['other', 405],
      ['unavailable', 503],
    ]);
    expect(logged().find(({ id, host }) => id === null && host === null)).toMatchObject({ kind: null });
  });

  it('have lines without address, path and user agent, whatever is sent', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const { port } = new URL(app.url);
    const hostile = HOSTILE.map((value) => encodeURIComponent(value).slice(0, 400));
    const hosts = [SHORT_HOST, IP, 'kim@example.com', `${IP}.example.com`, 'unknown.test'];
    const send = (n: number) =>
      new Promise<void>((resolve, reject) => {
        const value = hostile[n % hostile.length] ?? '';
        const headers = {
          host: hosts[n % hosts.length],
          'user-agent': `secret-agent ${IP} ${value}`,
          'x-forwarded-for': IP,
          referer: `https://kim:secret@example.com/${value}`,
        };
        const path = n % 3 === 0 ? `/secret-${n}?ip=${IP}&q=${value}` : `/${value}`;
        const sent = httpRequest({ port, agent, path, headers, method: n % 7 === 0 ? 'POST' : 'GET' });
        sent.on('response', (response) => response.resume().on('end', resolve)).on('error', reject);
        sent.end();
      });
    const requests = 2_000;
    for (let n = 0; n < requests; n += 50)
      await Promise.all(Array.from({ length: 50 }, (_, i) => send(n + i)));
    agent.destroy();
    await eventually(async () => expect(logged()).toHaveLength(requests));
    const keys = new Set(logged().flatMap((line) => Object.keys(line)));
    expect([...keys].sort()).toEqual(
      'answer bot country host id kind level ms msg organizationId pid status time'.split(' '),
    );
    expect(new Set(logged().map(({ host }) => host))).toEqual(new Set([SHORT_HOST, null]));
    const text = logged()
      .map((line) => JSON.stringify(line))
      .join('\n');
    expect(text).not.toMatch(/203\.0\.113|kim@|secret/);
  });

  it.each([
    ['0.25', 2],
    ['off', 0],
  ])('have lines at the rate of REDIRECT_LOG=%s', async (rate, expected) => {
    lines.splice(0);
    const sampled = await TestApp.start({ env: { REDIRECT_LOG: rate }, logTo });
    for (let n = 0; n < 8; n++) await visit(sampled, '/nothing-here').expect(404);
    expect(logged()).toHaveLength(expected);
    lines.splice(0);
    const path = `/${codeOf(await createLink(await createOrganization(sampled)))}`;
    for (let n = 0; n < 8; n++) await visit(sampled, path).expect(302);
    await sampled.close();
    expect(logged()).toHaveLength(expected);
  });
});
