import { setTimeout as delay } from 'node:timers/promises';
import { eventually, within } from '../support/eventually';
import { TestCluster } from '../support/redis-cluster';
import { expectCounted } from './accounts';
import { Customer, visit } from './customer';
import type { Service } from './service';
import { Stage } from './stage';

/** Longest wait of a visitor while a master does not answer. */
const SWITCH_MS = 2_500;
const FAST = ['--cluster-node-timeout', '1500', '--cluster-replica-validity-factor', '0'];
const DURABLE = ['--repl-diskless-sync-delay', '0'];

describe('Masters of a Redis Cluster under load', () => {
  const whole = new Stage();
  const stage = new Stage();
  let cluster: TestCluster;
  let databaseUrl: string;
  let services: Service[];

  beforeAll(async () => {
    databaseUrl = await whole.database();
    cluster = await TestCluster.start(3, 3, [...FAST, ...DURABLE]);
    whole.ending(() => cluster.end());
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: cluster.url, CLICK_STREAM_SHARDS: '3' };
    services = await Promise.all([whole.service(env), whole.service(env)]);
  });
  afterEach(() => stage.clear());
  afterAll(() => whole.clear());

  it.each([
    ['of a shard of the click stream, which is killed', 'SIGKILL', 'wp:{clicks:0}:stream'],
    ['of announcements, which stops', 'SIGSTOP', 'wp:{bus}:invalidate'],
  ] as const)('lose the one %s', async (_name, signal, key) => {
    const [one, other] = services as [Service, Service];
    const customer = await Customer.create(one.url);
    const links = await customer.createLinks(one.url, 20);
    const load = stage.load({ ports: services.map(({ port }) => port), links });
    await load.warm();

    const changed = await customer.createLink(one.url);
    for (const { url } of services) expect(await visit(url, changed, '198.51.100.1')).toBe(302);
    const lost = await cluster.holderOf(key);
    lost.signal(signal);
    // Nobody is in charge of announcements until a replica takes over.
    await customer.changeLink(one.url, changed, { enabled: false });
    await within(1, async () => expect(await visit(other.url, changed, '198.51.100.1')).not.toBe(302));
    await eventually(async () => expect(await cluster.holderOf(key)).not.toBe(lost));
    await delay(1_000);
    if (signal === 'SIGSTOP') lost.signal('SIGCONT');
    else await lost.restart();
    await cluster.settled();

    await load.stop();
    await expectCounted(load, {
      databaseUrl,
      redisUrl: cluster.url,
      dataDirs: services.map((s) => s.dataDir),
    });
    expect(load.failures).toEqual([]);
    expect(load.longest).toBeLessThan(SWITCH_MS);
    await eventually(async () => {
      for (const { url } of services)
        expect(await (await fetch(`${url}/health/ready`)).json()).toMatchObject({ status: 'ok' });
    });
  });
});
