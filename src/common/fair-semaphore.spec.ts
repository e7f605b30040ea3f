import { setImmediate as macrotask } from 'node:timers/promises';
import { FairSemaphore } from './fair-semaphore';
import { toDomainError } from './http/to-domain-error';

const HOUR_MS = 3_600_000;

describe('A semaphore that organizations share', () => {
  let started: string[];

  beforeEach(() => {
    started = [];
  });

  /** A task that runs until `end` or `fail` is called. */
  function task(turns: FairSemaphore, organizationId: number, name: string) {
    let end = () => {};
    let fail = (_: Error) => {};
    const held = new Promise<void>((resolve, reject) => ([end, fail] = [resolve, reject]));
    const done = turns.run(organizationId, async () => {
      started.push(name);
      await held;
      return name;
    });
    return { done, end: () => end(), fail: (error: Error) => fail(error) };
  }

  it('lets an organization run half, and others run theirs', async () => {
    const turns = new FairSemaphore(4, HOUR_MS);
    const tasks = ['a1', 'a2', 'a3'].map((name) => task(turns, 1, name));
    tasks.push(task(turns, 2, 'b1'));
    expect(started).toEqual(['a1', 'a2', 'b1']);
    expect(turns.queued).toBe(1);
    for (const { end } of tasks) end();
    await Promise.all(tasks.map(({ done }) => done));
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('starts tasks in the order of the calls, also after one that fails', async () => {
    const turns = new FairSemaphore(1);
    const [first, second, third] = ['first', 'second', 'third'].map((name) => task(turns, 1, name));
    first?.fail(new Error('broken'));
    await expect(first?.done).rejects.toThrow('broken');
    expect(started).toEqual(['first', 'second']);
    // A new task does not overtake the waiting one.
    const fourth = task(turns, 1, 'fourth');
    second?.end();
    expect(await second?.done).toBe('second');
    third?.end();
    await third?.done;
    fourth.end();
    await fourth.done;
    expect(started).toEqual(['first', 'second', 'third', 'fourth']);
    expect(turns.queued).toBe(0);
  });

  it('is waited for so long, then the store counts as unavailable', async () => {
    const turns = new FairSemaphore(1, 20);
    const first = task(turns, 1, 'first');
    const late = Array.from({ length: 1_000 }, (_, i) => task(turns, 1, `late ${i}`));
    expect(turns.queued).toBe(1_000);
    const errors = await Promise.all(late.map(({ done }) => done.catch((error: unknown) => error)));
    expect(new Set(errors.map((error) => toDomainError(error)?.code))).toEqual(new Set(['UNAVAILABLE']));
    expect(turns.queued).toBe(0);
    const next = task(turns, 1, 'next');
    first.end();
    await first.done;
    await macrotask();
    expect(started).toEqual(['first', 'next']);
    next.end();
    expect(await next.done).toBe('next');
  });
});
