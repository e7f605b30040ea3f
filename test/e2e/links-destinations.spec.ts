import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOrganization, type TestOrganization } from '../support/factories';
import { createDomain, createLink } from '../support/links';
import { SHORT_HOST, TestApp } from '../support/test-app';

const URLS = '/api/v1/service/urls';

/** Every rule has its cases in destination-policy.spec.ts; here is that the API asks them. */
describe('destinations of short links', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-deny-'));
  const file = join(folder, 'hosts.txt');
  let app: TestApp;
  let org: TestOrganization;

  beforeAll(async () => {
    writeFileSync(file, '*.denied.example # phishing\n');
    app = await TestApp.start({ env: { DESTINATION_DENY_LIST: file } });
    org = await createOrganization(app);
    await createDomain(app, await createOrganization(app), 'short.brand.example', 'ACTIVE');
    await createDomain(app, await createOrganization(app), 'claimed.example', 'PENDING');
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['https://denied.example/', 'must not lead to a host on the deny-list'],
    ['https://a.b.Denied.Example./x', 'must not lead to a host on the deny-list'],
    ['https://2130706433/', 'must not lead to a private, local or reserved address'],
    ['https://[::ffff:169.254.169.254]/', 'must not lead to a private, local or reserved address'],
    ['https://localhost:8443/', 'must not lead to a local host name'],
    [`https://${SHORT_HOST}/abc`, 'must not lead to a short domain of this service'],
    ['https://short.brand.example/abc', 'must not lead to a short domain of this service'],
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

  it('takes a domain that somebody has only claimed', async () => {
    await createLink(org, { url: 'https://claimed.example/' });
  });

  it('follows changes of the deny-list', async () => {
    await createLink(org, { url: 'https://later.example/' });
    writeFileSync(file, 'later.example\n');
    await org.api.post(URLS).send({ url: 'https://later.example/' }).expect(400);
    await createLink(org, { url: 'https://a.denied.example/' });
  });
});
