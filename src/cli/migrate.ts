import { readConfig } from '../config/config';
import { migrate } from '../infrastructure/database/migrate';
import { runTool } from '../start/run-tool';
import { withSchema } from '../start/tool-database';

/** `npm run migrate`: brings the schema of DATABASE_URL up to date, for deployments that migrate before they start. */
async function main(): Promise<void> {
  await withSchema(readConfig(process.env), migrate);
}

runTool(main);
