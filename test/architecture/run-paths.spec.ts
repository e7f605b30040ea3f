import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { filesOnPath, type RunPath } from './run-paths';

const ROOT = resolve(__dirname, '../..');

/** Counted as described in docs/architecture.md#files-on-a-path; the titles of the tests contain the numbers. */
const PATHS: readonly RunPath[] = [
  {
    name: 'a click answered with a redirect',
    entries: ['src/modules/redirect/redirect.listener.ts'],
    modules: ['redirect', 'clicks'],
    branches: [
      'src/modules/redirect/pages/',
      'src/modules/redirect/gate/',
      'src/modules/redirect/observation/',
      'src/modules/redirect/files.ts',
      'src/modules/redirect/well-known.ts',
      'src/modules/clicks/observation/',
      'src/modules/clicks/journal/postgres-journal.ts',
      'src/modules/clicks/journal/click-spool.ts',
    ],
  },
  {
    name: 'a click counted',
    entries: ['src/modules/click-statistics/counting/stream-consumer.ts'],
    modules: ['click-statistics', 'clicks'],
    branches: ['src/modules/clicks/observation/'],
  },
  {
    name: 'POST /urls',
    entries: ['src/modules/links/links.controller.ts'],
    modules: ['links', 'tracked-links'],
    branches: [
      'src/modules/tracked-links/api/bulk.controller.ts',
      'src/modules/tracked-links/qr/',
      'src/modules/tracked-links/find-if-exists/',
      'src/modules/tracked-links/former-codes/',
      'src/modules/tracked-links/list/',
      'src/modules/tracked-links/tracked-link-events.ts',
      'src/modules/tracked-links/health/',
    ],
  },
  {
    name: 'a webhook from commit to POST',
    entries: [
      'src/modules/webhooks/outbox/webhook-outbox.ts',
      'src/modules/webhooks/deliveries/deliveries.processor.ts',
    ],
    modules: ['webhooks'],
    branches: [],
  },
];

describe('The files on a path', () => {
  const counted = PATHS.map((path) => ({ path, name: path.name, count: filesOnPath(ROOT, path).length }));

  it.each(counted)('of $name are $count', ({ path: { entries, branches } }) => {
    for (const each of [...entries, ...branches]) expect(existsSync(resolve(ROOT, each))).toBe(true);
  });

  it('include imports of injected classes, but no type-only imports', () => {
    const files = PATHS.flatMap((path) => filesOnPath(ROOT, path));
    expect(files).toContain('src/modules/clicks/journal/redis-journal.ts');
    expect(files).not.toContain('src/modules/redirect/tracked-link.ts');
  });
});
