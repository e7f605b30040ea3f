import { createOrganization, type TestOrganization } from '../support/factories';
import { createDomain, createLink, SHORT_ORIGIN } from '../support/links';
import { useTestApp } from '../support/test-app';
import { CHROME, visit } from '../support/visits';

const SLACK = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)';
const SHOWN = {
  url: 'https://shop.example.com/spring?a=%2B#top',
  title: 'Our title',
  ogTitle: 'Spring & "sale"',
  ogDescription: '<b>Everything</b> 20 % off',
  ogImageUrl: 'https://cdn.example.com/spring.png?w=1200&h=630',
};

describe('the content of link pages', () => {
  const app = useTestApp();
  let organization: TestOrganization;

  beforeAll(async () => {
    organization = await createOrganization(app);
  });

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

/** Escaped content by property or name. */
function metaOf(html: string): Record<string, string> {
  const tags = [...html.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)">/g)];
  return Object.fromEntries(tags.map(([, name, content]) => [name, content]));
}
