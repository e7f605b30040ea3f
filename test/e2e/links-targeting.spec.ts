import { createOrganization } from '../support/factories';
import { eventually } from '../support/eventually';
import { createLink, URLS, VALID_LINK } from '../support/links';
import { perSuite, TestApp, useTestApp } from '../support/test-app';
import { CHROME, GOOGLEBOT, IPHONE, visit } from '../support/visits';

const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15';
const IPAD =
  'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';
const HARMONY =
  'Mozilla/5.0 (Linux; Android 10; HarmonyOS; ELS-AN00; HMSCore 6.13.0.302) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0.4844.88 HuaweiBrowser/14.0.1.302 Mobile Safari/537.36';
const HARMONY_NEXT =
  'Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile';
/** IP addresses with a known country. */
const KOREAN = '168.126.63.1';
const GERMAN = '194.25.0.125';

describe('targeting of links', () => {
  const app = useTestApp();
  const org = perSuite(() => createOrganization(app));

  const make = async (
    body: Record<string, unknown>,
  ): Promise<Record<string, unknown> & { id: number; path: string }> => {
    const link = await createLink(org, body);
    return { ...link, path: new URL(link.shortUrl).pathname };
  };
  const goes = async (path: string, userAgent = CHROME, ip = '203.0.113.7', on = app) =>
    (await visit(on, path, { userAgent, ip }).expect(302)).headers.location;

  describe('targeting', () => {
    const to = (name: string) => `https://${name}.example.com/`;

    it('follows the first rule that matches, by country, device and operating system', async () => {
      const { path } = await make({
        targeting: [
          { countries: ['KR'], devices: ['Mobile'], url: to('kr-mobile') },
          { countries: ['JP', 'KR'], url: to('kr') },
          { os: ['macos'], url: to('mac') },
          { os: ['windows', 'iOS'], countries: ['DE'], url: to('de') },
          { devices: ['Tablet'], url: to('tablet') },
          { os: ['IOS'], url: to('ios') },
        ],
      });
      expect(await goes(path, IPHONE, KOREAN)).toBe(to('kr-mobile'));
      expect(await goes(path, CHROME, KOREAN)).toBe(to('kr'));
      expect(await goes(path, MAC, KOREAN)).toBe(to('kr'));
      expect(await goes(path, MAC, GERMAN)).toBe(to('mac'));
      expect(await goes(path, CHROME, GERMAN)).toBe(to('de'));
      expect(await goes(path, IPAD)).toBe(to('tablet'));
      expect(await goes(path, IPHONE)).toBe(to('ios'));
      expect(await goes(path, CHROME)).toBe(VALID_LINK.url);
      expect(await goes(path, '')).toBe(VALID_LINK.url);
      expect(await goes(path, GOOGLEBOT, KOREAN)).toBe(to('kr'));
    });

    it('takes HarmonyOS for itself, and for an Android where it runs Android’s apps', async () => {
      const { path } = await make({
        targeting: [{ os: ['Android'], url: to('android') }],
        mobileTargetUrl: to('mobile'),
      });
      const own = await make({ targeting: [{ os: ['harmonyos'], url: to('harmony') }] });
      expect(await goes(path, HARMONY)).toBe(to('android'));
      expect(await goes(own.path, HARMONY)).toBe(to('harmony'));
      expect(await goes(own.path, HARMONY_NEXT)).toBe(to('harmony'));
      expect(await goes(path, HARMONY_NEXT)).not.toBe(to('android'));
    });

    it('takes precedence over the destination for phones, which precedes the rest', async () => {
      const { path } = await make({
        mobileTargetUrl: to('m'),
        targeting: [{ countries: ['KR'], url: to('kr') }],
        variants: [1, 2].map((weight) => ({ url: to(`v${weight}`), weight })),
      });
      expect(await goes(path, IPHONE, KOREAN)).toBe(to('kr'));
      expect(await goes(path, IPHONE, GERMAN)).toBe(to('m'));
      expect(await goes(path, CHROME, GERMAN)).toMatch(/^https:\/\/v[12]\./);
    });

    it('adds utm values and the request’s parameters to the chosen destination', async () => {
      const { path } = await make({
        utmSource: 'mail',
        utmMedium: 'email',
        targeting: [{ countries: ['KR'], url: 'https://kr.example.com/?utm_source=kr&a=1#top' }],
      });
      expect(await goes(`${path}?a=2&b=3&cid=9`, CHROME, KOREAN)).toBe(
        'https://kr.example.com/?utm_source=kr&a=1&utm_medium=email&b=3#top',
      );
    });

    it('is shown, changed and cleared; an empty condition equals none', async () => {
      const rule = { countries: [], devices: ['Desktop'], os: [], conditions: [], url: to('desktop') };
      const { id, path, targeting } = await make({
        targeting: [{ devices: ['Desktop'], os: null, url: to('desktop') }],
      });
      expect(targeting).toEqual([rule]);
      expect(await goes(path)).toBe(to('desktop'));
      const put = async (body: object) => (await org.api.put(`${URLS}/${id}`, body).expect(200)).body;
      expect((await put({ title: 'x' })).targeting).toEqual([rule]);
      const other = { ...rule, url: to('other') };
      expect((await put({ targeting: [other] })).targeting).toEqual([other]);
      expect(await goes(path)).toBe(to('other'));
      expect((await put({ targeting: null })).targeting).toEqual([]);
      expect(await goes(path)).toBe(VALID_LINK.url);
    });

    it('has at most 20 rules', async () => {
      const targeting = Array.from({ length: 20 }, () => ({ countries: ['KR'], url: to('kr') }));
      await make({ targeting });
      const body = { ...VALID_LINK, targeting: [...targeting, targeting[0]] };
      expect((await org.api.post(URLS, body).expect(400)).body.details[0].field).toBe('targeting');
    });

    const url = to('a');
    it.each([
      ['targeting', [null]],
      ['targeting[0]', [{ url }]],
      ['targeting[0].url', [{ countries: ['KR'], url: 'http://a.example.com' }]],
      ['targeting[0].countries', [{ countries: ['XX'], url }]],
      ['targeting[0].devices', [{ devices: ['Fridge'], url }]],
      [
        'targeting[0].conditions[0].property',
        [{ conditions: [{ property: 'city', operator: 'IS', values: ['Seoul'] }], url }],
      ],
      ['targeting[0].os', [{ os: ['a'.repeat(51)], url }]],
      ['variants', [{ url, weight: 1 }]],
      [
        'variants[1].weight',
        [
          { url, weight: 1 },
          { url, weight: 1001 },
        ],
      ],
    ])('refuses %s: %j by name', async (field, value) => {
      const name = field.replace(/\[.*/, '');
      const { id } = await make({});
      for (const call of [org.api.post(URLS), org.api.put(`${URLS}/${id}`)]) {
        const { body } = await call.send({ ...VALID_LINK, [name]: value }).expect(400);
        expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
      }
    });

    it('applies the rules for destinations to each one', async () => {
      const bad = 'https://127.0.0.1/';
      for (const [field, body] of [
        ['targeting[1].url', { targeting: [url, bad].map((each) => ({ os: ['iOS'], url: each })) }],
        ['variants[0].url', { variants: [bad, url].map((each) => ({ weight: 1, url: each })) }],
      ] as const) {
        const answer = await org.api.post(URLS, { ...VALID_LINK, ...body }).expect(400);
        expect(answer.body).toMatchObject({ code: 'DESTINATION_NOT_ALLOWED', details: [{ field }] });
      }
    });
  });

  describe('variants', () => {
    const variants = [
      { url: 'https://a.example.com/', weight: 1 },
      { url: 'https://b.example.com/', weight: 3 },
      { url: 'https://c.example.com/', weight: 6 },
    ];

    it('spread visitors by weight', async () => {
      const link = await make({ variants });
      expect(link.variants).toEqual(variants);
      const count = new Map<string, number>();
      const visitors = Array.from(
        { length: 1000 },
        (_, i) => `198.${18 + (i % 2)}.${(i >> 8) & 255}.${i & 255}`,
      );
      for (let i = 0; i < visitors.length; i += 100) {
        const slice = visitors.slice(i, i + 100).map((ip) => goes(link.path, CHROME, ip));
        for (const location of await Promise.all(slice)) {
          count.set(location ?? '', (count.get(location ?? '') ?? 0) + 1);
        }
      }
      for (const { url, weight } of variants) {
        const expected = (visitors.length * weight) / 10;
        // Five standard deviations: fails by chance once in two million runs.
        const bound = 5 * Math.sqrt(expected * (1 - weight / 10));
        expect(Math.abs((count.get(url) ?? 0) - expected)).toBeLessThan(bound);
      }
    });

    it('keep a visitor on every process, after a browser update and an address change within their IPv6 network', async () => {
      const { path } = await make({ variants });
      const other = await TestApp.start({ database: app.database });
      for (let i = 0; i < 20; i++) {
        const own = await goes(path, CHROME, `198.51.100.${i}`);
        expect(await goes(path, CHROME, `198.51.100.${i}`)).toBe(own);
        expect(await goes(path, CHROME.replace('142', '143'), `198.51.100.${i}`, other)).toBe(own);
        const six = await goes(path, CHROME, `2001:db8:1:${i}::1`);
        expect(await goes(path, CHROME, `2001:db8:1:${i}:abcd::2`, other)).toBe(six);
      }
      await other.close();
    });

    it('are stored with their clicks as they are set, and so are all utm values', async () => {
      const url = `https://a.example.com/${'long/'.repeat(60)}?a=1`;
      const { id, path } = await make({
        variants: [1, 2].map((weight) => ({ url, weight })),
        targeting: [{ countries: ['KR'], url: VALID_LINK.url }],
        utmSource: 'mail',
        utmCampaign: 'spring',
        ogTitle: 'Shop',
      });
      const plain = await make({});
      const browser = { ip: '203.0.113.7' };
      await goes(`${path}?b=2`);
      await goes(path, CHROME, KOREAN);
      await goes(plain.path);
      await visit(app, path, { ...browser, userAgent: 'facebookexternalhit/1.1' }).expect(200);
      const stored = () =>
        app.sql<{ link: number; words: string[] }>(
          `SELECT tracked_link_id AS link, dimensions[6:] AS words FROM clicks WHERE tracked_link_id = ANY($1) ORDER BY 1, id`,
          [[id, plain.id]],
        );
      await eventually(async () => expect(await stored()).toHaveLength(4));
      const utm = ['utm_source:mail', 'utm_campaign:spring'];
      const led = { link: id, words: [...utm, `variant:${url}`] };
      const bot = { ...led, words: ['bot:facebookexternalhit', ...led.words] };
      expect(await stored()).toEqual([led, { link: id, words: utm }, bot, { link: plain.id, words: [] }]);
    });

    it('are drawn independently for each link', async () => {
      const even = [1, 2].map((name) => ({ url: `https://v${name}.example.com/`, weight: 1 }));
      const links = await Promise.all(Array.from({ length: 30 }, () => make({ variants: even })));
      const locations = await Promise.all(links.map(({ path }) => goes(path)));
      expect(new Set(locations).size).toBe(2);
    });

    it('are shown, changed and cleared', async () => {
      const { id, path } = await make({ variants });
      const put = async (body: object) => (await org.api.put(`${URLS}/${id}`, body).expect(200)).body;
      const same = [1, 2].map(() => ({ url: 'https://same.example.com/', weight: 1000 }));
      expect((await put({ variants: same })).variants).toEqual(same);
      expect(await goes(path)).toBe('https://same.example.com/');
      expect((await put({ variants: [] })).variants).toEqual([]);
      expect(await goes(path)).toBe(VALID_LINK.url);
    });
  });
});
