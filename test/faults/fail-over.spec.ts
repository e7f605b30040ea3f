import { setTimeout as delay } from 'node:timers/promises';
import { withDeadline } from '../../src/common/deadline';
import { within } from '../support/eventually';
import { type PostgresPair, startPostgresPair } from '../support/postgres-15';
import { ENCRYPTION_KEYS } from '../support/test-app';
import { expectCounted, sql } from './accounts';
import { Customer } from './customer';
import { Stage } from './stage';

/** Promised from the promotion on. */
const WRITES_SECONDS = 5;

/** How an address leads to a pair. */
interface Way {
  readonly hosts: string;
  /** Called after the promotion. */
  readonly follow: () => void;
}

const WAYS = {
  'in a list': ({ primary, standby }: PostgresPair) =>
    Promise.resolve<Way>({
      hosts: `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`,
      follow: () => undefined,
    }),
  /** Its connections to the primary before stay open. */
  'behind a proxy': async ({ primary, standby }: PostgresPair, stage: Stage): Promise<Way> => {
    const { proxy } = await stage.proxied(primary.url);
    return { hosts: `127.0.0.1:${proxy.port}`, follow: () => proxy.point(standby.port) };
  },
};

describe('A primary that is replaced under load', () => {
  const stage = new Stage();
  afterEach(() => stage.clear());

  /** A pair whose commits wait for the standby, and a way to it. */
  async function pair(
    way: keyof typeof WAYS,
  ): Promise<{ servers: PostgresPair; url: string; promote: (also?: string) => Promise<void> }> {
    const servers = await startPostgresPair({ synchronous_standby_names: '*' });
    stage.ending(() => servers.stop());
    const { hosts, follow } = await WAYS[way](servers, stage);
    return {
      servers,
      url: `postgres://waypost@${hosts}/postgres?target_session_attrs=read-write`,
      promote: async (also = 'SELECT') => {
        await sql(servers.standby.url, 'SELECT pg_promote()');
        await sql(servers.standby.url, also);
        follow();
      },
    };
  }

  it.each([
    ['SIGKILL', 'in a list', 'with Redis'],
    ['SIGSTOP', 'in a list', 'without Redis'],
    ['SIGSTOP', 'behind a proxy', 'with Redis'],
    ['no signal', 'behind a proxy', 'with Redis'],
  ] as const)('receives %s %s, %s: nothing answered is lost', async (signal, way, stores) => {
    const { servers, url, promote } = await pair(way);
    const redisUrl = stores === 'with Redis' ? (await stage.redis()).url : undefined;
    const service = await stage.service({ DATABASE_URL: url, ...(redisUrl && { REDIS_URL: redisUrl }) });
    const customer = await Customer.create(service.url);
    const made = await customer.createLinks(service.url, 20);
    const load = stage.load({ ports: [service.port], links: made });
    await load.warm();

    const creates = { ids: [] as number[], stopped: false };
    stage.ending(() => Promise.resolve((creates.stopped = true)));
    const creating = createUntilStopped(customer, service.url, creates);
    if (signal !== 'no signal') servers.primary.signal(signal);
    await promote();
    const promoted = delay(WRITES_SECONDS * 1_000);
    const writing = within(WRITES_SECONDS, () => customer.createLink(service.url));
    await withDeadline(writing, WRITES_SECONDS * 1_000);
    // The one before takes writes again, as nobody has told it.
    if (signal === 'SIGSTOP') servers.primary.signal('SIGCONT');
    // Connections behind the proxy to the new one may be closed too, until it has been noticed.
    await promoted;
    creates.ids.push((await customer.createLink(service.url)).id);
    creates.stopped = true;
    await creating;
    await load.stop();

    expect(load.failures).toEqual([]);
    const databaseUrl = servers.standby.url;
    await expectCounted(load, { databaseUrl, redisUrl, dataDirs: [service.dataDir] });
    const stored = await sql<{ id: string }>(databaseUrl, 'SELECT id FROM links');
    expect(stored.map(({ id }) => Number(id))).toEqual(expect.arrayContaining(creates.ids));
  });

  it('may take the month of the clicks with it: clicks are counted in a new one', async () => {
    const { servers, url, promote } = await pair('behind a proxy');
    const { url: redisUrl } = await stage.redis();
    const service = await stage.service({ DATABASE_URL: url, REDIS_URL: redisUrl });
    const customer = await Customer.create(service.url);
    const visitNewLinks = async () => {
      const links = await within(WRITES_SECONDS, () => customer.createLinks(service.url, 2));
      const load = await stage.load({ ports: [service.port], links }).warm();
      await load.stop();
      return load;
    };
    await expectCounted(await visitNewLinks(), { databaseUrl: servers.primary.url, redisUrl });
    const [month] = await sql<{ name: string }>(
      servers.primary.url,
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'clicks'::regclass`,
    );
    servers.primary.signal('SIGKILL');
    await promote(`DROP TABLE ${month?.name}`);
    await expectCounted(await visitNewLinks(), { databaseUrl: servers.standby.url, redisUrl });
  });

  it('is not followed again while the new one answers, even if that refuses new connections', async () => {
    const { servers, url, promote } = await pair('in a list');
    await stage.service({ DATABASE_URL: url });
    await promote();
    await delay(WRITES_SECONDS * 1_000);
    const besides = servers.standby.url.replace(/postgres$/, 'template1');
    await sql(besides, 'ALTER DATABASE postgres ALLOW_CONNECTIONS false');
    await delay(WRITES_SECONDS * 1_000);
    const locks = `SELECT FROM pg_stat_activity WHERE application_name = 'waypost lock'`;
    expect(await sql(servers.primary.url, locks)).toHaveLength(0);
    expect(await sql(besides, locks)).toHaveLength(1);
  });

  it('ends a start if none of the servers takes writes', async () => {
    const servers = await startPostgresPair();
    stage.ending(() => servers.stop());
    const { port } = servers.standby;
    for (const [hosts, reason] of [
      [`127.0.0.1:${port}`, 'the server is read-only'],
      [
        `127.0.0.1:1,127.0.0.1:${port}`,
        'none of the servers takes writes (connect ECONNREFUSED 127.0.0.1:1; the server is read-only)',
      ],
    ] as const) {
      const service = await stage.launch({
        HOST: '127.0.0.1',
        DATABASE_URL: `postgres://waypost@${hosts}/postgres`,
        ENCRYPTION_KEYS,
      });
      expect((await service.ended()).code).toBe(1);
      expect(service.output).toBe(`Waypost cannot start.\nDATABASE_URL: ${reason}\n`);
    }
  });
});

/** Creates links one after the other, and keeps the ids of those that were answered. */
async function createUntilStopped(
  customer: Customer,
  url: string,
  creates: { readonly ids: number[]; readonly stopped: boolean },
): Promise<void> {
  while (!creates.stopped) {
    const created = await customer.createLink(url).catch(() => null);
    if (created) creates.ids.push(created.id);
  }
}
