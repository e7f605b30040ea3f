import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const PAGES = join(ROOT, 'console/src/pages');

/** Suites that must mention every page of the menu. */
const FILES = [
  'test/browser/console-roles.spec.ts',
  'test/browser/console-hostile.spec.ts',
  'test/bench/support/console-pages.ts',
];

/** URL paths of the pages in the menu. */
const paths = readdirSync(PAGES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => {
    const routes = readFileSync(join(PAGES, name, 'page.ts'), 'utf8')
      .split('createRoute({')
      .slice(1);
    return routes
      .filter((route) => route.includes('menu:'))
      .map((route) => /path: '([^']+)'/.exec(route)?.[1]);
  });

describe('the pages of the console', () => {
  it('are found', () => expect(paths).toEqual(expect.arrayContaining(['/', '/links', '/settings'])));

  it.each(FILES)('are all in %s', (file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    expect(paths.filter((path) => !new RegExp(`['\`]${path ?? ''}[?'\`]`).test(text))).toEqual([]);
  });
});
