import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { temporaryFolder } from '../support/servers';

const ROOT = resolve(__dirname, '../..');
const GUIDE = readFileSync(join(ROOT, 'docs/contributing.md'), 'utf8');
const [, SECTION = ''] = /\n## Add a page to the console\n(.*?)\n## /s.exec(GUIDE) ?? [];

/** Blocks of the section by language. */
function blocks(language: string): string[] {
  return [...SECTION.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, text = '']) => text,
  );
}

describe('the page of docs/contributing.md', () => {
  const added = [...blocks('ts'), ...blocks('tsx')];
  const [changes = ''] = blocks('diff');

  it('takes less than 40 lines', () => {
    const lines = added.flatMap((text) => text.split('\n').filter((line) => line && !line.startsWith('//')));
    const changed = changes.split('\n').filter((line) => line.startsWith('+'));
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.length + changed.length).toBeLessThan(40);
  });

  it('compiles in a copy of the console', () => {
    const folder = temporaryFolder('console-page');
    // The console shows code of guides, and reads tables as the service does.
    for (const path of ['clients', 'console', 'docs', 'src']) {
      cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    }
    for (const text of added) {
      const [, path = ''] = /^\/\/ (\S+)\n/.exec(text) ?? [];
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    for (const [, path = '', lines = ''] of changes.matchAll(/^--- (\S+)\n(.*?)(?=^---|$(?![^]))/gms)) {
      const file = join(folder, path);
      writeFileSync(file, withLines(readFileSync(file, 'utf8'), lines));
    }
    const compiler = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
    execFileSync(process.execPath, [compiler, '--project', 'console'], { cwd: folder, stdio: 'pipe' });
  });
});

/** Inserts each line that begins with `+` after the line before it. */
function withLines(text: string, diff: string): string {
  const result = text.split('\n');
  let at = 0;
  for (const line of diff.split('\n').filter(Boolean)) {
    if (line.startsWith('+')) result.splice(++at, 0, line.slice(1));
    else {
      at = result.indexOf(line.slice(1), at);
      if (at < 0) throw new Error(`The guide expects a line that is not there: ${line}`);
    }
  }
  return result.join('\n');
}
