import { existsSync } from 'node:fs';
import base from './jest.config.mjs';

const CITUS = '<rootDir>/test/machines/citus.spec.ts';

/** The service and its stores on hosts of their own, and their faults: `npm run test:machines`, for hours `npm run trial:machines`. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/machines/**/*.spec.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/.tmp/',
    ...(existsSync('../shared/citus') ? [] : [CITUS]),
  ],
  // The machines of one suite are more than the cores.
  maxWorkers: 1,
};
