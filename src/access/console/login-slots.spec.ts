import { LoginSemaphore } from './login-slots';

describe('slots of logins', () => {
  /** Tasks that end on demand. */
  class Bench {
    readonly started: string[] = [];
    readonly rejected: string[] = [];
    private readonly ends: (() => void)[] = [];
    private readonly slots = new LoginSemaphore();

    ask(network: string, name: string): void {
      const work = () => {
        this.started.push(name);
        return new Promise<void>((end) => this.ends.push(end));
      };
      this.slots.run(network, work).catch(() => this.rejected.push(name));
    }

    async endOne(): Promise<void> {
      this.ends.shift()?.();
      await settled();
    }
  }
  const settled = () => new Promise(setImmediate);

  it('run two at once, continue with the newest of a network, and reject the oldest', async () => {
    const bench = new Bench();
    for (let i = 1; i <= 15; i++) bench.ask('a', `a${i}`);
    await settled();
    expect(bench.started).toEqual(['a1', 'a2']);
    expect(bench.rejected).toEqual(['a3', 'a4', 'a5']);
    await bench.endOne();
    expect(bench.started).toEqual(['a1', 'a2', 'a15']);
  });

  it('alternate between networks, so that a crowd delays nobody elsewhere', async () => {
    const bench = new Bench();
    for (let i = 1; i <= 200; i++) bench.ask('crowd', `c${i}`);
    bench.ask('other', 'o1');
    bench.ask('third', 't1');
    for (let i = 0; i < 3; i++) await bench.endOne();
    expect(bench.started.slice(2)).toEqual(['c200', 'o1', 't1']);
  });

  it('limit the number of waiting networks, and still admit the newest', async () => {
    const bench = new Bench();
    for (let i = 1; i <= 100; i++) bench.ask(`network ${i}`, `${i}`);
    await settled();
    expect(bench.rejected).toHaveLength(78);
    for (let i = 0; i < 20; i++) await bench.endOne();
    expect(bench.started).toHaveLength(22);
    expect(bench.started).toContain('100');
  });

  it('are released when a task ends, also with an error', async () => {
    const slots = new LoginSemaphore();
    const failing = () => slots.run('a', () => Promise.reject(new Error('away')));
    for (let i = 0; i < 5; i++) await expect(failing()).rejects.toThrow('away');
    await expect(slots.run('a', () => Promise.resolve(7))).resolves.toBe(7);
  });
});
