import { readConfig } from '../config/config';
import { preflight } from './preflight';
import { printProblem } from './start-problems';

/** What `npm start` runs before a build: ends with 1, and says why, where a start would fail at once. */
preflight(readConfigOrExit()).catch(fail);

function readConfigOrExit() {
  try {
    return readConfig(process.env);
  } catch (error) {
    return fail(error);
  }
}

function fail(error: unknown): never {
  printProblem(error);
  process.exit(1);
}
