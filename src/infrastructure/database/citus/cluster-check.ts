import type { DataSource, QueryRunner } from 'typeorm';

/** Longest acceptable `citus.recover_2pc_interval`: rows of an interrupted transaction stay locked until recovery. */
const RECOVERY_MS = 5_000;

/** Checks that the tables of a database can be distributed. @throws Error saying what is missing and what to do */
export async function checkCluster(dataSource: DataSource, runner: QueryRunner): Promise<void> {
  const extensions = (await runner.query(`SELECT FROM pg_extension WHERE extname = 'citus'`)) as unknown[];
  if (extensions.length === 0) {
    throw new Error(
      "The database has no Citus: set shared_preload_libraries = 'citus' on every node, restart it, and run CREATE EXTENSION citus in this database there",
    );
  }
  const [user] = (await runner.query(
    `SELECT rolsuper AS "isSuperuser" FROM pg_roles WHERE rolname = current_user`,
  )) as { isSuperuser: boolean }[];
  if (!user?.isSuperuser) throw new Error('npm run distribute needs a superuser');
  const nodes = (await runner.query(`SELECT groupid AS node FROM pg_dist_node WHERE isactive`)) as {
    node: number;
  }[];
  if (!nodes.some(({ node }) => node === 0)) {
    throw new Error(
      "The coordinator does not know its own address: SELECT citus_set_coordinator_host('host', port)",
    );
  }
  if (!nodes.some(({ node }) => node > 0)) {
    throw new Error("The cluster has no workers: SELECT citus_add_node('host', port) for each");
  }
  if (await dataSource.showMigrations()) {
    throw new Error('The schema is not that of this version: npm run migrate comes first');
  }
  const [recovery] = (await runner.query(
    `SELECT setting::int AS ms FROM pg_settings WHERE name = 'citus.recover_2pc_interval'`,
  )) as { ms: number }[];
  if (!recovery || recovery.ms < 1 || recovery.ms > RECOVERY_MS) {
    throw new Error(
      `citus.recover_2pc_interval is too long: ALTER SYSTEM SET citus.recover_2pc_interval = '5s', and SELECT pg_reload_conf(), on the coordinator`,
    );
  }
  const answers = (await runner.query(
    `SELECT nodename || ':' || nodeport AS node, success, result
       FROM run_command_on_all_nodes('SELECT 1') JOIN pg_dist_node USING (nodeid)`,
  )) as { node: string; success: boolean; result: string }[];
  for (const { node, success, result } of answers) {
    if (!success) throw new Error(`The node ${node} does not answer: ${result}`);
  }
}
