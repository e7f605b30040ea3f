import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { createDomain, createLink, SHORT_ORIGIN } from '../support/links';
import { perSuite, useTestApp } from '../support/test-app';
import { ANDROID, CHROME, GOOGLEBOT, IPHONE, visit, type VisitOptions } from '../support/visits';

const SLACK = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)';
const LINE = 'facebookexternalhit/1.1;line-poker/1.0';
const DESTINATION = 'https://shop.example.com/spring';
const PHONES = 'https://m.shop.example.com/spring';

const SHOWN = {
  url: 'https://shop.example.com/spring?a=%2B#top',
  title: 'Our title',
  ogTitle: 'Spring & "sale"',
  ogDescription: '<b>Everything</b> 20 % off',
  ogImageUrl: 'https://cdn.example.com/spring.png?w=1200&h=630',
};

/** Escaped content by property or name. */
function metaOf(html: string): Record<string, string> {
  const tags = [...html.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)">/g)];
  return Object.fromEntries(tags.map(([, name, content]) => [name, content]));
}

const app = useTestApp();

describe('link responses', () => {
  const organization = perSuite(() => createOrganization(app));
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

  it('allows preview crawlers to read links, but no search engine', async () => {
    const { text } = await visit(app, '/robots.txt').expect(200);
    const [previewers, others] = text.split('\n\n');
    expect(previewers).toMatch(/^User-agent: Twitterbot$/m);
    expect(previewers).toMatch(/^Allow: \/$/m);
    expect(others).toBe('User-agent: *\nDisallow: /\n');
  });
});

describe('the content of link pages', () => {
  const organization = perSuite(() => createOrganization(app));

  async function link(body: Record<string, unknown> = {}): Promise<string> {
    return new URL((await createLink(organization, body)).shortUrl).pathname;
  }

  async function policyOf(path: string, userAgent: string): Promise<Record<string, string>> {
    const { headers } = await visit(app, path, { userAgent });
    const directives = (headers['content-security-policy'] as string).split('; ');
    return Object.fromEntries(
      directives.map((directive) => {
        const [name = '', ...sources] = directive.split(' ');
        return [name, sources.join(' ').replace(/'nonce-[\w+/]{22}=='/, 'NONCE')];
      }),
    );
  }

  it('gives crawlers Open Graph tags that name the link, not its destination', async () => {
    const path = await link(SHOWN);
    const { text, headers } = await visit(app, `${path}?ref=42`, { userAgent: SLACK }).expect(200);
    const address = `${SHORT_ORIGIN}${path}?ref=42`;
    const image = 'https://cdn.example.com/spring.png?w=1200&amp;h=630';
    expect(text).toContain('<title>Spring &amp; &quot;sale&quot;</title>');
    expect(text).toContain(`<link rel="canonical" href="${address}">`);
    expect(metaOf(text)).toMatchObject({
      'og:type': 'website',
      'og:url': address,
      'og:title': 'Spring &amp; &quot;sale&quot;',
      'og:description': '&lt;b&gt;Everything&lt;/b&gt; 20 % off',
      'og:image': image,
      description: '&lt;b&gt;Everything&lt;/b&gt; 20 % off',
      'twitter:card': 'summary_large_image',
      'twitter:title': 'Spring &amp; &quot;sale&quot;',
      'twitter:image': image,
      robots: 'noindex',
    });
    expect(text).not.toContain('http-equiv');
    expect(text).toContain('href="https://shop.example.com/spring?a=%2B&amp;ref=42#top"');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('private, no-store');
  });

  it('falls back to the title, then to the host, and omits missing tags', async () => {
    const titled = await visit(app, await link({ title: 'Ours', ogDescription: 'd' }), { userAgent: SLACK });
    expect(metaOf(titled.text)).toMatchObject({ 'og:title': 'Ours', 'twitter:card': 'summary' });
    expect(metaOf(titled.text)['og:image']).toBeUndefined();
    const bare = await visit(app, await link({ ogImageUrl: SHOWN.ogImageUrl }), { userAgent: SLACK });
    expect(metaOf(bare.text)).toMatchObject({ 'og:title': 'shop.example.com' });
    expect(metaOf(bare.text)['og:description']).toBeUndefined();
  });

  it('names the custom domain of the request', async () => {
    const customDomainId = await createDomain(app, organization, 'go.brand.example', 'ACTIVE');
    const { shortUrl: code } = await createLink(organization, { ...SHOWN, customDomainId });
    const { text } = await visit(app, `/${code}`, { userAgent: SLACK, host: 'GO.brand.example.:8443' });
    expect(metaOf(text)['og:url']).toBe(`https://go.brand.example/${code}`);
  });

  it('lets the preview page run its script, and nothing else', async () => {
    expect(await policyOf(await link(SHOWN), SLACK)).toEqual({
      'default-src': "'none'",
      'style-src': 'NONCE',
      'script-src': 'NONCE',
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    });
  });

  it('also allows the ad page to show its image', async () => {
    const policy = await policyOf(await link({ ...SHOWN, showAdPage: true }), CHROME);
    expect(policy['img-src']).toBe('https://cdn.example.com');
    expect(policy['connect-src']).toBeUndefined();
  });

  it('gives every page a new nonce', async () => {
    const path = await link({ showAdPage: true });
    const pages = await Promise.all([1, 2].map(() => visit(app, path)));
    const [one, two] = pages.map(({ text }) => /<script nonce="([^"]+)">/.exec(text)?.[1]);
    expect(one).toBeTruthy();
    expect(one).not.toBe(two);
  });

  it('shows the destination on the ad page, and links to it without a script', async () => {
    const { text } = await visit(
      app,
      await link({ ...SHOWN, url: 'https://www.shop.example.com/a', showAdPage: true }),
    );
    expect(text).toContain('dir="ltr">shop.example.com</bdi>');
    expect(text).toContain('<bdi>Our title</bdi>');
    expect(text).toContain(
      '<noscript><meta http-equiv="refresh" content="5; url=https://www.shop.example.com/a"></noscript>',
    );
  });

  it('leaves URLs out of the policy that would add to it', async () => {
    const path = await link({ ...SHOWN, showAdPage: true });
    const image = "https://a.example;script-src-elem'unsafe-inline'/x.png";
    await app.alter(`UPDATE links SET og_image_url = $1 WHERE '/' || code = $2`, [image, path]);
    expect(await policyOf(path, CHROME)).not.toHaveProperty('img-src');
  });

  it('redirects only to the web, whatever the database contains', async () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'intent://x#Intent;end']) {
      const path = await link({ ...SHOWN, showAdPage: true });
      await app.alter(`UPDATE links SET original_url = $1 WHERE '/' || code = $2`, [url, path]);
      await visit(app, path, { userAgent: CHROME }).expect(404);
      await visit(app, path, { userAgent: SLACK }).expect(404);
    }
  });

  it.each([
    ['/nothing', 'get', 404, 'Link not found'],
    ['/nothing', 'post', 405, 'Method not allowed'],
  ] as const)('answers %s by %s with a page of status %s', async (path, method, status, title) => {
    const { text } = await visit(app, path, { method }).expect(status);
    expect(text).toMatch(/^<!doctype html>\s*<html lang="en">/);
    expect(text).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    expect(text).toContain(`<h1>${title}</h1>`);
    expect(text).not.toContain('<script');
  });
});
