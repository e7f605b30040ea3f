import { readConfig } from '../config/config';
import { distribute } from '../infrastructure/database/citus/distribute';
import { runTool } from '../start/run-tool';
import { withSchema } from '../start/tool-database';

/** `npm run distribute`: distributes the tables of DATABASE_URL, a coordinator of Citus, over its workers. */
async function main(): Promise<void> {
  await withSchema(readConfig(process.env), (dataSource) =>
    distribute(dataSource, (line) => process.stdout.write(`${line}\n`)),
  );
}

runTool(main);
