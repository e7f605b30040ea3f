import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventually } from './eventually';
import { LeftOut } from './left-out';
import { freePort, isOnPath, temporaryFolder } from './servers';

/** The setting that docs/operations.md#pgbouncer recommends. */
const CONNECT_QUERY = [
  'SET statement_timeout = 30000',
  'SET idle_in_transaction_session_timeout = 300000',
  'SET tcp_keepalives_idle = 5',
  'SET tcp_keepalives_interval = 5',
  'SET tcp_keepalives_count = 3',
].join('; ');

/** A PgBouncer in transaction mode in front of all databases of a server. */
export class PgBouncer {
  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private child: ChildProcess,
  ) {}

  /**
   * @param settings of pgbouncer.ini
   * @throws LeftOut if it is not installed
   */
  static async start(
    server: string,
    { connectQuery = CONNECT_QUERY, ...settings }: Record<string, string> = {},
  ): Promise<PgBouncer> {
    if (!program()) throw new LeftOut('PgBouncer (apt-get install pgbouncer)');
    const folder = temporaryFolder('pgbouncer');
    const port = await freePort();
    const { hostname, port: serverPort, username, password } = new URL(server);
    const target = `host=${hostname} port=${serverPort} user=${username}${password && ` password=${password}`}`;
    const all = {
      listen_addr: '127.0.0.1',
      listen_port: String(port),
      unix_socket_dir: '',
      auth_type: 'any',
      pool_mode: 'transaction',
      default_pool_size: '20',
      max_client_conn: '900',
      ...settings,
    };
    const lines = [
      '[databases]',
      `* = ${target} ${connectQuery && `connect_query='${connectQuery}'`}`,
      '[pgbouncer]',
      ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
    ];
    writeFileSync(join(folder, 'pgbouncer.ini'), lines.join('\n'));
    chmodSync(join(folder, 'pgbouncer.ini'), 0o644);
    const bouncer = new PgBouncer(folder, port, launch(folder));
    await eventually(() => bouncer.check(server));
    return bouncer;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** The URL that leads to the server through the pooler. */
  through(url: string): string {
    const result = new URL(url);
    result.port = String(this.port);
    return result.href;
  }

  async kill(): Promise<void> {
    const gone = new Promise((done) => this.child.once('exit', done));
    this.child.kill('SIGKILL');
    await gone;
  }

  restart(): void {
    this.child = launch(this.folder);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async check(server: string): Promise<void> {
    const client = new Client({ connectionString: this.through(server) });
    client.on('error', () => undefined);
    await client.connect();
    await client.end();
  }
}

/** Debian installs it in a folder that is only on root's PATH. */
function program(): string | undefined {
  return ['pgbouncer', '/usr/sbin/pgbouncer'].find(isOnPath);
}

/** Starts it as another user, because it refuses to run as root. */
function launch(folder: string): ChildProcess {
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  return spawn(program() ?? '', [...user, join(folder, 'pgbouncer.ini')], { stdio: 'ignore' });
}
