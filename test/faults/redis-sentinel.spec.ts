import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually';
import { TestSentinel } from '../support/redis-sentinel';
import { expectCounted } from './accounts';
import type { Service } from './service';
import { links, Stage } from './stage';

/** Longest wait of a visitor while the master does not answer. */
const SWITCH_MS = 2_500;
const STREAM = 'wp:{clicks:0}:stream';
/** Entries of the stream; each has the clicks of a moment. */
const UNCOUNTED = 50;

describe('A master that Sentinels watch, under load', () => {
  const whole = new Stage();
  const stage = new Stage();
  let sentinel: TestSentinel;
  let databaseUrl: string;
  let service: Service;

  beforeAll(async () => {
    databaseUrl = await whole.database();
    sentinel = await TestSentinel.start();
    whole.ending(() => sentinel.end());
    service = await whole.service({ DATABASE_URL: databaseUrl, REDIS_URL: sentinel.url });
  });
  afterEach(() => stage.clear());
  afterAll(() => whole.clear());

  it.each(['SIGKILL', 'SIGSTOP'] as const)('receives %s and is replaced', async (signal) => {
    const load = stage.load({ ports: [service.port], links: await links(service) });
    await load.warm();
    const lost = await sentinel.master();
    lost.signal(signal);
    await eventually(async () => expect(await sentinel.master()).not.toBe(lost));
    const successor = await sentinel.master();
    const client = await stage.client(successor.url);
    // Clicks go to the new master.
    await eventually(async () => expect(await client.info('commandstats')).toContain('cmdstat_xadd'));
    if (signal === 'SIGSTOP') lost.signal('SIGCONT');
    else await lost.restart();
    await sentinel.settled();
    await delay(1_000);
    await load.stop();
    await expectCounted(load, { databaseUrl, redisUrl: successor.url, dataDirs: [service.dataDir] });
    expect(load.failures).toEqual([]);
    expect(load.longest).toBeLessThan(SWITCH_MS);
  });

  it('is replaced by a replica without any of its clicks', async () => {
    const own = await stage.database();
    const empty = await TestSentinel.start();
    stage.ending(() => empty.end());
    const env = { DATABASE_URL: own, REDIS_URL: empty.url };
    const web = await stage.service({ ...env, ROLE: 'web' });
    const worker = await stage.service({ ...env, ROLE: 'worker' });
    const load = stage.load({ ports: [web.port], links: await links(web) });
    await load.warm();

    // Nothing is counted meanwhile, so that the new master lacks uncounted clicks, and some that have been counted.
    await worker.kill();
    const [lost, successor] = empty.servers;
    const client = await stage.client(successor.url);
    await eventually(async () => expect(await client.xlen(STREAM)).toBeGreaterThan(UNCOUNTED));
    lost.signal('SIGKILL');
    await client.config('SET', 'replica-read-only', 'no');
    await client.flushall();
    await eventually(async () => expect(await empty.master()).toBe(successor));
    await eventually(async () => expect(await client.xlen(STREAM)).toBeGreaterThan(UNCOUNTED));
    await worker.restart();
    await lost.restart();
    await empty.settled();
    await load.stop();
    await expectCounted(load, { databaseUrl: own, redisUrl: successor.url, dataDirs: [web.dataDir] });
    expect(load.failures).toEqual([]);
  });
});
