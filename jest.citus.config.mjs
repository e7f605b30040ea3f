import base from './jest.config.mjs';

/** Suites of test/e2e that pass on a coordinator of Citus with two workers. */
const SUITES = [
  'access',
  'access-matrix',
  'analytics-visitors',
  'bulk-job-lookups',
  'bulk-jobs',
  'campaigns-statistics',
  'click-months',
  'clicks',
  'codes',
  'console-organizations',
  'contact-activity',
  'custom-domains',
  'custom-domains-checks',
  'external-ids',
  'funnel-tracking',
  'idempotency',
  'journey',
  'link-health',
  'links',
  'links-alias',
  'links-bulk',
  'links-editing',
  'links-list',
  'live-clicks',
  'og-fetch',
  'sdk-mobile-match',
  'segment-builder',
  'segments',
  'segments-members',
  'segments-oracle',
  'session-events',
  'session-months',
  'sessions',
  'webhook-catalogue',
  'webhook-deliveries',
  'webhook-signatures',
  'webhooks-console',
  'webhooks-hostile',
];

/** The service on Citus: `npm run test:citus`. */
export default {
  ...base,
  testMatch: [
    '<rootDir>/test/citus/**/*.spec.ts',
    ...SUITES.map((suite) => `<rootDir>/test/e2e/${suite}.spec.ts`),
  ],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/.tmp/'],
};
