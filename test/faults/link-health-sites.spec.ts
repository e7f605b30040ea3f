import { createServer as createTlsServer, type Server } from 'node:https';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import type { OutgoingRequest } from '../../src/common/outgoing/outgoing';
import { OutgoingClient } from '../../src/common/outgoing/outgoing-client';
import { HealthRound } from '../../src/modules/link-health/health-round';
import { CERTIFICATE } from '../support/certificate';
import { DnsServer, inClass } from '../support/dns-server';
import { createOrganization, type TestOrganization } from '../support/factories';
import { BEHAVIOURS, MisbehavingSites, SITES, SLOW } from '../support/misbehaving-sites';
import { REFUSED_NAMES } from '../support/refused-hosts';
import { TestApp } from '../support/test-app';

const NOW = '2026-11-20T08:32:00Z';
/** Stands for a public address; connections to it reach a server of the test. */
const INTERNET = '8.8.8.8';
/** Of the real time limits, so that the suite takes seconds. */
const HURRY = 4;

/** Counts requests in flight. */
class Traffic {
  readonly hosts = new Map<string, number>();
  readonly asked: string[] = [];
  private flying = 0;
  mostAtOnce = 0;
  mostOfOneHost = 0;

  watch(app: TestApp): void {
    const client = app.get(OutgoingClient);
    const send = client.request.bind(client);
    jest.spyOn(client, 'request').mockImplementation(async (request: OutgoingRequest) => {
      const { hostname } = new URL(request.url);
      const ofHost = (this.hosts.get(hostname) ?? 0) + 1;
      this.hosts.set(hostname, ofHost);
      this.asked.push(`${request.method} ${request.url}`);
      this.mostAtOnce = Math.max(this.mostAtOnce, ++this.flying);
      this.mostOfOneHost = Math.max(this.mostOfOneHost, ofHost);
      const result = await send({ ...request, timeoutMs: Math.ceil((request.timeoutMs ?? 10_000) / HURRY) });
      this.flying--;
      this.hosts.set(hostname, (this.hosts.get(hostname) ?? 0) - 1);
      return result;
    });
  }
}

describe('The health of a thousand destinations', () => {
  let dns: DnsServer;
  let sites: MisbehavingSites;
  let secure: Server;
  let app: TestApp;
  let org: TestOrganization;
  const reached: (string | undefined)[] = [];

  beforeAll(async () => {
    dns = await DnsServer.start();
    dns.reply('*', (answer, { name, type }) => {
      if (!name.endsWith(SITES)) answer.header.rcode = 3;
      else if (type === 1) answer.answers.push({ ...inClass(name, type), address: INTERNET });
      return undefined;
    });
    for (const [name, addresses] of Object.entries(REFUSED_NAMES)) dns.addresses(name, ...addresses);
    dns.fails('broken.test', 2);
    dns.reply('silent.test', () => 'silence');
    sites = await MisbehavingSites.start();
    secure = createTlsServer(CERTIFICATE, (_, response) => response.end('secure'));
    await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done));
    app = await TestApp.start({
      redis: false,
      env: { OUTBOUND_ALLOW_PRIVATE: 'false', DNS_SERVERS: dns.address },
    });
    app.clock.set(NOW);
    org = await createOrganization(app);
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    await app.close();
    await sites.close();
    secure.close();
    await dns.close();
  });

  /** Leads connections to the public address to the servers of the test, and notes all others. */
  function watchConnections(): void {
    const tlsPort = (secure.address() as AddressInfo).port;
    const aside = (options: net.TcpNetConnectOpts, port: number) => {
      reached.push(options.host);
      return options.host === INTERNET ? { ...options, host: '127.0.0.1', port } : options;
    };
    const plain = net.connect.bind(net) as (options: net.TcpNetConnectOpts) => net.Socket;
    jest
      .spyOn(net, 'connect')
      .mockImplementation(((options: net.TcpNetConnectOpts) =>
        plain(
          options.port === 80 || options.port === 443 ? aside(options, sites.port) : options,
        )) as typeof net.connect);
    const encrypted = tls.connect.bind(tls) as (options: tls.ConnectionOptions) => tls.TLSSocket;
    jest
      .spyOn(tls, 'connect')
      .mockImplementation(((options: tls.ConnectionOptions) =>
        encrypted(aside(options as net.TcpNetConnectOpts, tlsPort))) as typeof tls.connect);
  }

  /** Destinations with the problem to be found. */
  function destinations(): [url: string, problem: string | null][] {
    const found: [string, string | null][] = [];
    for (let i = 1; i <= 20; i++) {
      for (const [name, [, problem]] of Object.entries(BEHAVIOURS)) {
        if (i > 4 && SLOW.has(name)) continue;
        const path = /^chain/.test(name) ? name.slice(5) : '';
        found.push([`http://${name}-${i}.${SITES}/${path}`, problem]);
      }
      found.push([`http://missing-${i}.test/`, 'DNS'], [`https://tls-${i}.${SITES}/`, 'TLS']);
    }
    for (const name of Object.keys(REFUSED_NAMES)) found.push([`http://${name}/`, 'NOT_ALLOWED']);
    for (const host of ['127.0.0.1', '[::1]', '2130706433', '169.254.169.254', 'localhost']) {
      found.push([`http://${host}/`, 'NOT_ALLOWED']);
    }
    found.push(['http://broken.test/', 'DNS'], ['http://silent.test/', 'TIMEOUT']);
    // Few hosts with many pages, which must be asked one after the other.
    for (let i = found.length; i < 1_000; i++) found.push([`http://fine-${i % 3}.${SITES}/page/${i}`, null]);
    return found;
  }

  it('judges each right, asks no host twice at once, and reaches nothing private', async () => {
    const wanted = destinations();
    expect(wanted).toHaveLength(1_000);
    const items = wanted.map(() => ({ url: 'https://shop.example.com/' }));
    await org.api.post('/api/v1/service/urls/bulk', { items }).expect(200);
    await app.sql(
      `UPDATE links SET original_url = d.url, updated_at = $3
         FROM unnest($1::text[]) WITH ORDINALITY AS d (url, place),
              (SELECT id, row_number() OVER (ORDER BY id) AS place FROM links WHERE organization_id = $2) AS own
        WHERE own.place = d.place AND links.id = own.id`,
      [wanted.map(([url]) => url), org.organizationId, app.clock.date()],
    );
    const traffic = new Traffic();
    traffic.watch(app);
    watchConnections();
    const judge = () =>
      app.sql<{ url: string; problem: string | null; status: string }>(
        `SELECT original_url AS url, problem, status FROM links JOIN link_health ON kind = 1 AND tracked_link_id = id
          WHERE checked_at IS NOT NULL`,
      );
    let judged = await judge();
    while (judged.length < wanted.length) {
      await app.get(HealthRound).run(new AbortController().signal);
      // What a busy host has left over is due a minute later.
      app.clock.advance(60_000);
      judged = await judge();
    }
    const found = new Map(judged.map(({ url, problem }) => [url, problem]));
    expect(
      wanted.filter(([url, problem]) => found.get(url) !== problem).map(([url]) => [url, found.get(url)]),
    ).toEqual([]);
    expect(judged.filter(({ problem, status }) => (problem === null) !== (status === 'healthy'))).toEqual([]);
    expect(traffic.mostOfOneHost).toBe(1);
    expect(traffic.mostAtOnce).toBe(10);
    expect(new Set(traffic.asked.filter((each) => each.startsWith('HEAD'))).size).toBeGreaterThanOrEqual(900);
    expect([...new Set(reached)]).toEqual([INTERNET]);
  });
});
