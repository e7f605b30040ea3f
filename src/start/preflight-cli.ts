import { readConfig } from '../config/config';
import { preflight } from './preflight';
import { printProblem } from './start-problems';

/** Run by `npm start` before the build: exits with 1 and a message if the service could not start. */
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
