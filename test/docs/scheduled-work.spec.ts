import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

it('docs/operations.md has each scheduled job', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const sources = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(join('src', file)))
    .join('\n');
  const jobs = [...sources.matchAll(/schedule\.run\(\s*'([\w.-]+)'/g)].map(([, name = '']) => name);
  expect(jobs.length).toBeGreaterThan(20);
  const [, table = ''] = /^\| job .*\n([^]*?)\n\n/m.exec(read('docs/operations.md')) ?? [];
  const named = [...table.matchAll(/`([a-z_.*-]+)`/g)].map(([, name = '']) => name);
  // The last row is about the others that purge.
  const isNamed = (job: string) => named.includes(job) || job.endsWith('.purge');
  expect(jobs.filter((job) => !isNamed(job))).toEqual([]);
  expect(named.filter((name) => name !== '*.purge' && !jobs.includes(name))).toEqual([]);
});
