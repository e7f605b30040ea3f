import { CacheLookups } from './cache-lookups';
import { CoherentCache } from './coherent-cache';
import type { InvalidationBus } from './invalidation-bus';

describe('A coherent cache', () => {
  let bus: { coherent: boolean; on: jest.Mock; lookups: CacheLookups };
  let load: jest.Mock<Promise<{ of: string } | null>, [string]>;
  let cache: CoherentCache<{ of: string }>;
  let version: number;
  let now: number;
  let timers: { at: number; fire: () => void }[];

  beforeEach(() => {
    now = 0;
    timers = [];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    jest.spyOn(globalThis, 'setTimeout').mockImplementation((fire, ms = 0) => {
      timers.push({ at: now + ms, fire });
      return { unref: () => undefined } as unknown as NodeJS.Timeout;
    });
    version = 1;
    bus = { coherent: true, on: jest.fn(), lookups: new CacheLookups() };
    load = jest.fn((key) => Promise.resolve(key === 'none' ? null : { of: `${key} ${version}` }));
    cache = new CoherentCache(bus as unknown as InvalidationBus, 'topic', load, { maxEntries: 1_000 });
  });
  afterEach(() => jest.restoreAllMocks());

  /** Advances the clock, runs the due timers and lets loads finish. */
  const wait = (seconds: number) => {
    now += seconds * 1000;
    const due = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    for (const { fire } of due) fire();
    return new Promise((done) => setImmediate(done));
  };
  /** Waits for the next batch of reloads. */
  const nextBatch = () => wait(0.2);
  const valueOf = (key: string) => cache.peek(key)?.of;
  const announce = (keys: string[] | null) => {
    for (const [, listener] of bus.on.mock.calls) listener(keys);
  };

  it('answers from memory for a minute, misses too', async () => {
    expect(cache.peek('a')).toBeUndefined();
    expect(await cache.get('a')).toEqual({ of: 'a 1' });
    expect(await cache.get('none')).toBeNull();
    await wait(59.9);
    expect([valueOf('a'), cache.peek('none')]).toEqual(['a 1', null]);
    await cache.get('b');
    await wait(60);
    expect(cache.peek('b')).toBeUndefined();
  });

  it('counts large values as several entries, so that its memory is bounded', async () => {
    const long = new CoherentCache(bus as unknown as InvalidationBus, 'topic', load, { maxEntries: 100 });
    load.mockImplementation((key) => Promise.resolve({ of: key.repeat(20_000) }));
    const keys = Array.from({ length: 26 }, (_, i) => String.fromCharCode(97 + i));
    for (const key of keys) await long.get(key);
    expect(keys.filter((key) => long.peek(key))).toEqual(keys.slice(-10));
    load.mockImplementation((key) => Promise.resolve({ of: key.repeat(1_000_000) }));
    await long.get('!');
    expect(long.peek('!')?.of).toHaveLength(1_000_000);
    expect(long.peek('z')).toBeUndefined();
  });

  it('answers from memory up to a configured age, and reloads entries in use before that', async () => {
    const patient = new CoherentCache(bus as unknown as InvalidationBus, 'topic', load, {
      maxEntries: 10,
      maxAgeMs: 300_000,
    });
    await patient.get('a');
    await wait(99);
    expect(patient.peek('a')?.of).toBe('a 1');
    expect(load).toHaveBeenCalledTimes(1);
    version = 2;
    await wait(200);
    expect(patient.peek('a')?.of).toBe('a 1');
    await nextBatch();
    expect(patient.peek('a')?.of).toBe('a 2');
    await wait(300);
    expect(patient.peek('a')).toBeUndefined();
  });

  it('reloads an entry in use between a third and two thirds of its TTL, in the background', async () => {
    await cache.get('a');
    version = 2;
    await wait(19.9);
    expect(valueOf('a')).toBe('a 1');
    await wait(20.1);
    expect(load).toHaveBeenCalledTimes(1);
    expect(valueOf('a')).toBe('a 1');
    await nextBatch();
    expect(valueOf('a')).toBe('a 2');
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('spreads the loads of what was loaded at once', async () => {
    const keys = Array.from({ length: 1_000 }, (_, n) => `${n}`);
    await Promise.all(keys.map((key) => cache.get(key)));
    const loads: number[] = [];
    for (let second = 0; second < 45; second++) {
      load.mockClear();
      for (let tenth = 0; tenth < 10; tenth++) {
        await wait(0.1);
        expect(keys.filter((key) => cache.peek(key) === undefined)).toEqual([]);
      }
      loads.push(load.mock.calls.length);
    }
    expect(Math.max(...loads)).toBeLessThan(120);
    expect(loads.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(1_000);
  });

  it('limits the size of a batch, however many keys are due', async () => {
    const keys = Array.from({ length: 100 }, (_, n) => `${n}`);
    await Promise.all(keys.map((key) => cache.get(key)));
    await wait(45);
    load.mockClear();
    for (const key of keys) expect(cache.peek(key)).toBeDefined();
    expect(load).toHaveBeenCalledTimes(32);
  });

  it('batches the reloads that fall due within a fifth of a second, each key once', async () => {
    await Promise.all(['a', 'b'].map((key) => cache.get(key)));
    await wait(45);
    load.mockClear();
    cache.peek('a');
    await wait(0.1);
    cache.peek('b');
    cache.peek('a');
    expect(load).not.toHaveBeenCalled();
    await wait(0.1);
    expect(load.mock.calls).toEqual([['a'], ['b']]);
    expect(cache.peek('a')).toBeDefined();
    await wait(1);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('does not reload what a caller is already loading', async () => {
    await cache.get('a');
    await wait(45);
    cache.peek('a');
    announce(['a']);
    load.mockClear();
    load.mockReturnValueOnce(new Promise((resolve) => setTimeout(() => resolve({ of: 'a 2' }), 300)));
    const value = cache.get('a');
    await wait(0.3);
    expect(await value).toEqual({ of: 'a 2' });
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('retries a failing store once a second per key, and serves stale values meanwhile', async () => {
    await cache.get('a');
    load.mockRejectedValue(new Error('away'));
    await wait(45);
    load.mockClear();
    for (let tenth = 0; tenth < 50; tenth++) {
      expect(valueOf('a')).toBe('a 1');
      await wait(0.1);
    }
    expect(load.mock.calls.length).toBeGreaterThanOrEqual(5);
    expect(load.mock.calls.length).toBeLessThanOrEqual(6);
    await wait(60);
    expect(valueOf('a')).toBeUndefined();
    expect(await cache.get('a')).toEqual({ of: 'a 1' });
  });

  it('trusts nothing for longer than a second while changes are not announced', async () => {
    await cache.get('a');
    bus.coherent = false;
    await wait(0.8);
    expect(valueOf('a')).toBe('a 1');
    await wait(0.2);
    expect(valueOf('a')).toBeUndefined();
  });

  it('drops changed keys, and does not store what was read before the change', async () => {
    await cache.get('a');
    announce(['a']);
    expect(cache.peek('a')).toBeUndefined();
    await cache.get('a');
    await wait(45);
    let finish: (value: { of: string }) => void = () => undefined;
    load.mockReturnValueOnce(new Promise((resolve) => (finish = resolve)));
    expect(valueOf('a')).toBe('a 1');
    await nextBatch();
    announce(['a']);
    finish({ of: 'from before' });
    await wait(0);
    expect(cache.peek('a')).toBeUndefined();
    version = 2;
    expect(await cache.get('a')).toEqual({ of: 'a 2' });
  });

  it('reloads everything after announcements may have been missed', async () => {
    await cache.get('a');
    announce(null);
    expect(cache.peek('a')).toBeUndefined();
    version = 2;
    expect(await cache.get('a')).toEqual({ of: 'a 2' });
  });
});
