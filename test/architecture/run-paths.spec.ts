import { resolve } from 'node:path';
import { filesOnPath, type RunPath } from './run-paths';

const ROOT = resolve(__dirname, '../..');

/** Counted as described in docs/architecture.md#files-on-a-path. `limit` only decreases, down to `goal`. */
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
    limit: 15,
    goal: 15,
  },
  {
    name: 'a click counted',
    entries: ['src/modules/click-statistics/counting/stream-consumer.ts'],
    modules: ['click-statistics', 'clicks'],
    branches: ['src/modules/clicks/observation/'],
    limit: 15,
    goal: 15,
  },
  {
    name: 'POST /urls',
    entries: ['src/modules/links/links.controller.ts'],
    modules: ['links', 'tracked-links'],
    branches: [
      'src/modules/links/qr/',
      'src/modules/links/statistics/',
      'src/modules/links/link-list.query.ts',
      'src/modules/tracked-links/find-if-exists/',
      'src/modules/tracked-links/former-codes/',
      'src/modules/tracked-links/list/',
      'src/modules/tracked-links/tracked-link-events.ts',
      'src/modules/tracked-links/health/',
    ],
    limit: 10,
    goal: 10,
  },
  {
    name: 'a webhook from commit to POST',
    entries: [
      'src/modules/webhooks/outbox/webhook-outbox.ts',
      'src/modules/webhooks/deliveries/deliveries.processor.ts',
    ],
    modules: ['webhooks'],
    branches: [],
    limit: 12,
    goal: 12,
  },
];

describe('The files on a path', () => {
  it.each(PATHS)('of $name are at most $limit', (path) => {
    const files = filesOnPath(ROOT, path);
    expect(path.limit).toBeGreaterThanOrEqual(path.goal);
    expect(files.slice(path.limit)).toEqual([]);
  });

  it('include imports of injected classes, but no type-only imports', () => {
    const files = PATHS.flatMap((path) => filesOnPath(ROOT, path));
    expect(files).toContain('src/modules/clicks/journal/redis-journal.ts');
    expect(files).not.toContain('src/modules/redirect/tracked-link.ts');
  });
});
