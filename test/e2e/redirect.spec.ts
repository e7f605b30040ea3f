import { addAddresses } from '../support/addresses';
import { createOrganization } from '../support/factories';
import { API_HOST, perSuite, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

describe('redirecting', () => {
  const app = useTestApp();
  const organization = perSuite(() => createOrganization(app));
  beforeEach(() => app.clock.run());

  async function createLink(body: object = {}): Promise<{ id: number; path: string }> {
    const { body: link } = await organization.api
      .post('/api/v1/service/urls', { url: 'https://example.com/landing', ...body })
      .expect(201);
    return { id: link.id, path: new URL(link.shortUrl).pathname };
  }

  it('adds utm values of the link and request parameters that the destination lacks', async () => {
    const { path } = await createLink({ url: 'https://example.com/?a=1#top', utmSource: 'news letter' });
    const response = await visit(app, `${path}?a=2&b=%2B&cid=9`).expect(302);
    expect(response.headers.location).toBe('https://example.com/?a=1&utm_source=news%20letter&b=%2B#top');
  });

  it.each(['post', 'put', 'delete', 'options'] as const)('answers %s with 405', async (method) => {
    const { path } = await createLink();
    const response = await visit(app, path, { method }).expect(405);
    expect(response.headers.allow).toBe('GET, HEAD');
  });

  it('shows a 404 page for missing codes of any form', async () => {
    for (const path of [
      '/nothing',
      '/a/b/c',
      '/%00',
      '/%E0%A4%A',
      '/c/none',
      `/${'x'.repeat(3000)}`,
      '//',
      '/.',
    ]) {
      const response = await visit(app, path).expect(404);
      expect(response.headers['content-type']).toContain('text/html');
      expect(response.text).toContain('Link not found');
      expect(response.headers['content-security-policy']).toContain("default-src 'none'");
    }
  });

  it('serves robots.txt and favicon.ico', async () => {
    expect((await visit(app, '/robots.txt').expect(200)).text).toContain('User-agent');
    expect((await visit(app, '/favicon.ico').expect(200)).headers['content-type']).toBe('image/svg+xml');
  });

  describe('by host', () => {
    const apiPath = '/health/live';
    const link = perSuite(() => createLink());
    beforeAll(async () => {
      await app.sql(
        `INSERT INTO custom_domains (organization_id, domain_name, status, created_at)
         SELECT $1, lower(status) || '.customer.test', status, now()
           FROM unnest(ARRAY['PENDING', 'VERIFIED', 'ACTIVE', 'FAILED', 'REVOKED']) AS status`,
        [organization.organizationId],
      );
      await app.sql(
        `INSERT INTO links (organization_id, domain_id, code, original_url, created_at, updated_at)
         SELECT organization_id, id, 'own', 'https://example.com/own', now(), now() FROM custom_domains`,
      );
      await addAddresses((sql) => app.sql(sql));
    });

    it.each([
      ['pending', 404],
      ['verified', 302],
      ['active', 302],
      ['failed', 404],
      ['revoked', 404],
    ])('a %s custom domain: %s, and no API', async (status, expected) => {
      const host = `${status}.customer.test`;
      await visit(app, '/own', { host }).expect(expected);
      await visit(app, link.path, { host }).expect(404);
      await visit(app, apiPath, { host }).expect(404);
    });

    it.each([
      ['verified.customer.test', 200],
      ['ACTIVE.customer.test.', 200],
      ['pending.customer.test', 404],
      ['revoked.customer.test', 404],
      ['elsewhere.test', 404],
      ['', 400],
      ['a%00b', 400],
    ])('a proxy that requests a certificate for "%s" gets %s', async (domain, expected) => {
      await visit(app, `/internal/tls-check?domain=${domain}`, { host: API_HOST }).expect(expected);
    });
  });
});
