import base from './jest.config.mjs';

/** Suites of test/e2e that pass on a coordinator of Citus with two workers. */
const SUITES = [
  'access',
  'analytics-visitors',
  'campaigns-statistics',
  'click-months',
  'clicks',
  'console-organizations',
  'contact-activity',
  'journey-statistics',
  'live-clicks',
  'session-events',
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
