import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const MODULE = resolve(__dirname, '../../dist/src/runtime/tick-shape.js');

/**
 * A script that runs `setUp`, calls `nextTick` before and after garbage collections, and prints V8's feedback about it.
 */
const script = (setUp: string) => `
  ${setUp}
  const tick = (times, then) =>
    process.nextTick(() => (times > 0 ? tick(times - 1, then) : void setTimeout(then, 5)));
  const collect = (times, then) => {
    gc();
    setTimeout(() => (times > 1 ? collect(times - 1, then) : then()), 5);
  };
  setTimeout(() => tick(5_000, () => collect(8, () => tick(5_000, () => %DebugPrint(process.nextTick)))), 5);`;

/** The number of properties of the object literal in `nextTick`, and of those that need a runtime call. */
function propertiesOf(setUp: string): { all: number; slow: number } {
  const flags = ['--expose-gc', '--allow-natives-syntax'];
  const printed = execFileSync(process.execPath, [...flags, '-e', script(setUp)], { encoding: 'utf8' });
  const states = [...printed.matchAll(/DefineKeyedOwnPropertyInLiteral (MONOMORPHIC|MEGAMORPHIC)/g)];
  return { all: states.length, slow: states.filter(([, state]) => state === 'MEGAMORPHIC').length };
}

describe('keepTickShape', () => {
  it('keeps the shape that nextTick is compiled for through collections', () => {
    expect(propertiesOf(`require(${JSON.stringify(MODULE)}).keepTickShape();`).slow).toBe(0);
  });

  it('is needed where a tick object is a literal, as long as V8 forgets its shape with the last of them', () => {
    const { all, slow } = propertiesOf('');
    expect(slow > 0).toBe(all > 0);
  });
});
