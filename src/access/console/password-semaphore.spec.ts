import { PasswordSemaphore } from './password-semaphore';

describe('the semaphore of passwords', () => {
  /** Runs tasks that end on demand. */
  class Bench {
    readonly started: string[] = [];
    readonly rejected: string[] = [];
    private readonly ends = new Map<string, () => void>();
    private readonly semaphore = new PasswordSemaphore();

    ask(name: string, network: string, username?: string): void {
      const work = () => {
        this.started.push(name);
        return new Promise<void>((end) => this.ends.set(name, end));
      };
      this.semaphore.run({ network, username }, work).catch(() => this.rejected.push(name));
    }

    async end(...names: string[]): Promise<void> {
      await settled();
      for (const name of names) {
        this.ends.get(name)?.();
        await settled();
      }
    }
  }
  const settled = () => new Promise(setImmediate);

  it('runs two at once, and the others in the order of their arrival', async () => {
    const bench = new Bench();
    for (const i of [1, 2, 3, 4]) bench.ask(`${i}`, `network ${i}`);
    await settled();
    expect(bench.started).toEqual(['1', '2']);
    await bench.end('2');
    expect(bench.started).toEqual(['1', '2', '3']);
    await bench.end('1');
    expect(bench.started).toEqual(['1', '2', '3', '4']);
  });

  it('runs one of a network at a time, and rejects its oldest if more than ten wait', async () => {
    const bench = new Bench();
    for (let i = 1; i <= 15; i++) bench.ask(`${i}`, 'crowd');
    await settled();
    expect(bench.started).toEqual(['1']);
    expect(bench.rejected).toEqual(['2', '3', '4', '5']);
    bench.ask('other', 'another network');
    await settled();
    expect(bench.started).toEqual(['1', 'other']);
    await bench.end('other');
    expect(bench.started).toEqual(['1', 'other']);
    await bench.end('1');
    expect(bench.started).toEqual(['1', 'other', '6']);
  });

  it('runs one of a user name at a time, from whichever networks, so that others are served at once', async () => {
    const bench = new Bench();
    const flood = (from: number) => {
      for (let i = from; i < from + 100; i++) bench.ask(`${i}`, `network ${i}`, 'victim');
    };
    flood(0);
    bench.ask('one', 'home', 'somebody');
    bench.ask('two', 'office', 'somebody else');
    flood(100);
    await settled();
    expect(bench.started).toEqual(['0', 'one']);
    expect(bench.rejected).not.toContain('two');
    await bench.end('one');
    expect(bench.started).toEqual(['0', 'one', 'two']);
    await bench.end('two', '0');
    expect(bench.started).toHaveLength(4);
  });

  it('starts two when the end of one admits two', async () => {
    const bench = new Bench();
    bench.ask('first', 'a', 'x');
    bench.ask('same network', 'a', 'y');
    bench.ask('same name', 'b', 'x');
    await settled();
    expect(bench.started).toEqual(['first']);
    await bench.end('first');
    expect(bench.started).toEqual(['first', 'same network', 'same name']);
  });

  it('rejects the oldest of the largest crowd if more than twenty wait', async () => {
    const bench = new Bench();
    for (const i of [1, 2]) bench.ask(`running ${i}`, `running ${i}`);
    for (let i = 1; i <= 12; i++) bench.ask(`single ${i}`, `single ${i}`);
    for (let i = 1; i <= 8; i++) bench.ask(`crowd ${i}`, 'crowd');
    await settled();
    expect(bench.rejected).toEqual([]);
    bench.ask('newest', 'newest');
    await settled();
    expect(bench.rejected).toEqual(['crowd 1']);
  });

  it('limits the number of waiting networks, and still admits the newest', async () => {
    const bench = new Bench();
    for (let i = 1; i <= 100; i++) bench.ask(`${i}`, `network ${i}`);
    await settled();
    expect(bench.rejected).toHaveLength(78);
    for (const name of ['1', '2']) await bench.end(name);
    for (let i = 81; i <= 100; i++) await bench.end(`${i}`);
    expect(bench.started).toHaveLength(22);
    expect(bench.started).toContain('100');
  });

  it('is released when a task ends, also with an error', async () => {
    const semaphore = new PasswordSemaphore();
    const run = <T>(work: () => Promise<T>) => semaphore.run({ network: 'a' }, work);
    for (let i = 0; i < 5; i++) {
      await expect(run(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
    }
    await expect(run(() => Promise.resolve(7))).resolves.toBe(7);
  });
});
