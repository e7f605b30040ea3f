import { createServer, type RequestListener, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { DomainCheckSchedule } from '../../src/modules/domains/checks/domain-check-schedule';
import { DomainChecks } from '../../src/modules/domains/checks/domain-checks';
import { DnsServer, inClass, type Reply } from '../support/dns-server';
import { type Domain, DomainConsole } from '../support/domains';
import { heard } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { API_HOST, perSuite, SHORT_HOST, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = '2026-03-01T00:00:00Z';
const SERVFAIL = 2;

describe('checks of custom domains', () => {
  let dns: DnsServer;
  beforeAll(async () => {
    dns = await DnsServer.start();
  });
  const app = useTestApp(() => ({ env: { DNS_SERVERS: dns.address } }));
  const other = useTestApp(() => ({ env: { DNS_SERVERS: dns.address }, database: app.database }));
  /** Local port that stands in for port 80 of the customers' domains. */
  let webPort: number | null = null;
  let made = 0;

  beforeAll(() => {
    const connect = net.connect.bind(net) as (options: net.TcpNetConnectOpts) => net.Socket;
    jest
      .spyOn(net, 'connect')
      .mockImplementation(((options: net.TcpNetConnectOpts) =>
        connect(
          String(options.port) === '80' && webPort ? { ...options, port: webPort } : options,
        )) as never);
  });
  const organization = perSuite(() => createOrganization(app));
  const console = new DomainConsole(app, organization);
  beforeEach(() => at(START));
  afterEach(async () => {
    webPort = null;
    dns.forget('*');
    await app.alter(`UPDATE custom_domains SET deleted_at = now()`);
    await app.sql('TRUNCATE scheduled_jobs');
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await dns.close();
  });

  function at(time: string | number): void {
    for (const each of [app, other]) each.clock.set(new Date(time));
  }
  const after = (milliseconds: number) => at(Date.parse(START) + milliseconds);
  const tick = (process = app) => process.get(DomainCheckSchedule).run();
  const add = () => console.added(`d${++made}.brand.test`);
  const prove = ({ cnameRecordName, cnameRecordValue }: Domain) =>
    dns.cname(cnameRecordName, cnameRecordValue);
  const read = async ({ id }: Domain): Promise<Domain> =>
    (await organization.api.get(`/api/v1/service/custom-domains/${id}`).expect(200)).body;
  const status = async (domain: Domain) => (await read(domain)).status;

  async function verified(): Promise<Domain> {
    const domain = await add();
    prove(domain);
    await console.acted(domain.id, 'verify');
    return domain;
  }

  async function site(listener: RequestListener): Promise<Server> {
    const server = createServer(listener);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    webPort = (server.address() as AddressInfo).port;
    return server;
  }

  describe('a domain without its CNAME yet', () => {
    it('is VERIFIED at the first check that finds it, in every process immediately', async () => {
      const domain = await add();
      const host = domain.domainName;
      for (const process of [app, other]) await visit(process, '/x', { host }).expect(404);
      prove(domain);
      expect(await tick()).toBe(true);
      expect(await status(domain)).toBe('PENDING');
      after(600_000);
      expect(await tick(other)).toBe(true);
      expect(await status(domain)).toBe('VERIFIED');
      const link = { customDomainId: domain.id, customAlias: 'first' };
      await createLink(organization, link);
      for (const process of [app, other]) {
        await heard(async () => visit(process, '/first', { host }).expect(302));
        await visit(process, `/internal/tls-check?domain=${host}`, { host: API_HOST }).expect(200);
      }
    });

    it('is FAILED after 72 hours, not sooner, and waits as long again when verification is restarted', async () => {
      const domain = await add();
      after(72 * HOUR - 1);
      await tick();
      expect(await status(domain)).toBe('PENDING');
      after(72 * HOUR + 600_000);
      await tick();
      expect(await status(domain)).toBe('FAILED');
      prove(domain);
      after(73 * HOUR);
      await tick();
      expect(await status(domain)).toBe('FAILED');
      dns.forget(domain.cnameRecordName);
      expect(await console.acted(domain.id, 'verify')).toMatchObject({ status: 'PENDING' });
      after(145 * HOUR - 1);
      await tick();
      expect(await status(domain)).toBe('PENDING');
      after(145 * HOUR + 600_000);
      await tick();
      expect(await status(domain)).toBe('FAILED');
    });

    it('is VERIFIED by a CNAME that appears at the last moment', async () => {
      const domain = await add();
      prove(domain);
      after(80 * HOUR);
      await tick();
      expect(await status(domain)).toBe('VERIFIED');
    });
  });

  describe('a verified domain whose CNAME has disappeared', () => {
    it.each(['VERIFIED', 'ACTIVE'])(
      'is REVOKED when every check of 7 days has missed it, if %s',
      async (from) => {
        const domain = await verified();
        const host = domain.domainName;
        if (from === 'ACTIVE')
          await app.alter(`UPDATE custom_domains SET status = 'ACTIVE' WHERE id = $1`, [domain.id]);
        const { id } = domain;
        await createLink(organization, { customDomainId: id, customAlias: `gone-${from}` });
        for (const process of [app, other]) await visit(process, `/gone-${from}`, { host }).expect(302);
        dns.forget(domain.cnameRecordName);
        after(HOUR);
        await tick();
        expect((await console.acted(id, 'verify')).failingSince).toBe('2026-03-01T01:00:00Z');
        after(HOUR + 7 * DAY - 1);
        await tick();
        expect(await status(domain)).toBe(from);
        after(HOUR + 7 * DAY + 600_000);
        await tick();
        expect(await status(domain)).toBe('REVOKED');
        for (const process of [app, other]) {
          await heard(async () => visit(process, `/gone-${from}`, { host }).expect(404));
          await visit(process, `/internal/tls-check?domain=${host}`, { host: API_HOST }).expect(404);
        }
        const body = { url: 'https://example.com/', customDomainId: id };
        expect((await organization.api.post('/api/v1/service/urls', body).expect(400)).body.code).toBe(
          'DOMAIN_NOT_USABLE',
        );
        prove(domain);
        expect(await console.acted(id, 'verify')).toMatchObject({ status: 'VERIFIED', failingSince: null });
        await visit(app, `/gone-${from}`, { host }).expect(302);
      },
    );

    it('gets another 7 days with each check that finds it', async () => {
      const domain = await verified();
      dns.forget(domain.cnameRecordName);
      after(DAY);
      await tick();
      prove(domain);
      after(6 * DAY);
      await tick();
      dns.forget(domain.cnameRecordName);
      after(8 * DAY + HOUR);
      await tick();
      expect(await console.acted(domain.id, 'verify')).toMatchObject({
        status: 'VERIFIED',
        failingSince: '2026-03-09T01:00:00Z',
      });
      after(15 * DAY);
      await tick();
      expect(await status(domain)).toBe('VERIFIED');
    });

    it('is not revoked while our own resolvers fail, however long', async () => {
      const domain = await verified();
      dns.fails(domain.cnameRecordName, SERVFAIL);
      dns.fails('*', SERVFAIL);
      for (const days of [1, 5, 9]) {
        after(days * DAY);
        await tick();
      }
      expect(await console.acted(domain.id, 'verify')).toMatchObject({
        status: 'VERIFIED',
        failingSince: null,
      });
    });

    it('is revoked when its own name servers fail for 7 days', async () => {
      const domain = await verified();
      dns.fails(domain.cnameRecordName, SERVFAIL);
      for (const days of [1, 8]) {
        after(days * DAY + HOUR);
        await tick();
      }
      expect(await status(domain)).toBe('REVOKED');
    });
  });

  describe('interpret responses correctly', () => {
    const cname = (target: (value: string) => string) => (value: string) =>
      ((answer, { name }) => {
        answer.answers.push({ ...inClass(name, 5), domain: target(value) });
        return undefined;
      }) satisfies Reply;
    const raw = (change: (message: Buffer, value: string) => Buffer) => (value: string) =>
      ((answer, { name }) => {
        answer.answers.push({ ...inClass(name, 5), domain: value });
        return change(answer.toBuffer(), value);
      }) satisfies Reply;
    const answers: [string, string, (value: string) => Reply][] = [
      ['the right CNAME', 'VERIFIED', cname((value) => value)],
      ['it in upper case', 'VERIFIED', cname((value) => value.toUpperCase())],
      [
        'it with the first of a chain that goes on',
        'VERIFIED',
        (value) => (answer, question) => {
          answer.answers.push({ ...inClass(question.name, 5), domain: value });
          answer.answers.push({ ...inClass(value, 5), domain: 'elsewhere.test' });
          return undefined;
        },
      ],
      ['another token', 'PENDING', cname((value) => `${'0'.repeat(32)}${value.slice(32)}`)],
      ['the token below another domain', 'PENDING', cname((value) => `${value}.evil.test`)],
      ['something before the token', 'PENDING', cname((value) => `x.${value}`)],
      ['the short domain alone', 'PENDING', cname(() => `verify.${SHORT_HOST}`)],
      [
        'the value at the end of a chain',
        'PENDING',
        (value) => (answer, question) => {
          answer.answers.push({ ...inClass(question.name, 5), domain: 'middle.test' });
          answer.answers.push({ ...inClass('middle.test', 5), domain: value });
          return undefined;
        },
      ],
      [
        'an address',
        'PENDING',
        () => (answer, question) => {
          answer.answers.push({ ...inClass(question.name, 1), address: '127.0.0.1' });
          return undefined;
        },
      ],
      [
        'two hundred CNAMEs',
        'PENDING',
        () => (answer, question) => {
          for (let i = 0; i < 200; i++)
            answer.answers.push({ ...inClass(question.name, 5), domain: `n${i}.test` });
          return undefined;
        },
      ],
      ['nothing', 'PENDING', () => () => undefined],
      ['SERVFAIL', 'PENDING', () => (answer) => void (answer.header.rcode = SERVFAIL)],
      ['REFUSED', 'PENDING', () => (answer) => void (answer.header.rcode = 5)],
      ['noise', 'PENDING', raw(() => Buffer.alloc(512, 0xff))],
      ['an answer cut in the middle', 'PENDING', raw((message) => message.subarray(0, -10))],
    ];

    it.each(answers)('%s: %s', async (_, expected, reply) => {
      const domain = await add();
      dns.reply(domain.cnameRecordName, reply(domain.cnameRecordValue));
      expect(await console.acted(domain.id, 'verify')).toMatchObject({ status: expected });
    });
  });

  describe('report what they found', () => {
    const lastCheck = async (domain: Domain) => (await read(domain)).lastCheck;
    const cname = (name: string, value: string) => ({ type: 'CNAME', name, value });

    it('and expect no CNAME of an apex domain, which cannot have one', async () => {
      for (const name of ['apex-brand.test', 'apex-brand.co.kr']) {
        const { expectedRecords } = await console.added(name);
        expect((expectedRecords as object[])[1]).toEqual({
          type: 'ALIAS',
          name,
          value: SHORT_HOST,
          purpose: 'TRAFFIC',
        });
      }
    });

    it('beside what is expected, from the record’s absence to the last step', async () => {
      const domain = await add();
      const { cnameRecordName, cnameRecordValue, domainName } = domain;
      expect(domain.expectedRecords).toEqual([
        { ...cname(cnameRecordName, cnameRecordValue), purpose: 'OWNERSHIP' },
        { ...cname(domainName, SHORT_HOST), purpose: 'TRAFFIC' },
      ]);
      expect(domain.lastCheck).toEqual({
        checkedAt: START,
        problem: 'RECORD_MISSING',
        message: expect.stringContaining('does not exist'),
        found: [],
      });
      dns.cname(cnameRecordName, 'Elsewhere.test.');
      after(60_000);
      expect((await console.acted(domain.id, 'verify')).lastCheck).toEqual({
        checkedAt: '2026-03-01T00:01:00Z',
        problem: 'RECORD_WRONG',
        message: expect.any(String),
        found: [cname(cnameRecordName, 'elsewhere.test')],
      });
      prove(domain);
      dns.addresses(domainName, '127.0.0.1', '::1');
      after(120_000);
      const found = [
        cname(cnameRecordName, cnameRecordValue),
        { type: 'A', name: domainName, value: '127.0.0.1' },
        { type: 'AAAA', name: domainName, value: '::1' },
      ];
      const waiting = await console.acted(domain.id, 'verify');
      expect(waiting.lastCheck).toMatchObject({ problem: 'NOT_REACHED', found });
      expect(await lastCheck(domain)).toEqual(waiting.lastCheck);
      webPort = Number(new URL(app.url).port);
      after(720_000);
      await tick();
      expect(await read(domain)).toMatchObject({
        status: 'ACTIVE',
        lastCheck: { checkedAt: '2026-03-01T00:12:00Z', problem: null, message: null, found },
      });
      dns.forget(cnameRecordName);
      after(DAY);
      await tick();
      expect(await read(domain)).toMatchObject({
        status: 'ACTIVE',
        lastCheck: { problem: 'RECORD_MISSING' },
      });
    });

    it('and who did not answer', async () => {
      const domain = await add();
      dns.fails(domain.cnameRecordName, SERVFAIL);
      await console.acted(domain.id, 'verify');
      expect(await lastCheck(domain)).toMatchObject({ problem: 'NAME_SERVERS_FAILED', found: [] });
      dns.fails('*', SERVFAIL);
      await console.acted(domain.id, 'verify');
      expect(await lastCheck(domain)).toMatchObject({ problem: 'RESOLVERS_FAILED', found: [] });
    });

    it('at most ten of many long records', async () => {
      const domain = await add();
      dns.reply(domain.cnameRecordName, (answer, { name }) => {
        for (let i = 0; i < 12; i++)
          answer.answers.push({ ...inClass(name, 5), domain: `n${i}.${'a'.repeat(60)}.test` });
        return undefined;
      });
      await console.acted(domain.id, 'verify');
      const { found } = (await lastCheck(domain)) as { found: object[] };
      expect(found.length).toBeGreaterThan(0);
      expect(found.length).toBeLessThanOrEqual(10);
    });

    it('of other checks in no audit entry', async () => {
      const domain = await add();
      const entries = () =>
        app.sql(`SELECT id FROM audit_log WHERE resource_type = 'custom_domain' AND resource_id = $1`, [
          domain.id,
        ]);
      const before = await entries();
      await console.acted(domain.id, 'verify');
      expect(await entries()).toEqual(before);
    });
  });

  describe('a verified domain', () => {
    const proven = async () => {
      const domain = await add();
      dns.addresses(domain.domainName, '127.0.0.1');
      return domain;
    };

    it('is ACTIVE immediately when complete, and stays so when it no longer points here', async () => {
      const domain = await proven();
      prove(domain);
      webPort = Number(new URL(other.url).port);
      expect(await console.acted(domain.id, 'verify')).toMatchObject({ status: 'ACTIVE' });
      webPort = 9;
      after(30 * DAY);
      await tick();
      expect(await status(domain)).toBe('ACTIVE');
    });

    it('returns its own token only on itself', async () => {
      const path = '/.well-known/waypost-domain';
      const [one, two] = [await verified(), await verified()];
      const answer = await visit(app, path, { host: one.domainName }).expect(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
      });
      expect(answer.text).toMatch(/^[0-9a-f]{32}$/);
      const second = await visit(other, path, { host: two.domainName }).expect(200);
      expect(second.text).not.toBe(answer.text);
      expect(one.cnameRecordValue).not.toContain(answer.text);
      await visit(app, path, { host: (await add()).domainName }).expect(404);
      await visit(app, path, { host: SHORT_HOST }).expect(404);
      await visit(app, path, { host: 'elsewhere.test' }).expect(404);
    });

    it.each<[string, (token: string, foreign: string) => RequestListener]>([
      ['another domain’s token', (_, foreign) => (_request, response) => response.end(foreign)],
      ['its token with a 404', (token) => (_, response) => response.writeHead(404).end(token)],
      ['its token in a page', (token) => (_, response) => response.end(`<p>${token}</p>`)],
      [
        'a redirect',
        () => (_, response) => response.writeHead(302, { Location: `http://${SHORT_HOST}/` }).end(),
      ],
      ['its token and much more', (token) => (_, response) => response.end(token + ' '.repeat(1_000_000))],
    ])('is not ACTIVE for %s', async (_, answer) => {
      const [domain, foreign] = [await proven(), await verified()];
      const rows = await app.sql<{ id: number; activation_token: string }>(
        'SELECT id, activation_token FROM custom_domains',
      );
      const token = (id: number) => rows.find((row) => row.id === id)?.activation_token ?? '';
      const server = await site(answer(token(domain.id), token(foreign.id)));
      prove(domain);
      expect(await console.acted(domain.id, 'verify')).toMatchObject({ status: 'VERIFIED' });
      server.close();
    });
  });

  describe('by the schedule', () => {
    const insert = (count: number) =>
      app.sql(
        `INSERT INTO custom_domains (organization_id, domain_name, status, created_at, pending_since)
         SELECT $1, 'many' || i || '.b' || $3 || '.test', 'PENDING', $4, $4 FROM generate_series(1, $2) AS i`,
        [organization.organizationId, count, ++made, START],
      );

    it('run once per domain, even when processes tick together', async () => {
      // Enough for the planner to choose a subquery per row.
      await insert(450);
      await app.sql('ANALYZE custom_domains');
      // Checks rather than questions, which a resolver repeats when an answer is late.
      const check = jest.spyOn(DomainChecks.prototype, 'check');
      const ran = await Promise.all([tick(), tick(other), tick(), tick(other)]);
      const checked = check.mock.calls.map(([{ id }]) => id);
      check.mockRestore();
      expect(ran.filter(Boolean)).toHaveLength(1);
      expect([checked.length, new Set(checked).size]).toEqual([450, 450]);
      expect(await tick(other)).toBe(false);
    });

    it('skip domains that were just checked, and return ten minutes later', async () => {
      const domain = await add();
      const asked = dns.questions.length;
      after(240_000);
      await tick();
      expect(dns.questions).toHaveLength(asked);
      after(840_000);
      await tick();
      expect(dns.questions.slice(asked)).toEqual([`${domain.cnameRecordName} CNAME`]);
    });

    it('end soon when resolvers are silent or answer another question, and continue where they stopped', async () => {
      await insert(200);
      const forged = await add();
      dns.reply('*', () => 'silence');
      dns.reply(forged.cnameRecordName, (answer, { name }) => {
        answer.header.id = (answer.header.id + 1) % 65_536;
        answer.answers.push({ ...inClass(name, 5), domain: forged.cnameRecordValue });
        return undefined;
      });
      const asked = dns.questions.length;
      after(660_000);
      await tick();
      expect(dns.questions.length - asked).toBeLessThan(100);
      expect(await status(forged)).toBe('PENDING');
      dns.forget('*');
      dns.forget(forged.cnameRecordName);
      after(1_320_000);
      await tick();
      const open = `SELECT 1 FROM custom_domains WHERE deleted_at IS NULL AND last_checked_at IS DISTINCT FROM $1`;
      expect(await app.sql(open, [app.clock.date()])).toEqual([]);
    });

    it('skip domains that change during a check', async () => {
      const [revoked, deleted] = [await verified(), await add()];
      dns.reply(revoked.cnameRecordName, async () => {
        await console.act(revoked.id, 'revoke').expect(200);
        return undefined;
      });
      dns.reply(deleted.cnameRecordName, async (answer, { name }) => {
        answer.answers.push({ ...inClass(name, 5), domain: deleted.cnameRecordValue });
        await console.remove(deleted.id).expect(204);
        return undefined;
      });
      after(660_000);
      await tick();
      const { body } = await console.list().expect(200);
      expect(body.content).toMatchObject([{ id: revoked.id, status: 'REVOKED', failingSince: null }]);
      await visit(app, '/x', { host: deleted.domainName }).expect(404);
    });
  });
});
