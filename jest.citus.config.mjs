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
    ...EARLIER_VERSIONS.map((suite) => `<rootDir>/test/e2e/${suite}\\.spec\\.ts$`),
  ],
};
