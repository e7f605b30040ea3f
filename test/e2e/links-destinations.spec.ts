import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOrganization, type TestOrganization } from '../support/factories';
import { codeOf, createDomain, createLink } from '../support/links';
import { SHORT_HOST, useTestApp } from '../support/test-app';
import { CHROME, IPHONE, visit } from '../support/visits';

const URLS = '/api/v1/service/urls';

/** destination-policy.spec.ts tests the rules; this suite tests that the API applies them. */
describe('destinations of short links', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-deny-'));
  const file = join(folder, 'hosts.txt');
  beforeAll(() => writeFileSync(file, '*.denied.example # phishing\n'));
  const app = useTestApp({ env: { DESTINATION_DENY_LIST: file } });
  let org: TestOrganization;

  beforeAll(async () => {
    org = await createOrganization(app);
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

  it('follows changes of the deny-list', async () => {
    await createLink(org, { url: 'https://later.example/' });
    writeFileSync(file, 'later.example\n');
    await org.api.post(URLS, { url: 'https://later.example/' }).expect(400);
    await createLink(org, { url: 'https://a.denied.example/' });
  });
});
