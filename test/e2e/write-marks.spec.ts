import { Database } from '../../src/infrastructure/database/database';
import { DomainCheckSchedule } from '../../src/modules/domains/checks/domain-check-schedule';
import { HealthRound } from '../../src/modules/link-health/health-round';
import { SegmentEvaluations } from '../../src/modules/segments/segment-evaluations';
import { CONTACTS, createBook } from '../support/contacts';
import { DnsServer } from '../support/dns-server';
import { DomainConsole } from '../support/domains';
import { eventually } from '../support/eventually';
import { createOrganization, type TestOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { createUser, newAddress, useIdentityProvider } from '../support/oidc-sign-in';
import { PagesServer } from '../support/pages-server';
import { GOLD, SegmentConsole } from '../support/segments';
import { perTest, type TestApp, useTestApp } from '../support/test-app';
import { WebhookReceiver } from '../support/webhook-receiver';
import { Webhooks } from '../support/webhooks';

const NOW = '2026-11-20T08:32:00Z';
const HOUR = 3_600_000;

/** What a statement returns to others whenever the organization is marked. */
function seenAtMarks(app: TestApp, { organizationId }: TestOrganization, statement: string): unknown[] {
  const seen: unknown[] = [];
  jest.spyOn(app.get(Database), 'wrote').mockImplementation(async (marked) => {
    if (marked !== organizationId) return;
    const [row] = await app.sql<{ value: unknown }>(statement, [organizationId]);
    seen.push(row?.value ?? null);
  });
  return seen;
}

describe('What no request of the organization writes is marked once it is committed:', () => {
  let dns: DnsServer;
  let pages: PagesServer;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    dns = await DnsServer.start();
    pages = await PagesServer.start();
    receiver = await WebhookReceiver.start();
  });
  const app = useTestApp(() => ({ env: { DNS_SERVERS: dns.address } }));
  const oidc = useIdentityProvider();
  beforeEach(() => app.clock.set(NOW));
  const org = perTest(() => createOrganization(app));
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await pages.close();
    await receiver.close();
    await dns.close();
  });

  it('the daily evaluation of a segment', async () => {
    await new SegmentConsole(app, org).make(GOLD);
    const seen = seenAtMarks(
      app,
      org,
      'SELECT last_evaluated_at AS value FROM segments WHERE organization_id = $1',
    );
    app.clock.advance(48 * HOUR);
    await app.get(SegmentEvaluations).daily();
    expect(seen).toEqual([expect.any(Date)]);
  });

  it('the check of a custom domain', async () => {
    await new DomainConsole(app, org).added('d1.brand.test');
    const seen = seenAtMarks(
      app,
      org,
      'SELECT status AS value FROM custom_domains WHERE organization_id = $1',
    );
    app.clock.advance(73 * HOUR);
    await app.get(DomainCheckSchedule).run();
    expect(seen.at(-1)).toBe('FAILED');
  });

  it.each(['healthy', 'unknown'] as const)('the check of a destination that is then %s', async (status) => {
    pages.on(
      '/page',
      (_request, response) => void response.writeHead(status === 'healthy' ? 200 : 503).end(),
    );
    const { id } = await createLink(org);
    const lead = 'UPDATE links SET original_url = $2, updated_at = $3 WHERE id = $1';
    await app.sql(lead, [id, `${pages.origin}/page`, app.clock.date()]);
    const sql = `SELECT status || ' ' || (checked_at IS NOT NULL) AS value FROM link_health WHERE organization_id = $1`;
    const seen = seenAtMarks(app, org, sql);
    for (let day = 0; day < 8; day++) {
      app.clock.advance(24 * HOUR);
      await app.get(HealthRound).run(new AbortController().signal);
    }
    expect(seen[0]).toBe(`${status} true`);
  });

  it('the result of a webhook delivery', async () => {
    const webhooks = new Webhooks(app, org);
    await webhooks.create(receiver.at('/hooks'));
    const seen = seenAtMarks(
      app,
      org,
      'SELECT status AS value FROM webhook_deliveries WHERE organization_id = $1',
    );
    await webhooks.raise('contact.created', {});
    await eventually(async () => expect(seen.at(-1)).toBe('DELIVERED'));
  });

  it('what a bulk job has come to', async () => {
    const book = await createBook(app);
    const seen = seenAtMarks(
      app,
      book,
      'SELECT count(*)::int AS value FROM contacts WHERE organization_id = $1',
    );
    const items = Array.from({ length: 3 }, (_, i) => ({ externalUserId: `m${i}` }));
    await book.api.post(`${CONTACTS}/bulk`).query({ async: true }).send(items).expect(202);
    await eventually(async () => expect(seen).toContain(3));
  });

  it('the first sign-in with an identity', async () => {
    const own = await createOrganization(oidc.app);
    const email = newAddress();
    await createUser(oidc.app, own.organizationId, email);
    const sql = 'SELECT action AS value FROM audit_log WHERE organization_id = $1 ORDER BY id DESC LIMIT 1';
    const seen = seenAtMarks(oidc.app, own, sql);
    expect((await oidc.signIn(oidc.person({ email }))).status).toBe(302);
    expect(seen).toEqual(['user.link_identity', 'user.sign_in']);
  });
});
