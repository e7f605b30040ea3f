import { displayText } from '../../src/common/display-text';
import { TestBrowser } from '../support/browser';
import { createOrganization } from '../support/factories';
import { ADDRESSES, HOSTILE } from '../support/hostile';
import { type HostileLink, hostileLinks } from '../support/hostile-links';
import { SHORT_ORIGIN } from '../support/links';
import { useTestApp } from '../support/test-app';
import { CHROME, IPHONE, visit } from '../support/visits';

const VISITORS = {
  ad: CHROME,
  preview: 'Twitterbot/1.0',
  ios: `${IPHONE} Instagram`,
  android:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
};
type Visitor = keyof typeof VISITORS;

/** The structure of a parsed page. */
interface Anatomy {
  scripts: string[];
  styles: string[];
  /** `tag` and `tag@attribute`, without duplicates. */
  parts: string[];
  protocols: string[];
  heading: string | null;
  ogTitle: string | null;
}

describe('hostile values in a browser', () => {
  const app = useTestApp();
  let browser: TestBrowser;
  let links: HostileLink[];

  beforeAll(async () => {
    links = await hostileLinks(app, await createOrganization(app));
    browser = await TestBrowser.start(app);
  });
  afterAll(() => browser.close());

  it('are more than seventy', () => expect(HOSTILE.length).toBeGreaterThan(70));

  it.each(Object.keys(VISITORS) as Visitor[])('break out of nothing: %s', async (visitor) => {
    const { page, context } = await browser.look('desktop');
    const pages: string[] = [];
    for (let i = 0; i < links.length; i += 10) {
      const some = links.slice(i, i + 10);
      const answers = await Promise.all(
        some.map(({ path }) => visit(app, path, { userAgent: VISITORS[visitor] })),
      );
      expect(answers.filter(({ status }) => ![200, 302, 404].includes(status))).toEqual([]);
      pages.push(...answers.map(({ text }) => text));
    }
    await page.goto(`${SHORT_ORIGIN}/robots.txt`);

    const anatomies = await page.evaluate<Anatomy[]>(`(${ANATOMY})(${JSON.stringify(pages)})`);
    const [plain, bare] = anatomies as [Anatomy, Anatomy];
    const usual = new Set([...plain.parts, ...bare.parts]);
    expect(plain.scripts).toHaveLength(1);
    for (const [i, anatomy] of anatomies.entries()) {
      const { value, place } = links[i] as HostileLink;
      if (anatomy.scripts.length === 0) continue;
      const of = `${place}: ${value}`;
      expect([of, anatomy.scripts, anatomy.styles]).toEqual([of, plain.scripts, plain.styles]);
      expect([of, anatomy.parts.filter((part) => !usual.has(part))]).toEqual([of, []]);
      expect([of, anatomy.protocols.filter((protocol) => !ALLOWED.test(protocol))]).toEqual([of, []]);
      if (place !== 'texts') continue;
      const shown = displayText(value);
      if (visitor === 'preview') expect(anatomy.ogTitle).toBe(shown ?? 'shop.example.com');
      else if (visitor !== 'ad') expect(anatomy.heading).toBe(shown ?? 'App');
      else if (shown !== null) expect(anatomy.heading).toBe(shown);
    }
    await context.close();
  });

  it('run no script', async () => {
    const { page, context, complaints } = await browser.look('instagram');
    const looked = links.filter(
      ({ value, place }) => place === 'texts' || (place === 'addresses' && ADDRESSES.includes(value)),
    );
    for (const { path } of looked) {
      await page.goto(SHORT_ORIGIN + path, { waitUntil: 'domcontentloaded' });
      expect([path, await page.evaluate('window.hacked')]).toEqual([path, undefined]);
    }
    expect(complaints.filter((text) => text.startsWith('blocked'))).toEqual([]);
    await context.close();
  });
});

/** Schemes of the web and of the test app, none of which runs code. */
const ALLOWED = /^(?:https?|intent|exampleshop):$/;

const ANATOMY = `(pages) => pages.map((html) => {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const all = [...page.querySelectorAll('*')];
  const textOf = (selector) => [...page.querySelectorAll(selector)].map((element) => element.textContent);
  const parts = all.flatMap((element) => [
    element.localName,
    ...element.getAttributeNames().map((name) => element.localName + '@' + name),
  ]);
  const addresses = all.flatMap((element) => [element.getAttribute('href'), element.getAttribute('src')]);
  return {
    scripts: textOf('script'),
    styles: textOf('style'),
    parts: [...new Set(parts)],
    protocols: addresses.filter((address) => address !== null).map((address) => /^[\\s\\0-\\x1f]*([^:/?#]*:)/.exec(address)?.[1] ?? 'none'),
    heading: page.querySelector('h1')?.textContent ?? null,
    ogTitle: page.querySelector('meta[property="og:title"]')?.content ?? null,
  };
})`;
