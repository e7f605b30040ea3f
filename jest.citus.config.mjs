import { realpathSync } from 'node:fs';
import base from './jest.config.mjs';

/**
 * Suites chosen so that, with test/citus, statements on distributed tables and races between writes are met in the least
 * time (docs/contributing.md#tests-on-citus). Nothing checks that the list is complete.
 */
const SUITES = {
  e2e: [
    'addresses',
    'analytics',
    'analytics-clicks',
    'analytics-visitors',
    'app-openings',
    'apps-deletion',
    'billing',
    'bulk-jobs',
    'campaigns-statistics',
    'claims',
    'click-batches',
    'click-housekeeping',
    'click-log',
    'click-organizations',
    'click-retention',
    'clicks',
    'codes',
    'contact-activity',
    'contact-feed',
    'contact-groups',
    'contacts-bulk',
    'contacts-search',
    'contacts-states',
    'custom-domains',
    'deep-link-housekeeping',
    'deep-link-tokens',
    'entities',
    'funnel-tracking',
    'idempotency',
    'install-statistics',
    'keys-rotation',
    'limits',
    'link-health',
    'link-health-turns',
    'links-bulk',
    'links-list',
    'links-max-clicks',
    'links-statistics',
    'live-clicks',
    'member-data',
    'og-fetch',
    'outbox',
    'placement',
    'rollup-retention',
    'sdk-mobile-match',
    'sdk-mobile-members',
    'segments',
    'session-events',
    'session-months',
    'sessions',
    'triggers',
    'unsubscribes-bulk',
    'unsubscribes-feeds',
    'usage',
    'webhook-deliveries',
    'webhook-pulls',
    'webhook-sweep',
    'webhooks',
    'withdrawal',
  ],
  faults: ['killed-worker'],
  matrix: ['analytics-clicks-sums', 'openapi-examples', 'segments-oracle', 'statistics-moments'],
};

/** The service on Citus: `npm run test:citus`, which fails at the name of a suite that is no longer there. */
export default {
  ...base,
  testMatch: [
    '<rootDir>/test/citus/**/*.spec.ts',
    ...Object.entries(SUITES).flatMap(([folder, names]) =>
      names.map((name) => realpathSync(`test/${folder}/${name}.spec.ts`)),
    ),
  ],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/.tmp/'],
};
