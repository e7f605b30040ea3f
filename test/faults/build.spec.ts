import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, statSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../support/servers';

const ROOT = resolve(__dirname, '../..');
const SOURCES = [
  'package.json',
  'package-lock.json',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'clients/web',
  'scripts',
  'src',
  'migrations',
];

describe('scripts/build.mjs', () => {
  it('builds nothing when nothing has changed', () => {
    const compiled = join(ROOT, 'dist/src/main.js');
    expect(spawnSync('node', ['scripts/build.mjs'], { cwd: ROOT }).status).toBe(0);
    const before = statSync(compiled).mtimeMs;
    expect(spawnSync('node', ['scripts/build.mjs', '--start'], { cwd: ROOT }).status).toBe(0);
    expect(statSync(compiled).mtimeMs).toBe(before);
  });

  it('is skipped before a start that cannot succeed', async () => {
    const checkout = temporaryFolder('checkout');
    for (const name of SOURCES) cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
    const taken = createServer();
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
    const { port } = taken.address() as { port: number };
    const env = { PATH: process.env.PATH, PORT: String(port), DATA_DIR: join(checkout, 'data') };
    const { status, stderr } = spawnSync('node', ['scripts/build.mjs', '--start'], { cwd: checkout, env });
    expect(stderr.toString()).toMatch(/^PORT: .*EADDRINUSE/m);
    expect(status).toBe(1);
    expect(existsSync(join(checkout, 'dist/src'))).toBe(false);
    taken.close();
  });
});
