import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { RedisStore } from '../../src/infrastructure/redis/redis';
import { StreamReader } from '../../src/modules/click-statistics/counting/stream-consumer';
import { CONSUMER_GROUP } from '../../src/modules/clicks/journal/click-stream';
import { eventually } from '../support/eventually';
import { sharedRedisUrl } from '../support/servers';

/** Redis measures idle time by its own clock, so these tests wait in real time. */
describe('readers of a click stream', () => {
  const stream = `test:${randomUUID()}`;
  const readers: StreamReader[] = [];
  let store: RedisStore;
  let commands: Redis;

  const open = async (stuckMs?: number) => {
    const redis = store.connectionTo(stream);
    await once(redis, 'ready');
    const reader = new StreamReader(redis, store, stream, randomUUID(), stuckMs);
    readers.push(reader);
    return reader;
  };
  const append = (line: string) => commands.xadd(stream, '*', 'c', line);
  const linesOf = async (reader: StreamReader) => (await reader.read()).map(([, [, line]]) => line);

  beforeAll(async () => {
    store = new RedisStore(sharedRedisUrl(), 'test');
    commands = await eventually(() => {
      const ready = store.readyFor(stream);
      if (!ready) throw new Error('Redis is not ready');
      return Promise.resolve(ready);
    });
    await commands.xgroup('CREATE', stream, CONSUMER_GROUP, '0', 'MKSTREAM');
  });
  afterEach(async () => {
    for (const reader of readers.splice(0)) reader.close();
    await commands.xtrim(stream, 'MAXLEN', 0);
    await commands.xgroup('DESTROY', stream, CONSUMER_GROUP);
    await commands.xgroup('CREATE', stream, CONSUMER_GROUP, '0', 'MKSTREAM');
  });
  afterAll(async () => {
    await commands.del(stream);
    store.close();
  });

  it('keep their entries, however long they take, and read each once', async () => {
    const [one, other] = [await open(), await open()];
    // Repeated because a machine that pauses for a second makes entries count as abandoned.
    await eventually(async () => {
      await append('a');
      const entries = await one.read();
      await delay(1_500);
      const again = [...(await linesOf(other)), ...(await linesOf(one))];
      await one.acknowledge(entries);
      expect(again).toEqual([]);
    });
    expect(await commands.xlen(stream)).toBe(0);
    expect(await commands.xpending(stream, CONSUMER_GROUP)).toEqual([0, null, null, null]);
  });

  it('lose their entries to others after they have stopped', async () => {
    const [one, other] = [await open(), await open()];
    await append('a');
    expect(await linesOf(one)).toEqual(['a']);
    one.close();
    await eventually(async () => expect(await linesOf(other)).toEqual(['a']));
  });

  it('lose their entries to others when they make no progress', async () => {
    const [one, other] = [await open(100), await open()];
    await append('a');
    expect(await linesOf(one)).toEqual(['a']);
    await eventually(async () => expect(await linesOf(other)).toEqual(['a']));
  });
});
