import { transformFileSync } from '@swc/core';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { LeftOut } from '../../../test/support/left-out';
import { packagedBinaries } from './binaries';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres';
import { isPostgres } from './postmaster';

let folder: string;
const servers: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];

/** Without fsync, which matters for power cuts, not for kills. */
async function start(dataDir: string, more: { binaries?: string; settings?: Record<string, string> } = {}) {
  const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, ...more });
  servers.push(server);
  return server;
}

async function query(url: string, text: string): Promise<Record<string, unknown>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows[0];
  } finally {
    await client.end();
  }
}

const clusterOf = (dataDir: string) => join(dataDir, 'postgres');
const lockFileOf = (dataDir: string) => join(clusterOf(dataDir), 'postmaster.pid');
const pidOf = (dataDir: string) => Number(readFileSync(lockFileOf(dataDir), 'utf8').split('\n')[0]);

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('timed out');
    await sleep(5);
  }
}

/** A separate process, leader of its own process group, which runs until it is killed. */
function runElsewhere(script: string): ChildProcess {
  const child = spawn(process.execPath, ['-e', `${script}; setInterval(() => undefined, 1000)`], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_PATH: resolve(__dirname, '../../../node_modules') },
  });
  children.push(child);
  return child;
}

/** Starts a server from another process, which prints a word once it is up. */
function startElsewhere(dataDir: string): ChildProcess {
  const options = JSON.stringify({ dataDir, settings: { fsync: 'off' } });
  const code = JSON.stringify(join(folder, 'code', 'embedded-postgres.js'));
  return runElsewhere(
    `require(${code}).startEmbeddedPostgres(${options}).then(() => console.log('started'))`,
  );
}

let made: Promise<string> | undefined;

/** The folder of a server that has stopped, with a table `kept`. */
function existing(): Promise<string> {
  const make = async () => {
    const dataDir = join(folder, 'existing');
    const server = await start(dataDir);
    await query(server.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await server.stop();
    return dataDir;
  };
  return (made ??= make());
}

async function kill(child: ChildProcess): Promise<void> {
  process.kill(-(child.pid ?? NaN), 'SIGKILL');
  await once(child, 'exit');
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waypost-embedded-postgres-'));
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'code'));
  for (const name of readdirSync(__dirname).filter((file) => !file.endsWith('.spec.ts'))) {
    const { code } = transformFileSync(join(__dirname, name), {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
      module: { type: 'commonjs' },
    });
    writeFileSync(join(folder, 'code', name.replace(/\.ts$/, '.js')), code);
  }
});

afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null && !child.signalCode) await kill(child);
  for (const server of servers.splice(0)) await server.stop();
});

afterAll(async () => {
  // Processes left by failed tests.
  for (const name of readdirSync(folder)) {
    if (existsSync(lockFileOf(join(folder, name)))) await (await start(join(folder, name))).stop();
  }
  await rm(folder, { recursive: true, force: true });
});

