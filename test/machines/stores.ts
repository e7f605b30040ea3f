import { type ChildProcess, execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { redisSettings } from '../docs/blocks';
import { eventually } from '../support/eventually';
import { LeftOut } from '../support/left-out';
import { Disk } from './disk';
import { FakeClock } from './fake-clock';
import { Machine } from './machine';
import type { Host } from './network';

/** Debian's, because the embedded one brings no pg_basebackup. */
const POSTGRES = '/usr/lib/postgresql/15/bin';
/** Has the settings of a cluster. */
const OPERATIONS = resolve(__dirname, '../../docs/operations.md');
const DATABASE_PORT = 5432;
const REDIS_PORT = 6379;
/** Account that runs Postgres and PgBouncer, which refuse root. */
const NOBODY = 65534;

/** A program as `nobody`, from a folder of its own. */
function asNobody(command: string, args: readonly string[]): [string, string[]] {
  const nobody = String(NOBODY);
  return ['setpriv', [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', command, ...args]];
}

function folderOfNobody(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chownSync(folder, NOBODY, NOBODY);
  return folder;
}

export class RedisNode extends Machine {
  constructor(host: Host, folder: string) {
    super(host, new Disk(join(folder, host.name)));
  }

  get address(): string {
    return `${this.host.address}:${REDIS_PORT}`;
  }

  client(): Redis {
    const client = new Redis(REDIS_PORT, this.host.address, {
      maxRetriesPerRequest: 1,
      connectTimeout: 1_000,
    });
    client.on('error', () => undefined);
    return client;
  }

  protected launch(): ChildProcess {
    const settings: Record<string, string> = {
      port: String(REDIS_PORT),
      bind: this.host.address,
      'protected-mode': 'no',
      dir: this.disk?.folder ?? '',
      save: '',
      ...redisSettings(readFileSync(OPERATIONS, 'utf8'), '# redis.conf of every node'),
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    return this.host.spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  }

  protected async answers(): Promise<void> {
    const client = this.client();
    try {
      await client.ping();
    } finally {
      client.disconnect();
    }
  }
}

/** Makes a cluster of masters with a replica each out of twice as many nodes, and waits until the replicas are in step. */
export async function formCluster(nodes: readonly RedisNode[]): Promise<void> {
  const addresses = nodes.map(({ address }) => address);
  const [first] = nodes;
  first?.host.run('redis-cli', [
    '--cluster',
    'create',
    ...addresses,
    '--cluster-replicas',
    '1',
    '--cluster-yes',
  ]);
  for (const node of nodes) {
    const client = node.client();
    try {
      await eventually(async () => {
        expect(await client.cluster('INFO')).toContain('cluster_state:ok');
        expect(await client.info('replication')).toMatch(/connected_slaves:1|master_link_status:up/);
      });
    } finally {
      client.disconnect();
    }
  }
}

/** A Postgres that starts as a primary, or as the standby of one. */
export class PostgresMachine extends Machine {
  constructor(
    host: Host,
    parent: string,
    private readonly primary?: PostgresMachine,
    private readonly programs = POSTGRES,
  ) {
    if (!existsSync(join(POSTGRES, 'postgres')))
      throw new LeftOut('Postgres 15 (apt-get install postgresql-15)');
    const clock = new FakeClock(join(parent, `${host.name}-clock`));
    super(host, new Disk(join(parent, host.name), NOBODY), clock);
  }

  get address(): string {
    return `${this.host.address}:${DATABASE_PORT}`;
  }

  get url(): string {
    return `postgres://waypost@${this.address}/waypost`;
  }

  private get data(): string {
    return join(this.disk?.folder ?? '', 'data');
  }

  /** Makes its data folder anew: an empty database, or a copy of the primary's. */
  initialize(settings: Record<string, string> = {}): void {
    const { data } = this;
    rmSync(data, { recursive: true, force: true });
    const env = { ...process.env, HOME: this.disk?.folder };
    const run = (program: string, args: readonly string[]) =>
      this.host.run(...asNobody(join(this.programs, program), args), { env });
    if (this.primary) {
      const from = ['--host', this.primary.host.address, '--username', 'waypost'];
      run('pg_basebackup', ['--pgdata', data, '--write-recovery-conf', '--checkpoint=fast', ...from]);
      return;
    }
    run('initdb', [
      '--pgdata',
      data,
      '--username',
      'waypost',
      '--auth',
      'trust',
      '--encoding',
      'UTF8',
      '--locale',
      'C.UTF-8',
    ]);
    writeFileSync(
      join(data, 'pg_hba.conf'),
      'host all all 0.0.0.0/0 trust\nhost replication all 0.0.0.0/0 trust\n',
    );
    const all = {
      listen_addresses: '*',
      unix_socket_directories: '',
      max_connections: '200',
      wal_level: 'logical',
      hot_standby_feedback: 'on',
      wal_receiver_timeout: '5s',
      wal_sender_timeout: '5s',
      tcp_keepalives_idle: '5',
      ...settings,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name} = '${value}'`);
    writeFileSync(join(data, 'postgresql.auto.conf'), `${lines.join('\n')}\n`);
  }

  protected launch(): ChildProcess {
    rmSync(join(this.data, 'postmaster.pid'), { force: true });
    // Setpriv runs without libfaketime, which would create shared memory as root that Postgres cannot open.
    const variables = Object.entries(this.clock?.env ?? {}).map(([name, value]) => `${name}=${value}`);
    const [command, args] = asNobody('env', [...variables, join(this.programs, 'postgres'), '-D', this.data]);
    return this.host.spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  }

  protected async answers(): Promise<void> {
    await this.query('SELECT 1', 'postgres');
  }

  override async time(): Promise<number> {
    const [row] = await this.query<{ now: Date }>('SELECT now()');
    return row?.now.getTime() ?? NaN;
  }

  /** Runs a statement on a connection of its own. */
  async query<Row>(sql: string, database = 'waypost'): Promise<Row[]> {
    const url = `postgres://waypost@${this.address}/${database}`;
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const { rows } = await client.query(sql);
      return rows as Row[];
    } finally {
      await client.end();
    }
  }
}

/** PgBouncer in transaction mode in front of a primary. */
export class PgBouncer extends Machine {
  private readonly file: string;

  constructor(
    host: Host,
    parent: string,
    private readonly primary: PostgresMachine,
  ) {
    super(host);
    this.file = join(folderOfNobody(parent, host.name), 'pgbouncer.ini');
  }

  get url(): string {
    return `postgres://waypost@${this.host.address}:6432/waypost`;
  }

  protected launch(): ChildProcess {
    const limits = `connect_query='SET statement_timeout = 30000; SET idle_in_transaction_session_timeout = 60000'`;
    const { address } = this.primary.host;
    const users = `${this.file}.users`;
    writeFileSync(users, '"waypost" ""\n');
    writeFileSync(
      this.file,
      `[databases]
waypost = host=${address} port=${DATABASE_PORT} ${limits}

[pgbouncer]
listen_addr = ${this.host.address}
listen_port = 6432
auth_type = trust
auth_file = ${users}
unix_socket_dir =
pool_mode = transaction
max_client_conn = 500
default_pool_size = 40
server_connect_timeout = 2
server_login_retry = 1
tcp_keepidle = 5
`,
    );
    const [command, args] = asNobody('pgbouncer', [this.file]);
    return this.host.spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  }

  protected async answers(): Promise<void> {
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined);
    await client.connect();
    await client.end();
  }
}

/** Whether a program is on PATH. */
export function has(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
