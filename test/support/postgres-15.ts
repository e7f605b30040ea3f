import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventually } from './eventually';
import { LeftOut } from './left-out';
import { freePort, type TestServer } from './servers';

/** The programs of the oldest supported version, from Debian's package `postgresql-15`. */
export const POSTGRES_15_PROGRAMS = '/usr/lib/postgresql/15/bin';

/**
 * A fresh Postgres 15, whose superuser `waypost` needs no password.
 * @param given settings of postgresql.conf
 * @throws LeftOut where it is not installed
 */
export async function startPostgres15(given: Record<string, string> = {}): Promise<TestServer> {
  if (!existsSync(POSTGRES_15_PROGRAMS)) throw new LeftOut('Postgres 15 (apt-get install postgresql-15)');
  const folder = mkdtempSync(join(tmpdir(), 'waypost-postgres-15-'));
  chmodSync(folder, 0o777);
  const data = join(folder, 'data');
  const initdb = ['-D', data, '--auth=trust', '-U', 'waypost', '-E', 'UTF8', '--no-sync'];
  execFileSync(...asUser('initdb', initdb), { stdio: 'ignore', cwd: folder });
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    ...given,
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(...asUser('postgres', ['-D', data, '-p', String(port), ...options]), {
    stdio: 'ignore',
    cwd: folder,
  });
  const url = `postgres://waypost@127.0.0.1:${port}/postgres`;
  await eventually(async () => {
    const client = new Client({ connectionString: url });
    await client.connect().finally(() => client.end());
  });
  return {
    url,
    stop: async () => {
      const [pid] = execFileSync('head', ['-1', join(data, 'postmaster.pid')], { encoding: 'utf8' }).split(
        '\n',
      );
      const ended = new Promise((resolve) => server.once('exit', resolve));
      process.kill(Number(pid), 'SIGQUIT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a program as an ordinary user, because Postgres refuses to run as root. */
function asUser(program: string, args: string[]): [string, string[]] {
  const path = join(POSTGRES_15_PROGRAMS, program);
  return process.getuid?.() === 0 ? ['runuser', ['-u', 'postgres', '--', path, ...args]] : [path, args];
}
