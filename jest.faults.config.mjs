import base from './jest.config.mjs';

/** Suites that kill processes and cut networks, apart from `npm test`, as they mostly wait: `npm run test:faults`. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/faults/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/.tmp/'],
  // Each starts several processes.
  maxWorkers: 2,
  testTimeout: 300_000,
};
