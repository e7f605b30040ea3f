import { createOrganization } from '../support/factories';
import { HOSTILE } from '../support/hostile';
import { type HostileLink, hostileLinks } from '../support/hostile-links';
import { useTestApp } from '../support/test-app';
import { CHROME, IPHONE, visit } from '../support/visits';

const VISITORS: [string, string][] = [
  ['the ad page', CHROME],
  ['the preview', 'Twitterbot/1.0'],
  ['the app page', IPHONE],
];
const CONCURRENCY = 20;

/** test/browser/hostile.spec.ts tests these pages in a browser. */
describe('hostile values in pages', () => {
  const app = useTestApp();
  let links: HostileLink[];

  beforeAll(async () => {
    links = await hostileLinks(app, await createOrganization(app));
  });

  it('number more than a hundred', () => expect(HOSTILE.length).toBeGreaterThan(100));

  it.each(VISITORS)('leave the tags and the policy of %s unchanged', async (_name, userAgent) => {
    const pages: { of: string; tags: string[]; policy: string[] }[] = [];
    for (let i = 0; i < links.length; i += CONCURRENCY) {
      const some = links.slice(i, i + CONCURRENCY);
      const answers = await Promise.all(some.map(({ path }) => visit(app, path, { userAgent })));
      for (const [at, { status, text, headers }] of answers.entries()) {
        const { place, value } = some[at] as HostileLink;
        const of = `${place}: ${value}`;
        expect([of, [200, 302, 404].includes(status)]).toEqual([of, true]);
        if (status !== 200) continue;
        const policy = (headers['content-security-policy'] as string).split(/[;,]/);
        pages.push({
          of,
          tags: tagsOf(text),
          policy: policy.map((directive) => directive.trim().split(' ')[0] ?? ''),
        });
      }
    }
    const usual = new Set(pages.slice(0, 2).flatMap(({ tags }) => tags));
    const directives = new Set(pages.slice(0, 2).flatMap(({ policy }) => policy));
    for (const { of, tags, policy } of pages) {
      expect([of, tags.filter((tag) => !usual.has(tag))]).toEqual([of, []]);
      expect([of, policy.filter((directive) => !directives.has(directive))]).toEqual([of, []]);
    }
    expect(pages.length).toBeGreaterThan(200);
  });
});

/** Every tag with the names of its attributes; quoted values contain neither `<` nor `>`. */
function tagsOf(html: string): string[] {
  const markup = html.replaceAll(/<(style|script)[^>]*>[^]*?<\/\1>/g, '<$1>');
  return markup
    .split('<')
    .slice(1)
    .map((part) => {
      const tag = part.slice(0, part.indexOf('>')).replaceAll(/"[^"]*"/g, '""');
      return tag.replace(/content=""|href=""|src=""/g, '').trim();
    });
}
