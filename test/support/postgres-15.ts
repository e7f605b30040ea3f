import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Certificate } from './certificate';
import { eventually } from './eventually';
import { LeftOut } from './left-out';
import { childrenOf, signalProcess } from './processes';
import { freePort, type TestServer, writeCertificate } from './servers';

/** Programs of the oldest supported version, from Debian's package `postgresql-15`. */
export const POSTGRES_15_PROGRAMS = '/usr/lib/postgresql/15/bin';

/** A Postgres 15 process, whose superuser `waypost` needs no password. */
export class Postgres15 implements TestServer {
  readonly url: string;

  private constructor(
    private readonly data: string,
    readonly port: number,
    private readonly child: ChildProcess,
  ) {
    this.url = `postgres://waypost@127.0.0.1:${port}/postgres`;
  }

  /**
   * @param given settings of postgresql.conf
   * @param programs folder of the programs
   */
  static async launch(
    data: string,
    given: Record<string, string> = {},
    programs = POSTGRES_15_PROGRAMS,
  ): Promise<Postgres15> {
    const port = await freePort();
    const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', ...given };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(...asUser(join(programs, 'postgres'), ['-D', data, '-p', String(port), ...options]), {
      stdio: 'ignore',
      cwd: tmpdir(),
    });
    const server = new Postgres15(data, port, child);
    await eventually(async () => {
      const client = new Client({ connectionString: server.url });
      await client.connect().finally(() => client.end());
    });
    return server;
  }

  /** Sends the signal to the server and to its backends, which would otherwise keep working. */
  signal(signal: NodeJS.Signals): void {
    const pid = Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
    for (const each of [pid, ...childrenOf(pid)]) signalProcess(each, signal);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    // A stopped process does not exit before it continues, and runuser stops with its child.
    this.child.kill('SIGCONT');
    for (const signal of ['SIGCONT', 'SIGQUIT'] as const) this.signal(signal);
    await ended;
  }
}

/** Creates the files of a cluster. @throws LeftOut if Postgres 15 is not installed */
export function createCluster(programs = POSTGRES_15_PROGRAMS): { folder: string; data: string } {
  if (!existsSync(POSTGRES_15_PROGRAMS)) throw new LeftOut('Postgres 15 (apt-get install postgresql-15)');
  const folder = mkdtempSync(join(tmpdir(), 'waypost-postgres-15-'));
  chmodSync(folder, 0o777);
  const data = join(folder, 'data');
  const initdb = ['-D', data, '--auth=trust', '-U', 'waypost', '-E', 'UTF8', '--no-sync'];
  execFileSync(...asUser(join(programs, 'initdb'), initdb), { stdio: 'ignore', cwd: folder });
  return { folder, data };
}

/**
 * Starts a fresh Postgres 15.
 * @param given settings of postgresql.conf
 * @param certificate enables TLS
 * @throws LeftOut if it is not installed
 */
export async function startPostgres15(
  given: Record<string, string> = {},
  certificate?: Certificate,
): Promise<TestServer> {
  const { folder, data } = createCluster();
  const settings = certificate ? { ...given, ssl: 'on' } : given;
  if (certificate) addCertificate(data, certificate);
  const server = await Postgres15.launch(data, settings);
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Installs a certificate; Postgres only accepts a key that no other user can read. */
function addCertificate(data: string, certificate: Certificate): void {
  const { uid, gid } = statSync(data);
  const { key, cert } = writeCertificate(certificate);
  for (const [path, name] of [
    [key, 'server.key'],
    [cert, 'server.crt'],
  ] as const) {
    const copy = join(data, name);
    copyFileSync(path, copy);
    chownSync(copy, uid, gid);
    chmodSync(copy, 0o600);
  }
}

/** A primary and its streaming standby. */
export interface PostgresPair {
  readonly primary: Postgres15;
  readonly standby: Postgres15;
  stop(): Promise<void>;
}

/**
 * @param settings of the primary
 * @throws LeftOut if Postgres 15 is not installed
 */
export async function startPostgresPair(settings: Record<string, string> = {}): Promise<PostgresPair> {
  const { folder, data } = createCluster();
  const copy = join(folder, 'copy');
  // A cluster that has never been started is a base backup of itself.
  execFileSync('cp', ['-a', data, copy]);
  writeFileSync(join(copy, 'standby.signal'), '');
  const primary = await Postgres15.launch(data, settings);
  const source = { primary_conninfo: `host=127.0.0.1 port=${primary.port} user=waypost` };
  const standby = await Postgres15.launch(copy, { ...source, hot_standby_feedback: 'on' });
  return {
    primary,
    standby,
    stop: async () => {
      await Promise.all([primary.stop(), standby.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A command as an ordinary user, because Postgres refuses to run as root. */
function asUser(path: string, args: string[]): [string, string[]] {
  return process.getuid?.() === 0 ? ['runuser', ['-u', 'postgres', '--', path, ...args]] : [path, args];
}