describe('startEmbeddedPostgres', () => {
  it('starts a durable UTF-8 server on loopback only, protected by a password', async () => {
    const dataDir = join(folder, 'first');
    const messages: string[] = [];
    const server = await startEmbeddedPostgres({ dataDir, log: (message) => messages.push(message) });
    servers.push(server);
    const { url } = server;
    expect(url).toMatch(/^postgres:\/\/waypost:[\w-]{43}@127\.0\.0\.1:\d+\/waypost$/);
    const row = await query(
      url,
      `SELECT lower('ÄÖ') AS lower, 'É' ILIKE 'é' AS ilike, current_setting('server_encoding') AS encoding,
         current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
         current_setting('timezone') AS zone, current_setting('listen_addresses') AS addresses,
         current_setting('unix_socket_directories') AS sockets, current_setting('max_connections') AS connections,
         current_setting('wal_compression') <> 'off' AS compressed`,
    );
    expect(row).toEqual({
      lower: 'äö',
      ilike: true,
      encoding: 'UTF8',
      fsync: 'on',
      commit: 'on',
      zone: 'UTC',
      addresses: '127.0.0.1',
      sockets: '',
      connections: '200',
      compressed: true,
    });

    const password = new URL(url).password;
    expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600);
    expect(messages.join() + readFileSync(join(dataDir, 'postgres.log'), 'utf8')).not.toContain(password);
    if (process.platform !== 'linux') return;
    const [commandLine, environment] = ['cmdline', 'environ'].map((name) =>
      readFileSync(`/proc/${pidOf(dataDir)}/${name}`, 'utf8'),
    );
    expect(commandLine).not.toContain(password);
    const names = environment?.split('\0').map((entry) => entry.split('=')[0]);
    expect(names?.filter(Boolean).sort()).toEqual(['LANG', 'LC_ALL', 'PATH', 'TZ']);
  });

  it('keeps data over a restart, and can be stopped twice', async () => {
    const dataDir = await existing();
    const first = await start(dataDir);
    const pid = pidOf(dataDir);
    await Promise.all([first.stop(), first.stop()]);
    expect(await isPostgres(pid)).toBe(false);

    const second = await start(dataDir);
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual({ answer: 42 });
  });

  it('survives a kill of the process group that started it, and is adopted', async () => {
    const dataDir = await existing();
    const owner = startElsewhere(dataDir);
    await once(owner.stdout ?? owner, 'data');
    const pid = pidOf(dataDir);
    await kill(owner);

    const adopted = await start(dataDir);
    expect(pidOf(dataDir)).toBe(pid);
    expect(await query(adopted.url, 'SELECT 1 AS one')).toEqual({ one: 1 });
    await adopted.stop();
    expect(await isPostgres(pid)).toBe(false);
  });

  it.each([
    ['nobody', () => '999999999'],
    ['some other process', () => String(runElsewhere('').pid)],
  ])('starts after a kill of Postgres, when its pid belongs to %s', async (_whom, reusedPid) => {
    const dataDir = await existing();
    await start(dataDir);
    const pid = pidOf(dataDir);
    process.kill(pid, 'SIGKILL');
    await until(async () => !(await isPostgres(pid)));
    const lockFile = readFileSync(lockFileOf(dataDir), 'utf8');
    writeFileSync(lockFileOf(dataDir), lockFile.replace(/^\d+/, reusedPid()));

    const second = await start(dataDir);
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual({ answer: 42 });
  });

  it('starts after a kill of Postgres, while one of its processes is still busy', async () => {
    if (process.platform !== 'linux') throw new LeftOut('Linux');
    const dataDir = await existing();
    const first = await start(dataDir);
    const client = new Client({ connectionString: first.url });
    client.on('error', () => undefined);
    await client.connect();
    const busy = client.query('DO $$ BEGIN LOOP END LOOP; END $$').catch((error: unknown) => error);
    await sleep(100);
    process.kill(pidOf(dataDir), 'SIGKILL');

    const second = await start(dataDir);
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual({ one: 1 });
    expect(await busy).toBeInstanceOf(Error);
    await client.end();
  });

  it('starts after a kill in the middle of initdb', async () => {
    const dataDir = join(folder, 'half');
    const partial = () =>
      (existsSync(dataDir) ? readdirSync(dataDir) : []).find((name) => /-init-\w+$/.test(name));
    const owner = startElsewhere(dataDir);
    await until(() => existsSync(join(dataDir, partial() ?? '-', 'base')));
    await kill(owner);
    expect(existsSync(clusterOf(dataDir))).toBe(false);

    const { url } = await start(dataDir);
    expect(await query(url, 'SELECT 1 AS one')).toEqual({ one: 1 });
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres-password', 'postgres.log']);
  });

  it('gives starts at the same moment the same server, and the last stop ends it', async () => {
    const dataDir = join(folder, 'together');
    const other = startElsewhere(dataDir);
    const [one, two] = await Promise.all([
      start(dataDir),
      start(dataDir),
      once(other.stdout ?? other, 'data'),
    ]);
    expect(one.url).toBe(two.url);
    const pid = pidOf(dataDir);
    await kill(other);

    await one.stop();
    expect(await query(two.url, 'SELECT 1 AS one')).toEqual({ one: 1 });
    await two.stop();
    expect(await isPostgres(pid)).toBe(false);
  });

  it('runs a package without its links and modes, as npm leaves it with install scripts off', async () => {
    const binaries = join(folder, 'package', 'native');
    await cp(packagedBinaries(), binaries, { recursive: true, verbatimSymlinks: true });
    for (const entry of await readdir(binaries, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if ((await lstat(path)).isSymbolicLink()) await rm(path);
      else if (entry.isFile()) await chmod(path, 0o644);
    }
    const { url } = await start(join(folder, 'linked'), { binaries });
    expect(await query(url, 'SELECT 1 AS one')).toEqual({ one: 1 });
  });

  it('reports what Postgres printed when it fails to start', async () => {
    const dataDir = await existing();
    await expect(start(dataDir, { settings: { shared_buffers: 'nonsense' } })).rejects.toThrow(
      /failed to start\n.*invalid value for parameter "shared_buffers": "nonsense"/s,
    );
    await rm(join(dataDir, 'postgres-password'));
    await expect(start(dataDir)).rejects.toThrow(/postgres-password.*is missing/);
  });

  it('as root, puts the cluster where its user can go', async () => {
    if (process.getuid?.() !== 0) throw new LeftOut('root (sudo npm run test:matrix)');
    const dataDir = join(folder, 'closed', 'data');
    await mkdir(dataDir, { recursive: true });
    await chmod(join(folder, 'closed'), 0o700);
    const binaries = join(folder, 'closed', 'native');
    await cp(packagedBinaries(), binaries, { recursive: true, verbatimSymlinks: true });
    const homes: string[] = [];
    try {
      const first = await start(dataDir, { binaries });
      homes.push(readFileSync(join(dataDir, 'postgres-location'), 'utf8').trim());
      await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
      await first.stop();
      const second = await start(dataDir, { binaries });
      expect(await query(second.url, 'SELECT answer FROM kept')).toEqual({ answer: 42 });
      await second.stop();

      await rm(dataDir, { recursive: true });
      const fresh = await start(dataDir, { binaries });
      homes.push(readFileSync(join(dataDir, 'postgres-location'), 'utf8').trim());
      expect(await query(fresh.url, `SELECT to_regclass('kept') AS kept`)).toEqual({ kept: null });
      await fresh.stop();
    } finally {
      for (const home of homes) await rm(home, { recursive: true, force: true });
    }
  });
});
