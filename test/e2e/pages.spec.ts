import { LANGUAGES } from '../../src/modules/pages/texts/languages';
import { registerApp } from '../support/apps';
import { heard } from '../support/eventually';
import { consoleApi, createOrganization } from '../support/factories';
import { createDomain, createLink } from '../support/links';
import { perSuite, SHORT_HOST, TestApp, useTestApp } from '../support/test-app';
import { BRAND, setBrand, type VisitorPage, visitorPages } from '../support/visitor-pages';
import { IPHONE, visit, type VisitOptions } from '../support/visits';

const HEADERS = { en: 'en-US,en;q=0.9', ko: 'ko-KR,ko;q=0.9,en;q=0.8', ja: 'xx, ja;q=0.5' } as const;
type Tag = keyof typeof HEADERS;
const TAGS = Object.keys(HEADERS) as Tag[];
/** What a page in a language must contain, and what it must not contain of others. */
const LETTERS: Record<Tag, { own: RegExp; others?: RegExp }> = {
  en: { own: /[A-Za-z]{2,}/ },
  ko: { own: /[가-힣]/, others: /[A-Za-z]{2,}/g },
  ja: { own: /[ぁ-ん]/, others: /[A-Za-z]{2,}/g },
};

describe('pages for visitors', () => {
  const app = useTestApp();
  let pages: VisitorPage[];
  let visitors = 0;

  const organization = perSuite(() => createOrganization(app, { name: 'Acme Inc.' }));
  beforeAll(async () => {
    await setBrand(app, organization, BRAND);
    pages = await visitorPages(app, organization);
  });

  const open = (url: string, options: VisitOptions = {}) => {
    const { host, pathname, search } = new URL(url);
    return visit(app, pathname + search, { host, ip: `198.51.100.${visitors++ % 250}`, ...options });
  };
  const see = (page: VisitorPage, tag: Tag, options: VisitOptions = {}) =>
    open(page.url, { userAgent: page.userAgent, headers: { 'Accept-Language': HEADERS[tag] }, ...options });
  const textsOf = (html: string) =>
    html
      .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();

  it.each(TAGS)('are in the language of the browser: %s', async (tag) => {
    for (const page of pages) {
      const { status, text, headers } = await see(page, tag);
      expect([page.name, status]).toEqual([page.name, page.status]);
      expect(text).toContain(`<html lang="${tag}">`);
      expect(headers).toMatchObject({
        'content-language': tag,
        vary: 'Accept-Language',
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
      });
      expect(textsOf(text)).not.toMatch(/undefined|null|\[object|=>/);
      const foreign = textsOf(text).replace(
        /Acme(?: Garden| Shop)?|WhatsApp|SMS|Everything for spring|https:\S+|shop\.example\.com|\+82/g,
        '',
      );
      const { own, others } = LETTERS[tag];
      expect(foreign).toMatch(own);
      if (others) expect([page.name, foreign.match(others)]).toEqual([page.name, null]);
    }
  });

  it('answer HEAD the same, without a body', async () => {
    for (const page of pages) {
      const got = await see(page, 'ko');
      const head = await see(page, 'ko', { method: 'head' });
      expect([page.name, head.status]).toEqual([page.name, got.status]);
      expect(head.text).toBeUndefined();
      expect(head.headers['content-language']).toBe('ko');
    }
  });

  it('show the brand of their organization, and allow only its logo', async () => {
    for (const page of pages) {
      const { text, headers } = await see(page, 'en');
      const policy = headers['content-security-policy'] as string;
      const isOnesOwn = page.name !== 'opt-out-unknown';
      expect([page.name, text.includes('alt="Acme Garden"')]).toEqual([page.name, isOnesOwn]);
      expect(text.includes('--accent: #7c3aed; --on-accent: #ffffff;')).toBe(isOnesOwn);
      expect(/img-src [^;]+/.exec(policy)?.[0]).toBe(
        isOnesOwn ? 'img-src https://cdn.example.com' : undefined,
      );
      expect(text).not.toContain('Acme Inc.');
    }
  });

  it('show the name of an organization without a brand', async () => {
    const plain = await createOrganization(app, { name: 'Plain & <Co>' });
    const { shortUrl } = await createLink(plain, { password: 'open sesame' });
    const { text, headers } = await open(shortUrl);
    expect(text).toContain('<bdi>Plain &amp; &lt;Co&gt;</bdi>');
    expect(text).toContain('--accent: #0b6b46');
    expect(headers['content-security-policy']).not.toContain('img-src');
  });

  it('name sender, channel and recipient', async () => {
    const titles: Record<string, Record<Tag, [title: string, text: string]>> = {
      'opt-out-sms': {
        en: [
          'Stop marketing text messages from Acme Garden?',
          'Acme Garden will stop sending marketing text messages to +82••••••••78.',
        ],
        ko: [
          'Acme Garden에서 보내는 광고 문자 수신을 거부하시겠습니까?',
          '+82••••••••78 번호로 Acme Garden의 광고 문자를',
        ],
        ja: [
          'Acme Gardenからの広告SMSの配信を停止しますか？',
          '+82••••••••78 宛てにAcme Gardenからの広告SMS',
        ],
      },
      'opt-out-whatsapp': {
        en: ['Stop marketing messages on WhatsApp from Acme Garden?', 'Enter your phone number'],
        ko: ['Acme Garden에서 보내는 WhatsApp 광고 메시지 수신을 거부하시겠습니까?', '전화번호를 입력하시면'],
        ja: ['Acme GardenからのWhatsAppの広告メッセージの配信を停止しますか？', '電話番号を入力すると'],
      },
      'opt-out-email': {
        en: ['Stop marketing emails from Acme Garden?', 'Enter your email address'],
        ko: ['Acme Garden에서 보내는 광고 이메일 수신을 거부하시겠습니까?', '이메일 주소를 입력하시면'],
        ja: ['Acme Gardenからの広告メールの配信を停止しますか？', 'メールアドレスを入力すると'],
      },
    };
    for (const [name, words] of Object.entries(titles)) {
      const page = pages.find((one) => one.name === name) as VisitorPage;
      for (const tag of TAGS) {
        const { text } = await see(page, tag);
        expect(text).toContain(`<h1>${words[tag][0]}</h1>`);
        expect(text).toContain(words[tag][1]);
      }
    }
  });

  it.each(TAGS)('report the result of an opt-out: %s', async (tag) => {
    const path = `${organization.consolePath}/messaging/opt-out-links`;
    const { body } = await consoleApi(app).post(path, { channel: 'EMAIL' }).expect(201);
    const say = LANGUAGES.get(tag)?.optOut;
    const headers = { 'Accept-Language': HEADERS[tag] };
    const press = (fields: object) => open(body.url, { method: 'post', headers }).type('form').send(fields);
    const bad = await press({ action: 'confirm', value: 'x' }).expect(400);
    expect(bad.text).toContain(say?.notAnEmail);
    const done = await press({ action: 'confirm', value: `kim-${tag}@shop.example` }).expect(200);
    expect(done.text).toContain(say?.done);
    expect(done.text).toContain(say?.doneEffect('EMAIL', 'Acme Garden', 'k•••@s•••.example'));
    const undo = /name="undo" value="([^"]+)"/.exec(done.text)?.[1];
    const undone = await press({ action: 'undo', undo }).expect(200);
    expect(undone.text).toContain(say?.undoneEffect('EMAIL', 'Acme Garden', 'k•••@s•••.example'));
    expect((await press({ action: 'undo', undo }).expect(410)).text).toContain(
      say?.tooLateText('Acme Garden'),
    );
  });

  it.each(TAGS)('refuse in the same language: %s', async (tag) => {
    const say = LANGUAGES.get(tag);
    const headers = { 'Accept-Language': HEADERS[tag] };
    const notFound = pages.find(({ name }) => name === 'not-found')?.url ?? '';
    const put = await open(notFound, { method: 'put', headers }).expect(405);
    expect(put.text).toContain(say?.messages.methodNotAllowed.text);
    expect(put.text).toContain('alt="Acme Garden"');
    expect((await open(notFound, { method: 'post', headers }).expect(405)).headers.allow).toBe('GET, HEAD');
    const locked = pages.find(({ name }) => name === 'password')?.url ?? '';
    const wrong = await open(locked, { method: 'post', headers })
      .type('form')
      .send({ password: 'x' })
      .expect(403);
    expect(wrong.text).toContain(say?.password.wrong);
    const text = await open(locked, { method: 'post', headers }).send({ password: 'x' });
    expect(text.text).toContain(say?.messages.badRequest.text);
    const optOut = pages.find(({ name }) => name === 'opt-out-sms')?.url ?? '';
    const json = await open(optOut, { method: 'post', headers }).send({ action: 'confirm' }).expect(415);
    expect(json.text).toContain(say?.messages.badRequest.text);
    expect(json.headers['referrer-policy']).toBe('no-referrer');
    const nobodys = await visit(app, '/x', { host: 'nobody.example', headers }).expect(404);
    expect(nobodys.text).toContain(say?.messages.notFound.text);
  });

  it.each(TAGS)('report failures: %s', async (tag) => {
    const headers = { 'Accept-Language': HEADERS[tag] };
    const say = LANGUAGES.get(tag)?.messages.unavailable.text;
    await app.sql('ALTER TABLE addresses RENAME TO addresses_away');
    await app.sql('ALTER TABLE opt_out_links RENAME TO opt_out_links_away');
    try {
      const link = await visit(app, `/unheard-of-${tag}`, { headers }).expect(503);
      expect(link.text).toContain(say);
      expect(Number(link.headers['retry-after'])).toBeGreaterThan(0);
      const optOut = await visit(app, `/u/${'b'.repeat(22)}?o=1`, { headers }).expect(500);
      expect(optOut.headers).toMatchObject({ 'content-language': tag, 'referrer-policy': 'no-referrer' });
      expect(optOut.text).toContain(say);
    } finally {
      await app.sql('ALTER TABLE addresses_away RENAME TO addresses');
      await app.sql('ALTER TABLE opt_out_links_away RENAME TO opt_out_links');
    }
  });

  it('run nothing of a hostile brand', async () => {
    const hostile = await createOrganization(app, { name: '"><script>alert(1)</script>' });
    await app.sql('UPDATE organizations SET brand_name = $2, logo_url = $3, brand_color = $4 WHERE id = $1', [
      hostile.organizationId,
      `</title><img src=x onerror=alert(1)>\u202e`,
      "https://a.example;script-src-elem'unsafe-inline'/x.png",
      'red}</style><script>alert(1)</script>',
    ]);
    for (const page of await visitorPages(app, hostile)) {
      const { text, headers } = await see(page, 'en');
      expect([page.name, text.match(/<img src=x|<script>|unsafe-inline|red\}|\u202e/)]).toEqual([
        page.name,
        null,
      ]);
      expect(headers['content-security-policy']).not.toContain('a.example');
    }
    const path = hostile.consolePath;
    const logoUrl = 'https://cdn.example.com/"onerror="alert(1)"/<script>.svg';
    await consoleApi(app).patch(path, { logoUrl, brandColor: '#FFFFFF' }).expect(200);
    const { shortUrl } = await createLink(hostile, { password: 'open sesame' });
    const { text } = await open(shortUrl);
    expect(text).toContain('--accent: #FFFFFF; --on-accent: #000000; --mark: #15191d;');
    expect(text).not.toMatch(/"onerror=|<script>/);
  });

  it('change with the brand, on every process', async () => {
    const second = await TestApp.start({ database: app.database });
    const changing = await createOrganization(app, { name: 'Before' });
    const { shortUrl } = await createLink(changing, { password: 'open sesame' });
    const path = new URL(shortUrl).pathname;
    expect((await visit(second, path)).text).toContain('<bdi>Before</bdi>');
    await setBrand(app, changing, { brandName: 'After' });
    await heard(async () => expect((await visit(second, path)).text).toContain('<bdi>After</bdi>'));
    await second.close();
  });

  it('use a generic name for an app without a visible name', async () => {
    const { id } = await registerApp(organization, { appName: 'Shop' });
    await app.alter(`UPDATE apps SET app_name = '\u200b' WHERE id = $1`, [id]);
    const { shortUrl } = await createLink(organization, { iosAppId: id });
    const { text } = await open(shortUrl, { userAgent: IPHONE, headers: { 'Accept-Language': 'ko' } });
    expect(text).toContain('<bdi>앱</bdi>');
  });

  it('show the organization on the default domain only for existing links', async () => {
    const root = await visit(app, '/', { headers: { 'Accept-Language': 'ja' } }).expect(200);
    expect(root.text).toContain('短縮リンク用のアドレスです');
    expect(root.text).not.toContain('class="brand"');
    const custom = await createDomain(app, organization, 'go.acme.test', 'ACTIVE');
    expect(custom).toBeGreaterThan(0);
    expect((await visit(app, '/none', { host: 'go.acme.test' })).text).toContain('alt="Acme Garden"');
    expect((await visit(app, '/none', { host: SHORT_HOST })).text).not.toContain('class="brand"');
  });
});
