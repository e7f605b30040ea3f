import base from './jest.config.mjs';

/** `npm run test:clients`: the packages that people install, against the real service. */
export default {
  ...base,
  testMatch: ['<rootDir>/clients/*/test/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: [...base.modulePathIgnorePatterns],
};
