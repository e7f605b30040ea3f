import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import request from 'supertest';
import { consoleApi, createOrganization } from '../support/factories';
import { cataloguedEvents } from '../support/outbox';
import { API_HOST, perTest, SHORT_HOST, type TestApp, useTestApp } from '../support/test-app';
import { phone, UnsubscribeClient } from '../support/unsubscribes';

const ONE_CLICK = 'List-Unsubscribe=One-Click';

/** Sends a request whose headers are exactly these, and whose body has a length even when it is empty. */
function send(
  app: TestApp,
  given: { method: string; path: string; headers: Record<string, string>; body: string | Buffer },
): Promise<{ status: number }> {
  const { body, headers, ...target } = given;
  const all = { ...headers, 'Content-Length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    httpRequest(app.url, { ...target, headers: all }, (answer) => {
      answer.resume().on('end', () => resolve({ status: answer.statusCode ?? 0 }));
    })
      .on('error', reject)
      .end(body);
  });
}

describe('opt-out links', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  let made = 0;
  let visitors = 0;
  const org = perTest(() => createOrganization(app, { defaultRegion: 'KR' }));
  const sms = new UnsubscribeClient(org);
  const email = new UnsubscribeClient(org, 'EMAIL');

  const path = () => `${org.consolePath}/messaging/opt-out-links`;
  const createLink = async (body: object): Promise<Record<string, unknown> & { url: string }> =>
    (await consoleApi(app).post(path(), body).expect(201)).body;
  /** Requests a path of the short domain, from a separate IP address for each test. */
  const visit = (method: 'get' | 'head' | 'post' | 'put', url: string, ip = `203.0.113.${visitors % 250}`) =>
    request(app.url)
      [method](url.replace(/^http:\/\/[^/]+/, ''))
      .set({ Host: SHORT_HOST, 'X-Forwarded-For': ip });
  const press = (url: string, fields: Record<string, string>) => visit('post', url).type('form').send(fields);
  const confirm = (url: string, fields = {}) => press(url, { action: 'confirm', ...fields }).expect(200);
  const tokenOf = (url: string) => new URL(url).pathname.slice('/u/'.length);
  const undoIn = (html: string) => /name="undo" value="([^"]+)"/.exec(html)?.[1] ?? null;
  beforeEach(() => visitors++);

  describe('in the console', () => {
    it('are created and listed, newest first', async () => {
      const value = phone(made++);
      const first = await createLink({ value: value.replace('+82', '0'), campaign: 'autumn' });
      expect(first).toEqual({
        id: expect.any(Number),
        url: expect.stringMatching(
          new RegExp(`^http://${SHORT_HOST}/u/[0-9A-Za-z]{22}[?]o=${org.organizationId}$`),
        ),
        channel: 'SMS',
        value,
        campaign: 'autumn',
        createdAt: '2026-11-20T08:32:00Z',
      });
      const second = await createLink({ channel: 'EMAIL' });
      expect(second).toMatchObject({ channel: 'EMAIL', value: null, campaign: null });
      const { body } = await consoleApi(app).get(path()).expect(200);
      expect(body).toMatchObject({ content: [second, first], totalElements: 2 });
      const other = await createOrganization(app);
      const list = await consoleApi(app).get(`${other.consolePath}/messaging/opt-out-links`).expect(200);
      expect(list.body.content).toEqual([]);
    });

    it('store neither token nor value in plain text', async () => {
      const { url } = await createLink({ channel: 'EMAIL', value: 'plain.person@mail.example' });
      const rows = JSON.stringify(await app.sql('SELECT * FROM opt_out_links'));
      expect(rows).not.toContain('plain.person');
      expect(rows).not.toContain(tokenOf(url));
    });
  });

  describe('with a value', () => {
    it('change nothing when viewed, even by scanners that follow every link', async () => {
      const value = phone(made++);
      const { url } = await createLink({ value });
      for (const query of ['', '&action=confirm', '&List-Unsubscribe=One-Click']) {
        const page = await visit('get', url + query).expect(200);
        expect(page.text).toContain('name="action" value="confirm"');
        await visit('head', url + query).expect(200);
      }
      expect(await sms.check(value)).toBe(false);
      expect(await sms.watermark(true)).toMatchObject({ total: 0 });
    });

    it('show a page with a strict policy, without scripts and with masked values', async () => {
      const value = phone(made++);
      const { url } = await createLink({ value });
      const { text, headers } = await visit('get', url).expect(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      const [, nonce] = /style-src 'nonce-([^']+)'/.exec(headers['content-security-policy'] ?? '') ?? [];
      expect(headers['content-security-policy']).toBe(
        `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      );
      expect(headers).toMatchObject({
        'cache-control': 'private, no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      expect(text).toContain(`${value.slice(0, 3)}${'•'.repeat(8)}${value.slice(-2)}`);
      expect(text).not.toContain(value.slice(3, -2));
      expect(text).not.toMatch(/<script|javascript:|\son\w+=/i);
      const done = await confirm(url);
      expect(done.text).not.toContain(value.slice(3, -2));
    });

    it('opt out on a button press, with method LINK and the campaign as source', async () => {
      const value = phone(made++);
      const { url } = await createLink({ value, campaign: '<b>autumn</b>' });
      const { text } = await confirm(url);
      expect(text).toContain('You’re unsubscribed');
      expect(undoIn(text)).not.toBeNull();
      const { items } = await sms.list();
      expect(items).toMatchObject([
        { value, method: 'LINK', source: '<b>autumn</b>', unsubscribedAt: '2026-11-20T08:32:00Z' },
      ]);
      const events = await cataloguedEvents(app, org.organizationId);
      expect(events).toMatchObject([{ name: 'unsubscribe.created', data: { value, method: 'LINK' } }]);
      // Pressing twice or viewing again has the same result.
      expect(undoIn((await confirm(url)).text)).not.toBeNull();
      expect((await visit('get', url)).text).toContain('You’re unsubscribed');
      expect(await sms.watermark(true)).toMatchObject({ total: 1 });
    });

    it.each([
      ['form', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
      [
        'multipart',
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
      ],
      ['multipart without its boundary', 'multipart/form-data', '--b\r\n\r\nList-Unsubscribe=One-Click'],
      ['form without content', 'application/x-www-form-urlencoded', ''],
      ['text', 'text/plain', ONE_CLICK],
      ['JSON', 'application/json', '{"List-Unsubscribe":"One-Click"}'],
      ['body without a type', '', ONE_CLICK],
    ])('opt out by one-click of a mail client, sent as %s', async (_name, type, body) => {
      const { url } = await createLink({ channel: 'EMAIL', value: 'Kim@Shop.Example' });
      const post = async () => {
        const { pathname, search } = new URL(url);
        const ip = `203.0.113.${visitors % 250}`;
        const headers = {
          Host: SHORT_HOST,
          'X-Forwarded-For': ip,
          ...(type !== '' && { 'Content-Type': type }),
        };
        return (await send(app, { method: 'POST', path: pathname + search, headers, body })).status;
      };
      expect(await post()).toBe(200);
      expect(await email.check('kim@shop.example')).toBe(true);
      // No redirect, and repeatable.
      expect(await post()).toBe(200);
      expect(await email.watermark(true)).toMatchObject({ total: 1 });
    });

    it('can be undone for ten minutes, by a deletion', async () => {
      const value = phone(made++);
      const { url } = await createLink({ value });
      const undo = undoIn((await confirm(url)).text) ?? '';
      app.clock.advance(10 * 60_000 - 1);
      const { text } = await press(url, { action: 'undo', undo }).expect(200);
      expect(text).toContain('undone');
      expect(await sms.check(value)).toBe(false);
      expect((await sms.deletions()).items).toMatchObject([{ value }]);
      await press(url, { action: 'undo', undo }).expect(410);
      expect((await visit('get', url)).text).toContain('value="confirm"');
    });

    it('cannot be undone later, nor for opt-outs from other sources', async () => {
      const value = phone(made++);
      const { url } = await createLink({ value });
      const undo = undoIn((await confirm(url)).text) ?? '';
      app.clock.advance(10 * 60_000);
      await press(url, { action: 'undo', undo }).expect(410);
      expect(await sms.check(value)).toBe(true);
      expect(undoIn((await visit('get', url)).text)).toBeNull();

      const registered = phone(made++);
      await sms.register(registered);
      const link = await createLink({ value: registered });
      expect(undoIn((await confirm(link.url)).text)).toBeNull();
    });

    it('undo no later entry of the value, and none with a forged token', async () => {
      const value = phone(made++);
      const { url } = await createLink({ value });
      const undo = undoIn((await confirm(url)).text) ?? '';
      const [id = '', check = ''] = undo.split('.');
      const other = await createLink({ value });
      for (const token of [
        '',
        'x',
        `${Number(id) + 1}.${check}`,
        `${id}.${'A'.repeat(22)}`,
        `${id}.`,
        `.${check}`,
      ]) {
        await press(url, { action: 'undo', undo: token }).expect(410);
      }
      await press(other.url, { action: 'undo', undo }).expect(410);
      await sms.remove(value);
      await sms.register(value);
      await press(url, { action: 'undo', undo }).expect(410);
      expect(await sms.check(value)).toBe(true);
    });
  });

  describe('without a value', () => {
    it('ask for it, in the words of the channel', async () => {
      expect((await visit('get', (await createLink({})).url)).text).toContain('type="tel"');
      expect((await visit('get', (await createLink({ channel: 'EMAIL' })).url)).text).toContain(
        'type="email"',
      );
    });

    it('opt out the value typed, and reject an invalid one', async () => {
      const { url } = await createLink({});
      const value = phone(made++);
      for (const typed of [undefined, '', '12', 'kim@shop.example', '<script>alert(1)</script>', 'a\u0000']) {
        const page = await press(url, {
          action: 'confirm',
          ...(typed !== undefined && { value: typed }),
        }).expect(400);
        expect(page.text).toContain('role="alert"');
        expect(page.text).not.toContain('<script');
      }
      const { text } = await confirm(url, { value: `\u202d${value.replace('+82', '0')}\u202c` });
      expect(await sms.check(value)).toBe(true);
      await press(url, { action: 'undo', undo: undoIn(text) ?? '' }).expect(200);
      expect(await sms.check(value)).toBe(false);
    });

    it('do not let anybody undo or see the opt-out of somebody else', async () => {
      const { url } = await createLink({});
      const value = phone(made++);
      await confirm(url, { value });
      const again = await confirm(url, { value });
      expect(undoIn(again.text)).toBeNull();
      expect((await visit('get', url)).text).not.toContain('unsubscribed');
    });

    it('accept no one-click, which names nobody', async () => {
      const { url } = await createLink({});
      await press(url, { 'List-Unsubscribe': 'One-Click' }).expect(400);
      await visit('post', url).expect(400);
      expect(await sms.watermark(true)).toMatchObject({ total: 0 });
    });
  });

  it.each([
    ['a token that nobody has', `/u/${'a'.repeat(22)}`],
    ['a short token', '/u/abc'],
    ['a strange one', '/u/%00%E0'],
    ['a script', '/u/%3Cscript%3E'],
  ])('are not found for %s', async (_name, url) => {
    for (const answer of [await visit('get', url), await press(url, { action: 'confirm' })]) {
      expect([400, 404]).toContain(answer.status);
      expect(answer.text).not.toContain('<script');
    }
  });

  it('work for their organization alone', async () => {
    const value = phone(made++);
    const { url } = await createLink({ value });
    const [bare = ''] = url.split('?');
    const other = await createOrganization(app);
    const wrong = `${bare}?o=${other.organizationId}`;
    expect((await visit('get', wrong).expect(404)).text).not.toContain('<form');
    await press(wrong, { action: 'confirm' }).expect(404);
    expect(await sms.check(value)).toBe(false);
    for (const query of ['', '?o=', '?o=x', '?o=1&o=2', '?o[]=1', `?o=0${other.organizationId}`]) {
      await visit('get', bare + query).expect(404);
      await press(bare + query, { action: 'confirm' }).expect(404);
    }
    expect(await sms.check(value)).toBe(false);
    await confirm(url);
    expect(await sms.check(value)).toBe(true);
  });

  it('do nothing without a button press, or with invalid bodies', async () => {
    const value = phone(made++);
    const { url } = await createLink({ value });
    await press(url, { action: 'delete' }).expect(400);
    await press(url, { value }).expect(400);
    await visit('post', url).send({ action: 'confirm' }).expect(415);
    await visit('post', url)
      .type('form')
      .send(`action=confirm&pad=${'x'.repeat(17_000)}`)
      .expect(413);
    await visit('put', url).expect(405);
    expect(await sms.check(value)).toBe(false);
  });

  it('are rate-limited per IP address', async () => {
    const { url } = await createLink({ value: phone(made++) });
    const from = (ip: string) => visit('get', url, ip);
    for (let i = 0; i < 60; i++) await from('192.0.2.1').expect(200);
    const refused = await from('192.0.2.1').expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.text).toContain('try again');
    await from('192.0.2.2').expect(200);
    app.clock.advance(60_000);
    await from('192.0.2.1').expect(200);
  });

  it('have a greater limit for one-click requests, which only links with a value take', async () => {
    const { url } = await createLink({ value: phone(made++) });
    const asking = await createLink({});
    const click = async (to: string, ip: string) =>
      (await visit('post', to, ip).type('form').send({ 'List-Unsubscribe': 'One-Click', value: '1' })).status;
    const statuses = async (to: string, ips: (n: number) => string) => {
      const seen: number[] = [];
      for (let n = 0; n < 61; n++) seen.push(await click(to, ips(n)));
      return [...new Set(seen.slice(0, 60)), seen[60]];
    };
    expect(await statuses(url, () => '192.0.2.3')).toEqual([200, 200]);
    expect(await statuses(asking.url, () => '192.0.2.3')).toEqual([400, 429]);
    expect(await statuses(`http://x/u/${'a'.repeat(22)}`, () => '192.0.2.4')).toEqual([404, 429]);
    // All addresses of an IPv6 network count together, in whatever form they are written.
    expect(await statuses(asking.url, (n) => `2001:db8:0:7::${n.toString(16)}`)).toEqual([400, 429]);
    expect(await click(asking.url, '[2001:db8:0:7:ffff::1]:40000')).toBe(429);
    expect(await click(asking.url, '2001:db8:0:8::1')).toBe(400);
    expect(await click(asking.url, '::ffff:192.0.2.3')).toBe(429);
  });

  it('do not count what pages of other sites embed', async () => {
    const { url } = await createLink({ value: phone(made++) });
    const from = (headers: Record<string, string>) => visit('get', url, '192.0.2.5').set(headers);
    const site = 'cross-site';
    for (let i = 0; i < 61; i++)
      await from({ 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }).expect(
        403,
      );
    const link = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
    for (let i = 0; i < 60; i++) await from(link).expect(200);
    await from(link).expect(429);
  });

  it('refuse costly bodies without reading them', async () => {
    const multipart = (body: Buffer) => ({
      method: 'POST',
      path: `/u/${'A'.repeat(22)}`,
      headers: {
        Host: SHORT_HOST,
        'X-Forwarded-For': '192.0.2.6',
        'Content-Type': 'multipart/form-data; boundary=b',
        'Content-Encoding': 'gzip',
      },
      body,
    });
    const hostile = gzipSync('name=""\n'.repeat(2_040));
    expect((await send(app, multipart(hostile))).status).toBe(404);
    const { url } = await createLink({ value: phone(made++) });
    const { pathname, search } = new URL(url);
    expect((await send(app, { ...multipart(hostile), path: pathname + search })).status).toBe(400);
    const bomb = gzipSync(Buffer.alloc(5_000_000, 'a'));
    expect((await send(app, { ...multipart(bomb), path: pathname + search })).status).toBe(413);
  });

  it('cannot be codes or aliases on the short domain', async () => {
    const { status, text } = await request(app.url).get('/u').set('Host', SHORT_HOST);
    expect(status).toBe(404);
    expect(text).not.toContain('<form');
    await request(app.url).get('/u/x/y').set('Host', API_HOST).expect(404);
  });
});
