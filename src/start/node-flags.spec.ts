import { execFileSync } from 'node:child_process';

/** Evaluates a numeric expression in a Node process with these flags. */
function evaluate(expression: string, ...flags: string[]): number {
  return Number(execFileSync(process.execPath, [...flags, '-p', expression], { encoding: 'utf8' }));
}

/** docs/adr/0032-node-runs-with-v8-flags-for-small-machines.md */
describe('Flags of npm start', () => {
  it('--max-semi-space-size=32 is needed as long as the oldest supported Node is below 26', () => {
    // With a fixed old generation, the heap limit depends on the semi-space alone.
    const limit = (...flags: string[]) =>
      evaluate('v8.getHeapStatistics().heap_size_limit', '--max-old-space-size=1024', ...flags);
    const isDefault = limit() === limit('--max-semi-space-size=32');
    expect(isDefault).toBe(Number(process.versions.node.split('.')[0]) >= 26);
  });

  it('--v8-pool-size=0 is needed as long as V8 has four helper threads on however few cores', () => {
    const threads = (...flags: string[]) => evaluate("fs.readdirSync('/proc/self/task').length", ...flags);
    expect(threads() - threads('--v8-pool-size=1')).toBe(3);
  });
});
