const { appendFileSync } = require('node:fs');
const { Client } = require('pg');
const { TestEnvironment: NodeEnvironment } = require('jest-environment-node');

const leftOut = new WeakSet();
const JEST_STATE = /^(JEST_STATE_SYMBOL|EVENT_HANDLERS)$/;

/** Tests run in the realm of their worker, not in one of their own: its packages are loaded once (runtime.cjs). */
class SharedRealm extends NodeEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global = globalThis;
    const { exit, getBuiltinModule } = process;
    this.process = { exit, getBuiltinModule };
  }

  /** Removes what Jest leaves in its global objects, where the tests of each suite would live on in later ones. */
  async teardown() {
    for (const key of Object.getOwnPropertySymbols(globalThis))
      if (JEST_STATE.test(key.description)) Reflect.deleteProperty(globalThis, key);
    Object.assign(process, this.process);
    if (process.env.TEST_CITUS === '1') await dropDatabases();
    await super.teardown();
  }

  /** Skips tests that end with LeftOut (test/support/left-out.ts). */
  handleTestEvent({ name, test, hook, describeBlock }, state) {
    if (process.env.CI === 'true') return;
    if (name === 'test_done' && isLeftOut(test)) {
      appendFileSync(process.env.TEST_LEFT_OUT, `${test.errors[0][0].message}\n`);
      Object.assign(test, { status: 'skip', errors: [] });
      leftOut.add(test);
    }
    // What never started cannot be closed.
    if (
      name === 'hook_failure' &&
      hook.type === 'afterAll' &&
      testsOf(describeBlock).every((each) => leftOut.has(each))
    ) {
      state.unhandledErrors.pop();
    }
  }
}

/** Drops the databases of a suite, each of which has a daemon of Citus on each node. */
async function dropDatabases() {
  const names = globalThis.__WAYPOST_TEST_DATABASES__?.splice(0) ?? [];
  const { TEST_POSTGRES_URL, TEST_CITUS_WORKERS } = process.env;
  const nodes = [TEST_POSTGRES_URL, ...TEST_CITUS_WORKERS.split(',')];
  await Promise.all(nodes.map((url) => dropFromNode(url, names)));
}

async function dropFromNode(connectionString, names) {
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query('SELECT datname FROM pg_database WHERE datname = ANY ($1)', [names]);
  for (const { datname } of rows) {
    // DROP waits five seconds for connections to end. A daemon that asks a busy node takes longer.
    await client.query(`ALTER DATABASE ${datname} ALLOW_CONNECTIONS false`);
    await client.query('SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = $1', [
      datname,
    ]);
    await client.query(`DROP DATABASE ${datname} WITH (FORCE)`);
  }
  await client.end();
}

function isLeftOut({ errors }) {
  const [first] = errors;
  return first?.[0]?.name === 'LeftOut';
}

function testsOf({ children }) {
  return children.flatMap((child) => (child.type === 'test' ? [child] : testsOf(child)));
}

module.exports = SharedRealm;
