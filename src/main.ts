import { readConfig } from './config/config';
import { runService } from './start/run-service';
import { printProblem } from './start/start-problems';

async function main(): Promise<void> {
  await runService(readConfig(process.env));
}

main().catch((error: unknown) => {
  printProblem(error);
  process.exitCode = 1;
});
