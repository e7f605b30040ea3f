import { withDeadline } from '../../src/common/deadline';
import { within } from '../support/eventually';
import { type PostgresPair, startPostgresPair } from '../support/postgres-15';
import { expectCounted, sql } from './accounts';
import { Customer } from './customer';
import { Stage } from './stage';

/** Promised from the promotion on. */
const WRITES_SECONDS = 5;

describe('A primary that is replaced under load', () => {
  const stage = new Stage();
  afterEach(() => stage.clear());

  /** A pair whose commits wait for the standby, and its address. */
  async function pair(): Promise<{ servers: PostgresPair; url: string }> {
    const servers = await startPostgresPair({ synchronous_standby_names: '*' });
    stage.ending(() => servers.stop());
    const { primary, standby } = servers;
    const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
    return { servers, url: `postgres://waypost@${hosts}/postgres?target_session_attrs=read-write` };
  }

  it.each([
    ['SIGKILL', 'with Redis'],
    ['SIGSTOP', 'without Redis'],
  ] as const)('receives %s, %s: nothing answered is lost', async (signal, stores) => {
    const { servers, url } = await pair();
    const redisUrl = stores === 'with Redis' ? (await stage.redis()).url : undefined;
    const service = await stage.service({ DATABASE_URL: url, ...(redisUrl && { REDIS_URL: redisUrl }) });
    const customer = await Customer.create(service.url);
    const made = await customer.createLinks(service.url, 20);
    const load = stage.load({ ports: [service.port], links: made });
    await load.warm();

    const creates = { ids: [] as number[], stopped: false };
    const creating = createUntilStopped(customer, service.url, creates);
    servers.primary.signal(signal);
    await sql(servers.standby.url, 'SELECT pg_promote()');
    const writing = within(WRITES_SECONDS, () => customer.createLink(service.url));
    await withDeadline(writing, WRITES_SECONDS * 1_000);
    // The one before takes writes again, as nobody has told it.
    if (signal === 'SIGSTOP') servers.primary.signal('SIGCONT');
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
