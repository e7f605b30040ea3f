import { createOrganization, type TestOrganization } from '../support/factories';
import { eventually } from '../support/eventually';
import { createLink } from '../support/links';
import { useTestApp } from '../support/test-app';
import { CHROME, GOOGLEBOT, IPHONE, visit, type VisitOptions } from '../support/visits';

const ANDROID =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
const SLACK = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)';
const LINE = 'facebookexternalhit/1.1;line-poker/1.0';
const DESTINATION = 'https://shop.example.com/spring';
const PHONES = 'https://m.shop.example.com/spring';

describe('link responses', () => {
  const app = useTestApp();
  let organization: TestOrganization;

  beforeAll(async () => {
    organization = await createOrganization(app);
  });
  beforeEach(() => app.clock.run());

  async function link(body: Record<string, unknown> = {}): Promise<{ id: number; path: string }> {
    const { id, shortUrl } = await createLink(organization, { url: DESTINATION, ...body });
    return { id, path: new URL(shortUrl).pathname };
  }

  /** Summarizes a response: its destination, or the page that it shows. */
  async function answer(path: string, userAgent: string, options: VisitOptions = {}): Promise<string> {
    const response = await visit(app, path, { userAgent, ...options });
    if (response.status === 302) return response.headers.location as string;
    if (response.status !== 200) return String(response.status);
    return /property="og:url"/.test(response.text) ? 'preview' : /id="hold"/.test(response.text) ? 'ad' : '?';
  }

  it.each([
    [
      'a plain link',
      {},
      { CHROME: DESTINATION, IPHONE: DESTINATION, SLACK: DESTINATION, GOOGLEBOT: DESTINATION },
    ],
    [
      'og fields',
      { ogTitle: 'Spring' },
      { CHROME: DESTINATION, SLACK: 'preview', LINE: 'preview', GOOGLEBOT: DESTINATION },
    ],
    [
      'the ad page',
      { showAdPage: true },
      { CHROME: 'ad', IPHONE: 'ad', ANDROID: 'ad', SLACK: DESTINATION, GOOGLEBOT: DESTINATION },
    ],
    [
      'both',
      { showAdPage: true, ogDescription: 'Sale' },
      { CHROME: 'ad', SLACK: 'preview', GOOGLEBOT: DESTINATION },
    ],
    [
      'a destination for phones',
      { mobileTargetUrl: PHONES },
      { CHROME: DESTINATION, IPHONE: PHONES, ANDROID: PHONES, GOOGLEBOT: DESTINATION },
    ],
  ])('answers each kind of visitor: %s', async (_name, body, expected) => {
    const { path } = await link(body);
    const agents = { CHROME, IPHONE, ANDROID, SLACK, LINE, GOOGLEBOT };
    for (const [name, answered] of Object.entries(expected)) {
      expect([name, await answer(path, agents[name as keyof typeof agents])]).toEqual([name, answered]);
    }
  });

  it('sends phones from the ad page to their destination, with utm values and the request’s parameters', async () => {
    const { path } = await link({ showAdPage: true, mobileTargetUrl: PHONES, utmSource: 'mail' });
    const { text } = await visit(app, `${path}?a=%2B`, { userAgent: IPHONE });
    expect(text).toContain(`href="${PHONES}?utm_source=mail&amp;a=%2B"`);
    expect(
      await answer(`${(await link({ mobileTargetUrl: PHONES, utmSource: 'mail' })).path}?a=1`, ANDROID),
    ).toBe(`${PHONES}?utm_source=mail&a=1`);
  });

  it.each([SLACK, CHROME, IPHONE])(
    'is over for %s when it has expired, and never there when deleted',
    async (agent) => {
      app.clock.set('2030-01-01T00:00:00Z');
      const { id, path } = await link({ ogTitle: 'a', showAdPage: true, expirationDate: '2030-01-02' });
      app.clock.set('2030-01-02T23:59:59Z');
      expect(await answer(path, agent)).toBe('410');
      await organization.api.delete(`/api/v1/service/urls/${id}`).expect(204);
      expect(await answer(path, agent)).toBe('404');
    },
  );

  it.each([
    ['the preview', SLACK],
    ['the ad page', CHROME],
    ['a redirect', GOOGLEBOT],
  ])('answers HEAD with the headers of GET: %s', async (_name, userAgent) => {
    const { path } = await link({ ogTitle: 'Spring', showAdPage: true });
    const [get, head] = await Promise.all(
      (['get', 'head'] as const).map((method) => visit(app, path, { method, userAgent })),
    );
    const stable = ({ headers }: { headers: Record<string, string> }) => {
      const { date, 'content-security-policy': csp, ...rest } = headers;
      return { ...rest, csp: csp?.replaceAll(/nonce-[^']+/g, 'nonce') };
    };
    expect(head?.status).toBe(get?.status);
    expect(stable(head as never)).toEqual(stable(get as never));
    expect(head?.text ?? '').toBe('');
  });

  it('counts a page like a redirect: people once, bots separately, HEAD and prefetches not at all', async () => {
    const { id, path } = await link({ ogTitle: 'Spring', showAdPage: true });
    await visit(app, path, { userAgent: CHROME }).expect(200);
    await visit(app, path, { userAgent: CHROME, method: 'head' }).expect(200);
    await visit(app, path, { headers: { 'Sec-Purpose': 'prefetch;prerender' } }).expect(200);
    for (const userAgent of [SLACK, LINE, 'Viber/13.5.0.438 CFNetwork/1240.0.4']) {
      await visit(app, path, { userAgent }).expect(200);
    }
    await visit(app, path, { userAgent: GOOGLEBOT }).expect(302);
    await eventually(async () => {
      const { body } = await organization.api.get(`/api/v1/service/urls/${id}/stats`).expect(200);
      expect([body.url.clickCount, body.botClicks]).toEqual([1, 4]);
    });
  });

  it('answers only GET and HEAD, on every page', async () => {
    const { path } = await link({ ogTitle: 'Spring', showAdPage: true });
    await visit(app, path, { method: 'post', userAgent: SLACK }).expect(405);
  });

  it('allows preview crawlers to read links, but no search engine', async () => {
    const { text } = await visit(app, '/robots.txt').expect(200);
    const [previewers, others] = text.split('\n\n');
    expect(previewers).toMatch(/^User-agent: Twitterbot$/m);
    expect(previewers).toMatch(/^Allow: \/$/m);
    expect(others).toBe('User-agent: *\nDisallow: /\n');
  });
});
