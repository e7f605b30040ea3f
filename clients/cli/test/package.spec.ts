import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';

const run = promisify(execFile);
const CLIENTS = resolve(__dirname, '../..');

describe('The package waypost', () => {
  it('runs from its tarball in an empty folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'waypost-cli-'));
    for (const name of ['client', 'cli']) {
      await run('npm', ['pack', '--pack-destination', folder], { cwd: join(CLIENTS, name) });
    }
    const tarballs = readdirSync(folder).map((file) => `./${file}`);
    expect(tarballs).toHaveLength(2);
    writeFileSync(join(folder, 'package.json'), '{}');
    const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...flags, ...tarballs], { cwd: folder });
    expect((await run('npx', ['waypost', '--version'], { cwd: folder })).stdout).toBe('1.0.0\n');
    const help = await run('npx', ['waypost', 'mcp', '--help'], { cwd: folder });
    expect(help.stdout).toContain('--http');
    expect(readdirSync(join(folder, 'node_modules/waypost')).sort()).toEqual([
      'LICENSE',
      'README.md',
      'dist',
      'package.json',
    ]);
  });

  it('is what package managers expect', async () => {
    const { messages } = await publint({ pkgDir: join(CLIENTS, 'cli'), level: 'suggestion', strict: true });
    expect(messages).toEqual([]);
  });
});
