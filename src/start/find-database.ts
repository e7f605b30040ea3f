import type { Config } from '../config/config';
import { InvalidConfiguration } from '../config/invalid-configuration';
import type { DatabaseAddress, Route } from '../infrastructure/database/database-address';
import { type Probed, probe } from '../infrastructure/database/pooler-probe';
import { Primary } from '../infrastructure/database/primary';
import { reasonOf } from './start-problems';

type Settings = Pick<Config, 'databaseDirectUrl' | 'databaseReplicaUrl' | 'databasePrepared'>;
type Name = 'DATABASE_URL' | 'DATABASE_DIRECT_URL';

/** A setting with a database URL, and what is behind it. */
interface Way {
  readonly url: string;
  readonly primary: Primary;
  readonly found: Probed;
}

/**
 * Finds out how to connect to the database of DATABASE_URL: primary, pooler, replica.
 * @throws InvalidConfiguration naming a setting that the service cannot use; nothing has been changed
 */
export async function findDatabase(databaseUrl: string, settings: Settings): Promise<DatabaseAddress> {
  const { databaseDirectUrl: directUrl, databaseReplicaUrl: replicaUrl, databasePrepared } = settings;
  const main = await follow('DATABASE_URL', databaseUrl);
  const direct = directUrl === undefined ? undefined : await follow('DATABASE_DIRECT_URL', directUrl);
  if (direct) checkDirect(main.found, direct.found);
  if (main.found.pooled && !direct) throw new InvalidConfiguration(NEEDS_DIRECT);
  return {
    main: main.found.pooled
      ? pooledRoute(main, databasePrepared)
      : { url: main.url, primary: main.primary, prepared: databasePrepared !== 'false' },
    direct: { url: (direct ?? main).url, primary: (direct ?? main).primary },
    ...(replicaUrl !== undefined && { replica: await findReplica(replicaUrl, main.found) }),
  };
}

/** The route to the replica; one that does not respond is accepted, and read when it is back. */
async function findReplica(url: string, main: Probed): Promise<Route> {
  if (main.citus) {
    throw new InvalidConfiguration(
      'DATABASE_REPLICA_URL: must not be set with Citus, because a replica of the coordinator has no rows of other nodes',
    );
  }
  const found = await probe(url).catch((error: unknown) => {
    sayUnreadable(reasonOf(error));
    return null;
  });
  if (found?.pooled) {
    throw new InvalidConfiguration(
      'DATABASE_REPLICA_URL: leads through a connection pooler; it must lead to PostgreSQL itself',
    );
  }
  if (found && found.database !== main.database) {
    throw new InvalidConfiguration('DATABASE_REPLICA_URL: leads to another database than DATABASE_URL');
  }
  if (found?.standby === false) sayUnreadable('the server is no standby');
  return { url };
}

function sayUnreadable(reason: string): void {
  process.stderr.write(
    `DATABASE_REPLICA_URL: The replica cannot be read (${reason}). Waypost starts without it, and reads it once it can.\n`,
  );
}

async function follow(name: Name, url: string): Promise<Way> {
  try {
    const primary = await Primary.find(url);
    return { url, primary, found: await probe(primary.url) };
  } catch (error) {
    throw new InvalidConfiguration(`${name}: ${reasonOf(error)}`);
  }
}

function checkDirect(main: Probed, direct: Probed): void {
  if (direct.pooled) {
    throw new InvalidConfiguration(
      'DATABASE_DIRECT_URL: leads through a connection pooler; it must lead to PostgreSQL itself',
    );
  }
  if (direct.database !== main.database) {
    throw new InvalidConfiguration('DATABASE_DIRECT_URL: leads to another database than DATABASE_URL');
  }
}

function pooledRoute({ url, primary, found }: Way, prepared: Config['databasePrepared']): Route {
  for (const [name, limit] of [
    ['statement_timeout', found.statementTimeout],
    ['idle_in_transaction_session_timeout', found.idleInTransactionTimeout],
  ] as const) {
    if (limit === 0)
      throw new InvalidConfiguration(`DATABASE_URL: the pooler sets no ${name}. ${setLimits(found.role)}`);
  }
  if (prepared === 'true' && !found.named) {
    throw new InvalidConfiguration(
      'DATABASE_PREPARED: the pooler does not carry named prepared statements; PgBouncer does from 1.21 on, ' +
        'with max_prepared_statements above 0',
    );
  }
  return { url, primary, pooled: true, prepared: prepared === 'auto' ? found.named : prepared === 'true' };
}

const NEEDS_DIRECT =
  'DATABASE_DIRECT_URL: must be set, because DATABASE_URL leads through a connection pooler; migrations, locks ' +
  'and LISTEN need PostgreSQL itself';

/** ALTER ROLE comes first, because it works with every pooler; hosted ones have no configuration file to edit. */
function setLimits(role: string): string {
  const alter = `ALTER ROLE "${role.replaceAll('"', '""')}" SET`;
  return (
    `In Postgres, run: ${alter} statement_timeout = '30s'; ${alter} idle_in_transaction_session_timeout = '5min'; ` +
    "and let the pooler connect anew. Or, in pgbouncer.ini, add connect_query='SET statement_timeout = 30000; SET " +
    "idle_in_transaction_session_timeout = 300000' to the line of the database"
  );
}
