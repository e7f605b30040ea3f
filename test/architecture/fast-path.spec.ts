import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sourceFiles } from './import-graph';

const ROOT = resolve(__dirname, '../..');

/**
 * The two lines to change after `git rm -r src/fast-path`:
 * docs/adr/0028-redirects-are-answered-in-front-of-node-http.md
 */
const IMPORT = "import { fastPath } from '../fast-path/fast-path';";
const USE =
  "const front: ConnectionReader | null = this.role === 'worker' ? null : fastPath(server, this.nest);";

describe('src/fast-path', () => {
  const mentions = sourceFiles(ROOT)
    .filter((file) => !file.startsWith('src/fast-path/'))
    .flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .filter((line) => /fast-?path/i.test(line) && !/^\s*(?:\/?\*|\/\/)/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );

  it('can be removed with two changed lines elsewhere', () => {
    expect(mentions).toEqual([`src/server/application.ts: ${IMPORT}`, `src/server/application.ts: ${USE}`]);
  });
});
