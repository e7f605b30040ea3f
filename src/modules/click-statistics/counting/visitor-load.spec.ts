import { setTimeout as delay } from 'node:timers/promises';
import { smoothed, VisitorLoad } from './visitor-load';

describe('The load of visitors', () => {
  /** After so many measurements. */
  const after = (load: number, count: number, measured: number) =>
    Array.from({ length: count }).reduce<number>((before) => smoothed(before, measured), load);

  it('is none where nobody is answered', () => {
    expect(new VisitorLoad().busy).toBe(false);
  });

  it('is there within a tenth of a second in which the thread worked half of the time', () => {
    expect(after(0, 3, 0.5)).toBeGreaterThan(0.25);
  });

  it('is there for half a second in which all visitors wait, and gone after two', () => {
    expect(after(0.5, 20, 0)).toBeGreaterThan(0.25);
    expect(after(1, 80, 0)).toBeLessThan(0.25);
  });

  it('is not there for a call of ten milliseconds every half second', () => {
    let load = 0;
    for (let call = 0; call < 20; call++) {
      load = smoothed(load, 10 / 25);
      expect(load).toBeLessThan(0.25);
      load = after(load, 19, 0);
    }
  });

  it('is seen by whoever shares its memory, until measuring ends', async () => {
    const work = (ms: number) => {
      const until = performance.now() + ms;
      while (performance.now() < until);
    };
    const load = new VisitorLoad();
    const end = load.measure();
    const seen = new VisitorLoad(load.memory);
    for (let turn = 0; turn < 30; turn++) {
      work(5);
      await delay(1);
    }
    expect(seen.busy).toBe(true);
    while (seen.busy) await delay(50);
    end();
    work(150);
    await delay(100);
    expect(seen.busy).toBe(false);
  });
});
