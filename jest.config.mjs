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
  testMatch: [
    '<rootDir>/src/**/*.spec.ts',
    '<rootDir>/console/src/**/*.spec.ts',
    '<rootDir>/test/**/*.spec.ts',
  ],
  // Suites with a configuration and a command of their own: jest.browser.config.mjs, jest.citus.config.mjs, jest.faults.config.mjs, jest.machines.config.mjs, jest.matrix.config.mjs.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/browser/',
    '<rootDir>/test/citus/',
    '<rootDir>/test/faults/',
    '<rootDir>/test/machines/',
    '<rootDir>/test/matrix/',
    '<rootDir>/src/infrastructure/embedded-postgres/',
    '<rootDir>/test/.tmp/',
  ],
  transform: { '\\.(ts|m?js)$': swc },
  transformIgnorePatterns: [],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/data', '<rootDir>/test/.tmp'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  // Only ends tests that hang: a shared machine may be several times slower than usual.
  testTimeout: 120_000,
  // Suites also wait for Postgres and for processes, so workers outnumber cores; every worker has databases open.
  maxWorkers: Math.min(4, availableParallelism() + 1),
};
