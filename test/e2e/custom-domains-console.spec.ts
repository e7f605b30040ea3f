import { createCampaign } from '../support/campaigns';
import { DomainConsole } from '../support/domains';
import { consoleApi, createOrganization, type TestOrganization } from '../support/factories';
import { useDnsServer } from '../support/dns-server';
import { createLink } from '../support/links';
import { perSuite, SHORT_HOST, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

const below = (label: string) => `${label}.${SHORT_HOST}`;

describe('custom domains in the console', () => {
  const dns = useDnsServer();
  const app = useTestApp(() => ({ env: { DNS_SERVERS: dns.address } }));
  const one = perSuite(() => createOrganization(app));
  const two = perSuite(() => createOrganization(app));
  const mine = new DomainConsole(app, one);
  const theirs = new DomainConsole(app, two);
  afterEach(() => app.clock.run());

  const audit = async ({ organizationId }: TestOrganization, id: number) => {
    const path = `/api/v1/console/organizations/${organizationId}/audit-log`;
    const query = `resourceType=custom_domain&resourceId=${id}`;
    const { body } = await consoleApi(app).get(`${path}?${query}`).expect(200);
    return (body.content as { action: string; actor: { name: string }; changes: object }[]).reverse();
  };

  /** Adds a domain with its CNAME in place. */
  const verified = async (console: DomainConsole, name: string) => {
    const domain = await console.added(name);
    dns.cname(domain.cnameRecordName, domain.cnameRecordValue);
    expect(await console.acted(domain.id, 'verify')).toMatchObject({ status: 'VERIFIED' });
    return domain;
  };

  it('adds a domain with the required CNAME, and checks it immediately', async () => {
    app.clock.set('2026-11-20T08:32:41Z');
    const { username, password } = one;
    const login = await consoleApi(app).post('/api/v1/console/login', { username, password });
    const domain = await new DomainConsole(app, one, login.body.token).added('links.brand.test');
    expect(domain).toEqual({
      id: expect.any(Number),
      domainName: 'links.brand.test',
      ownerUsername: username,
      status: 'PENDING',
      cnameRecordName: '_waypost.links.brand.test',
      cnameRecordValue: expect.stringMatching(/^[0-9a-f]{32}\.verify\.go\.waypost\.test$/),
      createdAt: '2026-11-20T08:32',
      deletionRequested: false,
      deletionRequestedAt: null,
      disabledReason: null,
      verifiedAt: null,
      lastCheckedAt: '2026-11-20T08:32:41Z',
      expectedRecords: [
        expect.objectContaining({ name: '_waypost.links.brand.test', purpose: 'OWNERSHIP' }),
        expect.objectContaining({ name: 'links.brand.test', purpose: 'TRAFFIC' }),
      ],
      lastCheck: expect.objectContaining({ checkedAt: '2026-11-20T08:32:41Z', problem: 'RECORD_MISSING' }),
      failingSince: null,
      rootUrl: null,
      notFoundUrl: null,
      expiredUrl: null,
      caseSensitiveCodes: true,
    });
    expect(dns.questions).toContain('_waypost.links.brand.test CNAME');
    const { body } = await mine.list().expect(200);
    expect(body).toMatchObject({ number: 0, size: 20, totalElements: 1, content: [domain] });
    expect(await audit(one, domain.id)).toMatchObject([
      {
        action: 'custom_domain.create',
        actor: { type: 'USER', name: username },
        changes: { domainName: { to: 'links.brand.test' }, status: { to: 'PENDING' } },
      },
    ]);
  });

  describe('normalizes a name as in DNS', () => {
    const label63 = 'a'.repeat(63);
    const name253 = `${label63}.${label63}.${label63}.${'b'.repeat(56)}.test`;

    it.each([
      ['Shop.Brand.TEST', 'shop.brand.test'],
      ['dot.brand.test.', 'dot.brand.test'],
      ['bücher.test', 'xn--bcher-kva.test'],
      ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
      ['full。width．dots.test', 'full.width.dots.test'],
      ['zero\u200bwidth.test', 'zerowidth.test'],
      ['1.2.3.test', '1.2.3.test'],
      [`${label63}.test`, `${label63}.test`],
      [`${name253.slice(1)}x.`, `${name253.slice(1)}x`],
    ])('%s', async (given, name) => {
      expect(await mine.added(given)).toMatchObject({
        domainName: name,
        cnameRecordName: `_waypost.${name}`,
      });
    });

    it.each([
      'single',
      '.test',
      '-a.test',
      'under_score.test',
      'tab\t.test',
      'links.test:443',
      'user@links.test',
      '*.links.test',
      'xn--\u0000.test',
      'xn--zzzzzzzzzzzzz99999.test',
      '127.0.0.1',
      'a.b.123',
      '[::1]',
      `a.${label63}.${label63}.${label63}.${'b'.repeat(55)}.test`,
      'ü'.repeat(100) + '.test',
    ])('and refuses %j', async (name) => {
      const { body } = await mine.add(name).expect(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'domainName' }] });
    });

    it.each([
      SHORT_HOST,
      'GO.waypost.test.',
      'api.waypost.test',
      'waypost.test',
      `a.b.${SHORT_HOST}`,
      `api.${SHORT_HOST}`,
      `WWW.${SHORT_HOST}`,
      `verify.${SHORT_HOST}`,
      `_x.${SHORT_HOST}`,
      ...[
        'sso',
        'accounts',
        'signin',
        'secure',
        'billing',
        'pay',
        'oauth',
        'login',
        'wallet',
        'password',
      ].map(below),
      ...['log-in', 'sign-in', 'l0gin', '1ogin', 'login2', 'secure-login', 'my-account', 'xn--lgin-55d'].map(
        below,
      ),
      ...['lоgin', 'ѕѕо', 'раураӏ-pay', 'вilling', 'ассоunt', 'οauth', 'shoр', 'магазин-shop', 'рау'].map(
        below,
      ),
      ...['1login', 'login-page', 'loginpage', 'kr-login', 'my-admin', 'admins', 'password-reset'].map(below),
      ...['mta-sts', 'mfa', '로그인', '登录', 'логин'].map(below),
      ...['ᴀdmin', 'loɢin', 'ǀogin', 'ŀogin', 'accounƭ', 'shoᴘ'].map(below),
    ])('and refuses the service’s own %s', async (name) => {
      await mine.add(name).expect(400);
    });
  });

  it.each(['shop', '한국', 'bücher', 'payday', 'go-ahead', 'æsir-2'])(
    'lets everyone else have %s below the short domain',
    async (label) => {
      expect(await mine.added(below(label))).toMatchObject({ status: 'ACTIVE' });
    },
  );

  it('keeps a deleted or revoked subdomain of the short domain for its holder', async () => {
    const name = below('former');
    const domain = await mine.added(name);
    const refusal = {
      code: 'DOMAIN_TAKEN',
      message: `${name} is kept for the organization that had it before`,
    };
    await mine.act(domain.id, 'revoke').expect(200);
    expect((await theirs.add(name).expect(409)).body).toMatchObject(refusal);
    await mine.remove(domain.id).expect(204);
    expect((await theirs.add(name.toUpperCase()).expect(409)).body).toMatchObject(refusal);
    expect(await mine.added(name)).toMatchObject({ status: 'ACTIVE' });
  });

  it('assigns a subdomain of the short domain immediately', async () => {
    const domain = await mine.added(`Brand.${SHORT_HOST}`);
    expect(domain).toMatchObject({
      domainName: `brand.${SHORT_HOST}`,
      status: 'ACTIVE',
      cnameRecordName: null,
      cnameRecordValue: null,
    });
    const link = await createLink(one, { customDomainId: domain.id, customAlias: 'sub' });
    expect(link).toMatchObject({ shortUrl: 'sub', customDomainName: `brand.${SHORT_HOST}` });
    await visit(app, '/sub', { host: `brand.${SHORT_HOST}` }).expect(302);
    await theirs.add(`brand.${SHORT_HOST}`).expect(409);
    await mine.act(domain.id, 'revoke').expect(200);
    await visit(app, '/sub', { host: `brand.${SHORT_HOST}` }).expect(404);
    expect(await mine.acted(domain.id, 'verify')).toMatchObject({ status: 'ACTIVE', lastCheckedAt: null });
    await visit(app, '/sub', { host: `brand.${SHORT_HOST}` }).expect(302);
  });

  describe('assigns a name to one organization', () => {
    it('even under concurrency', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => (i % 2 ? mine : theirs).add('Race.test')),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status !== 201);
      expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
        new Set(['409 DOMAIN_TAKEN']),
      );
    });

    it('in any spelling, including the current owner', async () => {
      const { domainName } = await mine.added('köln.test');
      for (const name of ['KÖLN.test', `${domainName}.`]) {
        await theirs.add(name).expect(409);
        await mine.add(name).expect(409);
      }
    });

    it('and reserves an unproven claim for at most 72 hours', async () => {
      app.clock.set('2026-01-01T00:00:00Z');
      const squatted = await theirs.added('squatted.test');
      app.clock.set('2026-01-03T23:59:59Z');
      await mine.add('squatted.test').expect(409);
      // Neither verifying nor deleting and re-adding extends the time.
      await theirs.act(squatted.id, 'verify').expect(200);
      await theirs.remove(squatted.id).expect(204);
      const again = await theirs.added('squatted.test');
      app.clock.set('2026-01-04T00:00:00Z');
      const owner = await mine.added('squatted.test');
      expect(await audit(two, again.id)).toMatchObject([
        { action: 'custom_domain.create' },
        { action: 'custom_domain.fail', changes: { status: { from: 'PENDING', to: 'FAILED' } } },
      ]);
      const { body } = await theirs.act(again.id, 'verify').expect(409);
      expect(body.code).toBe('DOMAIN_TAKEN');
      dns.cname(owner.cnameRecordName, owner.cnameRecordValue);
      expect(await mine.acted(owner.id, 'verify')).toMatchObject({ status: 'VERIFIED' });
      app.clock.set('2030-01-01T00:00:00Z');
      await theirs.add('squatted.test').expect(409);
    });

    it('which a proof reserves until it is revoked', async () => {
      const domain = await verified(mine, 'sold.test');
      app.clock.advance(100 * 3_600_000);
      await theirs.add('sold.test').expect(409);
      await mine.act(domain.id, 'revoke').expect(200);
      const sold = await theirs.added('sold.test');
      await mine.act(domain.id, 'verify').expect(409);
      // The seller's links don't work on the buyer's domain, and the buyer's CNAME doesn't prove the seller's claim.
      expect(await theirs.acted(sold.id, 'verify')).toMatchObject({ status: 'PENDING' });
      await theirs.remove(sold.id).expect(204);
      expect(await mine.acted(domain.id, 'verify')).toMatchObject({ status: 'VERIFIED' });
    });
  });

  it('cannot verify a domain by the CNAME of another organization', async () => {
    const domain = await mine.added('stolen.test');
    dns.cname(domain.cnameRecordName, domain.cnameRecordValue);
    await mine.remove(domain.id).expect(204);
    const stolen = await theirs.added('stolen.test');
    expect(stolen.cnameRecordValue).not.toBe(domain.cnameRecordValue);
    expect(await theirs.acted(stolen.id, 'verify')).toMatchObject({ status: 'PENDING' });
  });

  it('revokes a domain: its links stop, new ones are refused, and verification restores them', async () => {
    const domain = await verified(mine, 'revoked.test');
    await createLink(one, { customDomainId: domain.id, customAlias: 'here' });
    await visit(app, '/here', { host: 'revoked.test' }).expect(302);
    expect(await mine.acted(domain.id, 'revoke')).toMatchObject({ status: 'REVOKED' });
    await visit(app, '/here', { host: 'revoked.test' }).expect(404);
    const { body } = await one.api
      .post('/api/v1/service/urls', { url: 'https://example.com/', customDomainId: domain.id })
      .expect(400);
    expect(body.code).toBe('DOMAIN_NOT_USABLE');
    expect(await mine.acted(domain.id, 'revoke')).toMatchObject({ status: 'REVOKED' });
    expect(await mine.acted(domain.id, 'verify')).toMatchObject({ status: 'VERIFIED' });
    await visit(app, '/here', { host: 'revoked.test' }).expect(302);
    expect((await audit(one, domain.id)).map(({ action, actor }) => [action, actor.name])).toEqual([
      ['custom_domain.create', 'platform'],
      ['custom_domain.verify', 'domain check'],
      ['custom_domain.revoke', 'platform'],
      ['custom_domain.reopen', 'platform'],
      ['custom_domain.verify', 'domain check'],
    ]);
  });

  it('cannot revoke a domain that is not verified', async () => {
    const { id } = await mine.added('not-yet.test');
    const { body } = await mine.act(id, 'revoke').expect(409);
    expect(body.code).toBe('DOMAIN_NOT_VERIFIED');
  });

  it('marks a domain for deletion once, and keeps it working', async () => {
    const domain = await verified(mine, 'leaving.test');
    app.clock.set('2026-12-01T10:00:59Z');
    const marked = { deletionRequested: true, deletionRequestedAt: '2026-12-01T10:00', status: 'VERIFIED' };
    expect(await mine.acted(domain.id, 'request-deletion')).toMatchObject(marked);
    app.clock.advance(60_000);
    expect(await mine.acted(domain.id, 'request-deletion')).toMatchObject(marked);
    expect((await audit(one, domain.id)).map(({ action }) => action)).toEqual([
      'custom_domain.create',
      'custom_domain.verify',
      'custom_domain.request_deletion',
    ]);
  });

  it('deletes a domain with live links or campaigns only when forced', async () => {
    const domain = await verified(mine, 'in-use.test');
    const customDomainId = domain.id;
    const links = [await createLink(one, { customDomainId }), await createLink(one, { customDomainId })];
    const campaign = await createCampaign(one, { customDomainId });
    await createLink(one);
    const refused = async () => (await mine.remove(domain.id).expect(409)).body as Record<string, unknown>;
    expect(await refused()).toMatchObject({
      code: 'DOMAIN_IN_USE',
      links: 2,
      campaigns: 1,
      message: 'in-use.test is in use (links: 2, campaigns: 1); pass force=true to delete it anyway',
    });
    await mine.remove(domain.id, { force: false }).expect(409);
    for (const { id } of links) await one.api.delete(`/api/v1/service/urls/${id}`).expect(204);
    expect(await refused()).toMatchObject({ links: 0, campaigns: 1 });
    const expiresAt = new Date(app.clock.now() + 1000).toISOString();
    await one.api.put(`/api/v1/service/campaigns/${campaign.id}`, { expiresAt }).expect(200);
    app.clock.advance(2000);
    await mine.remove(domain.id).expect(204);
    const { body } = await mine.remove(domain.id, { force: 'maybe' as never }).expect(400);
    expect(body.details).toMatchObject([{ field: 'force' }]);
  });

  it('deletes a domain: its links stay listed, and never work again', async () => {
    const domain = await verified(mine, 'deleted.test');
    const link = await createLink(one, { customDomainId: domain.id, customAlias: 'kept' });
    await visit(app, '/kept', { host: 'deleted.test' }).expect(302);
    await mine.remove(domain.id, { force: true }).expect(204);
    await visit(app, '/kept', { host: 'deleted.test' }).expect(404);
    await mine.remove(domain.id).expect(404);
    await mine.act(domain.id, 'verify').expect(404);
    await one.api.get(`/api/v1/service/custom-domains/${domain.id}`).expect(404);
    const read = await one.api.get(`/api/v1/service/urls/${link.id}`).expect(200);
    expect(read.body).toMatchObject({ shortUrl: 'kept', customDomainName: 'deleted.test' });
    const next = await verified(mine, 'deleted.test');
    await visit(app, '/kept', { host: 'deleted.test' }).expect(404);
    await createLink(one, { customDomainId: next.id, customAlias: 'kept' });
    await visit(app, '/kept', { host: 'deleted.test' }).expect(302);
  });

  it('keeps what a check found whose request has an Idempotency-Key', async () => {
    const domain = await mine.added('links.keyed.test');
    dns.cname(domain.cnameRecordName, domain.cnameRecordValue);
    const { body } = await mine.act(domain.id, 'verify').set('Idempotency-Key', 'a check').expect(200);
    expect(body).toMatchObject({ status: 'VERIFIED', lastCheck: { problem: 'NOT_REACHED' } });
  });
});
