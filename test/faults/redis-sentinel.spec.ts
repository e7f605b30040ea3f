import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually';
import { TestSentinel } from '../support/redis-sentinel';
import { expectCounted } from './accounts';
import type { Service } from './service';
import { links, Stage } from './stage';

/** Longest wait of a visitor while the master does not answer. */
const SWITCH_MS = 2_500;

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
});
