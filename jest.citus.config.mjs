import base from './jest.config.mjs';

/** Suites whose statements reach tables of the coordinator alone, which has them as plain Postgres does. */
const LOCAL_TABLES = [
  'access',
  'access-housekeeping',
  'api-key-rotation',
  'console-add-ons',
  'console-api-keys',
  'console-invitations',
  'console-ip-allow-list',
  'console-login',
  'console-me',
  'console-oidc',
  'console-oidc-invitations',
  'console-oidc-settings',
  'console-oidc-states',
  'console-oidc-tokens',
  'console-organizations',
  'console-roles',
  'console-sessions',
  'console-sign-in-links',
  'console-users',
  'debug-schemes',
  'demo-organization',
  'encryption',
  'migrations',
  'schedule',
];

/** Suites about HTTP, Redis, the network, documents and pages, which no database changes. */
const WITHOUT_SQL = [
  'answers',
  'answers-apps',
  'answers-pages',
  'connections',
  'console-fields',
  'console-files',
  'countries',
  'custom-domains-checks',
  'custom-domains-pages',
  'health',
  'hosts',
  'http-rules',
  'links-password',
  'links-qr',
  'list-parameters',
  'long-statements',
  'native-apps-guide',
  'openapi',
  'operations-port',
  'outgoing',
  'pages',
  'rate-limit',
  'root',
  'sdk-mobile-passwords',
  'sdk-web-proxy',
  'stream-reader',
  'webhook-catalogue',
  'webhook-signatures',
  'webhooks-hostile',
  'write-marks-store',
];

/** Suites that multiply what SQL does. */
const MATRIX = [
  'access-matrix',
  'analytics-clicks-sums',
  'click-months',
  'links-list-filters',
  'openapi-examples',
  'segments-oracle',
  'statistics-moments',
  'unsubscribes-model',
];

/** Faults that end a process of the service in the middle of what it writes to Postgres. */
const FAULTS = ['bulk-jobs', 'killed-process', 'killed-worker', 'webhooks'];

/** The service on Citus: `npm run test:citus`. */
export default {
  ...base,
  testMatch: [
    '<rootDir>/test/citus/**/*.spec.ts',
    '<rootDir>/test/e2e/**/*.spec.ts',
    ...MATRIX.map((suite) => `<rootDir>/test/matrix/${suite}.spec.ts`),
    ...FAULTS.map((suite) => `<rootDir>/test/faults/${suite}.spec.ts`),
  ],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/.tmp/',
    ...[...LOCAL_TABLES, ...WITHOUT_SQL].map((suite) => `<rootDir>/test/e2e/${suite}\\.spec\\.ts$`),
  ],
};
