import { setTimeout as delay } from 'node:timers/promises';
import type { Waypost } from '@waypost/client';
import { createBook } from '../../../test/support/contacts';
import { eventually } from '../../../test/support/eventually';
import { createOrganization, type TestOrganization } from '../../../test/support/factories';
import { type Random, seeded } from '../../../test/support/random';
import { useTestApp } from '../../../test/support/test-app';
import { phone } from '../../../test/support/unsubscribes';
import { Consumer } from './support/consumer';
import { useGateway } from './support/gateway';

const WRITERS = 12;
const WRITES = 40;

describe('Following a feed', () => {
  const app = useTestApp({ env: { DATABASE_POOL: '24' } });
  const proxy = useGateway(app);
  const consumers: Consumer[] = [];

  afterEach(async () => {
    proxy.get().fate = () => null;
    for (const consumer of consumers.splice(0)) await consumer.kill();
  });

  const consumerOf = ({ apiKey }: TestOrganization, feed: string): Consumer => {
    const consumer = new Consumer([proxy.get().url, apiKey, feed]);
    consumers.push(consumer);
    return consumer;
  };
  /** Kills the consumer again and again while 12 writers write; at times it is restored from a backup. */
  const disturb = async (consumer: Consumer, write: (random: Random, writer: number) => Promise<void>) => {
    let left = WRITERS;
    const writer = async (_: unknown, number: number) => {
      const random = seeded(number + 1);
      for (let i = 0; i < WRITES; i++) await write(random, number);
      left--;
    };
    const writers = Promise.all(Array.from({ length: WRITERS }, writer));
    const random = seeded(0);
    let kills = 0;
    consumer.start();
    for (; left > 0 || kills < 12; kills++) {
      await delay(150 + random() * 400);
      await consumer.kill();
      if (kills % 3 === 2) consumer.restore(Math.floor(random() * consumer.seen.length));
      consumer.start();
    }
    await writers;
  };
  const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
    const all: T[] = [];
    for await (const item of items) all.push(item);
    return all;
  };
  const distinct = (values: readonly unknown[]) => new Set(values).size;
  const sorted = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b);

  it('of opt-outs misses and repeats nothing, whenever it is killed', async () => {
    const org = await createOrganization(app, { defaultRegion: 'KR' });
    const { unsubscribes } = proxy.get().client({ apiKey: org.apiKey });
    const consumer = consumerOf(org, 'unsubscribes');
    await disturb(consumer, async (random, writer) => {
      const value = phone(writer * 1000 + Math.floor(random() * 20));
      const values = Array.from({ length: 30 }, (_, n) => phone(writer * 1000 + 100 + n));
      const choice = random();
      if (choice < 0.5) await unsubscribes.registerUnsubscribe({ value });
      else if (choice < 0.85) await unsubscribes.deleteUnsubscribe({ value });
      else if (choice < 0.95) {
        await unsubscribes.registerUnsubscribes({ items: values.map((each) => ({ value: each })) });
      } else await unsubscribes.deleteUnsubscribes({ values });
    });

    const listed = (await collect(unsubscribes.listUnsubscribes())).map(({ id }) => id);
    const deleted = (await collect(unsubscribes.listUnsubscribeDeletions())).map(({ sourceId }) => sourceId);
    const ids = (type: string) => consumer.seen.filter((each) => each.type === type).map(({ id }) => id);
    await eventually(async () => {
      expect(sorted(ids('DELETED'))).toEqual(sorted(deleted));
      const mirror = new Set<number>();
      for (const { type, id } of consumer.seen) {
        if (type === 'CREATED') mirror.add(id);
        else mirror.delete(id);
      }
      expect(sorted(mirror)).toEqual(sorted(listed));
    });
    expect(distinct(ids('CREATED'))).toBe(ids('CREATED').length);
    expect(deleted.length).toBeGreaterThan(50);
    expect(listed.length).toBeGreaterThan(50);
  });

  it('of contacts misses and repeats nothing, whenever it is killed', async () => {
    const book = await createBook(app);
    const { contacts } = proxy.get().client({ apiKey: book.apiKey });
    const consumer = consumerOf(book, 'contacts');
    let names = 0;
    await disturb(consumer, async (random, writer) => {
      const externalUserId = `member-${writer}-${Math.floor(random() * 10)}`;
      const name = `Name ${++names}`;
      if (random() < 0.75) await contacts.saveContactByExternalId({ externalUserId, name });
      else {
        await contacts.deactivateContactByExternalId({ externalUserId }).catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'NOT_FOUND' });
        });
      }
    });

    const listed = await collect(contacts.listContacts());
    const stored = new Map(listed.map(({ id, name }) => [id, name]));
    await eventually(async () => {
      const mirror = new Map<number, string | null | undefined>();
      for (const { type, id, name } of consumer.seen) {
        if (type === 'UPSERTED') mirror.set(id, name);
        else mirror.delete(id);
      }
      expect(new Map([...mirror].sort(([a], [b]) => a - b))).toEqual(
        new Map([...stored].sort(([a], [b]) => a - b)),
      );
    });
    const cursors = consumer.seen.map(({ cursor }) => cursor);
    expect(distinct(cursors)).toBe(cursors.length);
    expect(listed.length).toBeGreaterThan(50);
  });

  describe('in one process', () => {
    let waypost: Waypost;
    let waits: number[];
    let paused: (() => void) | null;

    beforeEach(async () => {
      const org = await createOrganization(app, { defaultRegion: 'KR' });
      waits = [];
      paused = null;
      const sleep = async (milliseconds: number) => {
        waits.push(milliseconds);
        paused?.();
      };
      waypost = proxy.get().client({ apiKey: org.apiKey, sleep });
    });

    it('gives ids of opt-outs, and a cursor behind each change', async () => {
      const { unsubscribes } = waypost;
      const [a, b] = [phone(1), phone(2)];
      const first = await unsubscribes.registerUnsubscribe({ value: a, source: 'desk' });
      await unsubscribes.registerUnsubscribe({ value: b });
      await unsubscribes.deleteUnsubscribe({ value: b });
      const changes = await collect(unsubscribes.follow(null, { wait: false }));
      expect(changes).toMatchObject([
        { type: 'CREATED', id: first.id, value: a, channel: 'SMS', source: 'desk' },
        { type: 'DELETED', value: b },
      ]);
      expect(waits).toEqual([]);
      const [, deletion] = changes;
      expect(await collect(unsubscribes.follow(changes[0]?.cursor, { wait: false }))).toEqual([deletion]);
      expect(await collect(unsubscribes.follow(deletion?.cursor, { wait: false }))).toEqual([]);
      await expect(collect(unsubscribes.follow('AAAA.BBBB'))).rejects.toMatchObject({
        code: 'INVALID_CURSOR',
      });
      const mail = { value: 'a@b.example', channel: 'EMAIL' } as const;
      await unsubscribes.registerUnsubscribe(mail);
      const mails = await collect(unsubscribes.follow(null, { channel: 'EMAIL', wait: false }));
      expect(mails).toMatchObject([mail]);
    });

    it('waits at the end with one call, goes on through an outage, and ends when the signal aborts', async () => {
      const { unsubscribes } = waypost;
      const ended = new AbortController();
      const seen: string[] = [];
      await unsubscribes.registerUnsubscribe({ value: phone(1) });
      let pauses = 0;
      paused = () => {
        pauses++;
        if (pauses === 1) proxy.get().calls.length = 0;
        if (pauses === 4) {
          expect(proxy.get().calls.map(({ path }) => path.split('?')[0])).toEqual(
            Array(3).fill('/api/v1/service/messaging/unsubscribes/watermark'),
          );
          proxy.get().fate = () => ({ cut: 'before' });
        }
        if (pauses === 10) proxy.get().fate = () => null;
        if (pauses === 20) ended.abort();
      };
      for await (const { value } of unsubscribes.follow(null, { interval: 45_000, signal: ended.signal })) {
        seen.push(value);
      }
      expect(seen).toEqual([phone(1)]);
      expect(waits.slice(0, 4)).toEqual([45_000, 45_000, 45_000, 45_000]);
      expect(waits).toHaveLength(20);
    });

    it('ends within a page when the signal aborts', async () => {
      const ended = new AbortController();
      for (const n of [1, 2, 3]) await waypost.unsubscribes.registerUnsubscribe({ value: phone(n) });
      const seen: string[] = [];
      for await (const { value } of waypost.unsubscribes.follow(null, { signal: ended.signal })) {
        seen.push(value);
        ended.abort();
      }
      expect(seen).toEqual([phone(1)]);
    });
  });
});
