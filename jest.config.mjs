import { availableParallelism } from 'node:os';

/** Nest 12 ships ES modules; Jest runs in CommonJS mode, so those packages are transformed too. */
const swc = [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      target: 'es2023',
      keepClassNames: true,
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

export default {
  rootDir: '.',
  testEnvironment: '<rootDir>/test/jest/environment.cjs',
  testEnvironmentOptions: { globalsCleanup: 'off' },
  runtime: '<rootDir>/test/jest/runtime.cjs',
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'],
  // They want a Chromium: jest.browser.config.mjs.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/browser/', '<rootDir>/test/.tmp/'],
  transform: { '\\.(ts|m?js)$': swc },
  transformIgnorePatterns: [],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/data'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: 30_000,
  testSequencer: '<rootDir>/test/jest/sequencer.cjs',
  // Fault suites wait more than they compute, so workers outnumber cores; every worker has databases open.
  maxWorkers: Math.min(4, availableParallelism() + 1),
};
