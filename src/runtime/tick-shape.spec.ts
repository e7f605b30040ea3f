import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const MODULE = resolve(__dirname, '../../dist/src/runtime/tick-shape.js');

/** Runs `setUp`, then `nextTick` before and after collections, and prints the feedback that V8 has of it. */
const script = (setUp: string) => `
  ${setUp}
  const tick = (times, then) =>
    process.nextTick(() => (times > 0 ? tick(times - 1, then) : void setTimeout(then, 5)));
  const collect = (times, then) => {
    gc();
    setTimeout(() => (times > 1 ? collect(times - 1, then) : then()), 5);
  };
  setTimeout(() => tick(5_000, () => collect(8, () => tick(5_000, () => %DebugPrint(process.nextTick)))), 5);`;

/** Properties of a tick object that `nextTick` defines without a known shape, by a call of the run-time each. */
function slowProperties(setUp: string): number {
  const flags = ['--expose-gc', '--allow-natives-syntax'];
  const printed = execFileSync(process.execPath, [...flags, '-e', script(setUp)], { encoding: 'utf8' });
  const states = [...printed.matchAll(/DefineKeyedOwnPropertyInLiteral (MONOMORPHIC|MEGAMORPHIC)/g)];
  expect(states.length).toBeGreaterThanOrEqual(4);
  return states.filter(([, state]) => state === 'MEGAMORPHIC').length;
}

describe('keepTickShape', () => {
  it('keeps the shape that nextTick is compiled for through collections', () => {
    expect(slowProperties(`require(${JSON.stringify(MODULE)}).keepTickShape();`)).toBe(0);
  });

  it('is needed as long as V8 forgets the shape when it collects the last tick object', () => {
    expect(slowProperties('')).toBeGreaterThan(0);
  });
});
