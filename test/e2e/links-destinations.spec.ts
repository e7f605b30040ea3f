import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CAMPAIGNS, createCampaign } from '../support/campaigns';
import { consoleApi, createOrganization } from '../support/factories';
import { codeOf, createDomain, createLink, URLS, VALID_LINK } from '../support/links';
import { perSuite, SHORT_HOST, useTestApp } from '../support/test-app';
import { CHROME, IPHONE, visit } from '../support/visits';

/** destination-policy.spec.ts tests the rules; this suite tests that the API applies them. */
describe('destinations of short links', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-deny-'));
  const file = join(folder, 'hosts.txt');
  beforeAll(() => writeFileSync(file, '*.denied.example # phishing\n'));
  const app = useTestApp({ env: { DESTINATION_DENY_LIST: file } });
  const org = perSuite(() => createOrganization(app));
  beforeAll(async () => {
    await createDomain(app, await createOrganization(app), 'short.brand.example', 'ACTIVE');
    await createDomain(app, await createOrganization(app), 'claimed.example', 'PENDING');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['https://denied.example/', 'must not point to a host on the deny-list'],
    ['https://a.b.Denied.Example./x', 'must not point to a host on the deny-list'],
    ['https://2130706433/', 'must not point to a private, local or reserved address'],
    ['https://[::ffff:169.254.169.254]/', 'must not point to a private, local or reserved address'],
    ['https://localhost:8443/', 'must not point to a local host name'],
    [`https://${SHORT_HOST}/abc`, 'must not point to a short domain of this service'],
    ['https://short.brand.example/abc', 'must not point to a short domain of this service'],
    ['https://user:secret@example.com/', 'must not have a user name or password'],
  ])('refuses %s, naming field and reason', async (destination, reason) => {
    const { id } = await createLink(org);
    const calls = [
      { call: org.api.post(URLS), body: { url: destination }, field: 'url' },
      {
        call: org.api.post(URLS),
        body: { url: 'https://ok.example', mobileTargetUrl: destination },
        field: 'mobileTargetUrl',
      },
      { call: org.api.put(`${URLS}/${id}`), body: { originalUrl: destination }, field: 'originalUrl' },
      {
        call: org.api.put(`${URLS}/${id}`),
        body: { mobileTargetUrl: destination },
        field: 'mobileTargetUrl',
      },
    ];
    for (const { call, body, field } of calls) {
      const response = await call.send(body).expect(400);
      expect(response.body).toMatchObject({
        code: 'DESTINATION_NOT_ALLOWED',
        message: `${field}: ${reason}`,
        details: [{ field, message: reason }],
      });
    }
  });

  it('accepts a domain that is only claimed', async () => {
    await createLink(org, { url: 'https://claimed.example/' });
  });

  it('refuses a host with invalid Punycode', async () => {
    for (const url of ['https://xn--zzzzzzzzzzzzz99999.test/', 'https://xn--a.test/']) {
      const { body } = await org.api.post(URLS, { url }).expect(400);
      expect(body.details).toEqual([
        { field: 'url', message: 'must be a valid URL that starts with https://' },
      ]);
    }
  });

  it('are sent in ASCII, as strict clients require', async () => {
    const url = (place: string) => `https://${place}.한국.example/길?q=%2B&abc`;
    const sent = (place: string) => `https://${place}.xn--3e0b707e.example/%EA%B8%B8?q=%2B&abc`;
    const plain = await createLink(org, {
      url: url('all'),
      mobileTargetUrl: url('mobile'),
      targeting: [{ devices: ['Tablet'], url: url('tablet') }],
      ogTitle: 'Shown',
    });
    const split = await createLink(org, {
      url: url('all'),
      variants: ['a', 'b'].map((name) => ({ url: url(name), weight: 1 })),
    });
    expect(plain.originalUrl).toBe(url('all'));
    const location = async (link: { shortUrl: string }, userAgent: string) =>
      (await visit(app, `/${codeOf(link)}`, { userAgent }).expect(302)).headers.location;
    expect(await location(plain, CHROME)).toBe(sent('all'));
    expect(await location(plain, IPHONE)).toBe(sent('mobile'));
    expect(await location(plain, IPHONE.replaceAll('iPhone', 'iPad'))).toBe(sent('tablet'));
    expect([sent('a'), sent('b')]).toContain(await location(split, CHROME));
    const { text } = await visit(app, `/${codeOf(plain)}`, { userAgent: 'Twitterbot/1.0' }).expect(200);
    expect(text).toContain(sent('all').replace('&', '&amp;'));
    expect(text).not.toContain('한국');
  });

  it('start with http:// where the organization allows it, on links and campaigns, and never lead to us', async () => {
    const own = await createOrganization(app);
    const http = (place: string) => `http://${place}.example.com/old?q=%2B`;
    const fields = {
      url: http('all'),
      mobileTargetUrl: http('mobile'),
      notStartedUrl: http('soon'),
      expiredUrl: http('over'),
      targeting: [{ devices: ['Tablet'], url: http('tablet') }],
    };
    const variants = ['a', 'b'].map((name) => ({ url: http(name), weight: 1 }));
    const refused = async (path: string, body: object, field: string) => {
      const { body: answer } = await own.api.post(path, body).expect(400);
      const message = 'must be a valid URL that starts with https://';
      expect(answer).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field, message }] });
    };
    for (const [field, value] of Object.entries({ ...fields, variants })) {
      const place = Array.isArray(value) ? `${field}[0].url` : field;
      await refused(URLS, { ...VALID_LINK, [field]: value }, place);
    }
    await refused(CAMPAIGNS, { name: 'Old', originalUrl: http('all') }, 'originalUrl');

    const settings = own.consolePath;
    const allow = (allowHttpDestinations: unknown) =>
      consoleApi(app).patch(settings, { allowHttpDestinations });
    expect((await allow('yes').expect(400)).body.details[0].field).toBe('allowHttpDestinations');
    expect((await allow(true).expect(200)).body.allowHttpDestinations).toBe(true);
    const link = await createLink(own, { ...fields, utmSource: 'mail' });
    const { url: originalUrl, ...rest } = fields;
    expect(link).toMatchObject({ ...rest, originalUrl, targeting: [{ url: http('tablet') }] });
    const split = await createLink(own, { variants });
    const campaign = await createCampaign(own, { originalUrl: http('all') });
    const gated = await createLink(own, { url: http('all'), password: 'open sesame' });
    const location = async (path: string, userAgent: string) =>
      (await visit(app, path, { userAgent }).expect(302)).headers.location;
    expect(await location(`/${codeOf(link)}?a=1`, CHROME)).toBe(`${http('all')}&utm_source=mail&a=1`);
    expect(await location(`/${codeOf(link)}`, IPHONE)).toBe(`${http('mobile')}&utm_source=mail`);
    expect(variants.map(({ url }) => url)).toContain(await location(`/${codeOf(split)}`, CHROME));
    expect(await location(`/c/${campaign.alias}`, CHROME)).toBe(http('all'));
    const { headers } = await visit(app, `/${codeOf(gated)}`, { userAgent: CHROME }).expect(200);
    expect(headers['content-security-policy']).toContain("form-action 'self' https: http:");
    for (const [url, code] of [
      ['http://10.0.0.1/', 'DESTINATION_NOT_ALLOWED'],
      ['http://user:secret@example.com/', 'DESTINATION_NOT_ALLOWED'],
      [`http://${SHORT_HOST}/abc`, 'DESTINATION_NOT_ALLOWED'],
      ['http://', 'VALIDATION_FAILED'],
      ['ftp://example.com/', 'VALIDATION_FAILED'],
    ]) {
      expect((await own.api.post(URLS, { url }).expect(400)).body.code).toBe(code);
    }
    await own.api.post(URLS, { ...VALID_LINK, ogImageUrl: http('image') }).expect(400);
    const csv = await own.api
      .post(`${URLS}/import`)
      .type('text/csv')
      .send(`url\n${http('csv')}\n`)
      .expect(200);
    expect(csv.body).toMatchObject({ created: 1, failed: 0 });

    await allow(false).expect(200);
    await refused(URLS, { url: http('all') }, 'url');
    await own.api.put(`${URLS}/${link.id}`, { title: 'Still there' }).expect(200);
    expect(await location(`/${codeOf(link)}`, IPHONE)).toBe(`${http('mobile')}&utm_source=mail`);
  });

  it('follows changes of the deny-list', async () => {
    await createLink(org, { url: 'https://later.example/' });
    writeFileSync(file, 'later.example\n');
    await org.api.post(URLS, { url: 'https://later.example/' }).expect(400);
    await createLink(org, { url: 'https://a.denied.example/' });
  });
});
