import base from './jest.config.mjs';

/** Pages in a real Chromium, apart from `npm test`, which needs none: `npm run test:browser`. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/browser/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 2,
  // Some tests open every page of the console.
  testTimeout: 300_000,
};
