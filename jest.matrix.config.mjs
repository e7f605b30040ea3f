import base from './jest.config.mjs';

/** Suites that multiply: every operation, generator, filter or start with every other: `npm run test:matrix`. */
export default {
  ...base,
  testMatch: [
    '<rootDir>/test/matrix/**/*.spec.ts',
    '<rootDir>/src/infrastructure/embedded-postgres/**/*.spec.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/.tmp/'],
};
