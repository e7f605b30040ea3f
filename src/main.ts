import { runService } from './start/run-service';
import { printProblem } from './start/start-problems';

runService(process.env).catch((error: unknown) => {
  printProblem(error);
  process.exitCode = 1;
});
