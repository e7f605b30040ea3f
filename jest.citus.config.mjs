import base from './jest.config.mjs';

/** Suites about the tables of earlier versions, which `npm run distribute` does not take. */
const EARLIER_VERSIONS = [
  'click-organizations-upgrade',
  'click-values-upgrade',
  'codes-upgrade',
  'deep-link-tokens-upgrade',
  'migrations',
  'statistics-migrations',
];

/** Suites about HTTP, documents and pages, which no database changes. */
const WITHOUT_SQL = [
  'answers-apps',
  'answers-hostile',
  'answers-pages',
  'connections',
  'console-fields',
  'console-files',
  'console-oidc-settings',
  'console-oidc-states',
  'console-oidc-tokens',
  'generated-client',
  'generated-clients',
  'hosts',
  'http-rules',
  'import-tables',
  'links-password',
  'native-apps-guide',
  'openapi',
  'openapi-documents',
  'operations-port',
  'outgoing',
  'pages',
  'password-floods',
  'required-fields',
  'root',
  'sdk-mobile-passwords',
];

/** Faults that end a process of the service in the middle of what it writes to Postgres. */
const FAULTS = ['bulk-jobs', 'killed-process', 'killed-worker', 'webhooks'];

/** The service on Citus: `npm run test:citus`. */
export default {
  ...base,
  testMatch: [
    '<rootDir>/test/citus/**/*.spec.ts',
    '<rootDir>/test/e2e/**/*.spec.ts',
    ...FAULTS.map((suite) => `<rootDir>/test/faults/${suite}.spec.ts`),
  ],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/.tmp/',
    ...[...EARLIER_VERSIONS, ...WITHOUT_SQL].map((suite) => `<rootDir>/test/e2e/${suite}\\.spec\\.ts$`),
  ],
};
