import { existsSync, readFileSync } from 'node:fs';
import type { TestServer } from './servers';

export default async function globalTeardown(): Promise<void> {
  const { __WAYPOST_TEST_SERVERS__: servers } = globalThis as unknown as {
    __WAYPOST_TEST_SERVERS__: TestServer[];
  };
  await Promise.all(servers.map((server) => server.stop()));
  reportLeftOut(process.env.TEST_LEFT_OUT ?? '');
}

/** @param file one line per skipped test with its need, written by test/jest/environment.cjs */
function reportLeftOut(file: string): void {
  if (!existsSync(file)) return;
  const counts = new Map<string, number>();
  for (const need of readFileSync(file, 'utf8').trim().split('\n')) {
    counts.set(need, (counts.get(need) ?? 0) + 1);
  }
  const needs = [...counts].map(([need, count]) => `${count} for want of ${need}`);
  process.stderr.write(`\nTests left out: ${needs.join('; ')}.\n`);
}
