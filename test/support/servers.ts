import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { startEmbeddedPostgres } from '../../src/infrastructure/embedded-postgres/embedded-postgres';
import type { Certificate } from './certificate';
import { eventually } from './eventually';
import { LeftOut } from './left-out';
import { onNode } from './test-databases';

/** A store that the test run has started, or was given. */
export interface TestServer {
  url: string;
  stop(): Promise<void>;
}

const INSTALL_REDIS = 'apt-get install redis-server';
const FOLDER = resolve(__dirname, '../.tmp');

/** A folder for a single test, for DATA_DIR and the like. */
export function temporaryFolder(name: string): string {
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(join(FOLDER, `${name}-`));
  // Postgres needs access as another user if tests run as root.
  chmodSync(folder, 0o755);
  return folder;
}

/** Settings of a Postgres whose data is discarded after the run: no fsync, and no vacuum of hundreds of databases. */
export const POSTGRES_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '300',
};

/** A fresh embedded Postgres. */
export async function startTestPostgres(): Promise<TestServer> {
  const dataDir = temporaryFolder('postgres');
  const postgres = await startEmbeddedPostgres({ dataDir, settings: POSTGRES_SETTINGS });
  const { url } = postgres;
  // Each connection would hash the password 4,096 times.
  const password = `ALTER ROLE CURRENT_USER PASSWORD '${new URL(url).password}'`;
  await onNode(url, 'SET scram_iterations = 1', password);
  return {
    url,
    stop: async () => {
      await postgres.stop();
      // Nobody waits for the deletion of some hundred thousand files.
      spawn('rm', ['-rf', dataDir], { stdio: 'ignore', detached: true }).unref();
    },
  };
}

/** Whether Redis can be started. */
export function hasRedis(): boolean {
  return redisBinary() !== undefined;
}

/** URL of the Redis shared by all suites. @throws LeftOut without one */
export function sharedRedisUrl(): string {
  const url = process.env.TEST_REDIS_URL;
  if (!url) throw new LeftOut(`Redis (${INSTALL_REDIS}, or set TEST_REDIS_URL)`);
  return url;
}

/** A Redis for one test that can be stopped, killed and restarted, with AOF as in production. */
export class RedisServer {
  private constructor(
    readonly folder: string,
    readonly port: number,
    /** Undefined without a certificate. */
    readonly tlsPort: number | undefined,
    private readonly options: readonly string[],
    private child: ChildProcess,
  ) {}

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Path of its program. */
  get binary(): string {
    return this.child.spawnfile;
  }

  /**
   * @param options further command-line options
   * @param certificate enables TLS, on a separate port, and as the only way among servers
   * @throws LeftOut if Redis is not installed
   */
  static async start(options: readonly string[] = [], certificate?: Certificate): Promise<RedisServer> {
    const folder = temporaryFolder('redis');
    const port = await freePort();
    const tlsPort = certificate && (await freePort());
    const all = [
      ...options,
      ...tlsOptions(tlsPort, certificate).flatMap(([name, value]) => [`--${name}`, value]),
    ];
    const child = await launch(folder, port, all);
    return new RedisServer(folder, port, tlsPort, all, child);
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = new Promise((done) => this.child.once('exit', done));
    this.child.kill(signal);
    await gone;
  }

  async restart(): Promise<void> {
    this.child = await launch(this.folder, this.port, this.options);
  }

  /** Stops it and removes its files. */
  async end(): Promise<void> {
    await this.stop('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Current size of the append-only file, in bytes. */
  appended(): number {
    return statSync(this.appendFile()).size;
  }

  /** Truncates the append-only file by `bytes`, as a power cut does. Only while Redis is stopped. */
  truncate(bytes: number): void {
    truncateSync(this.appendFile(), bytes);
  }

  private appendFile(): string {
    const folder = join(this.folder, 'appendonlydir');
    const name = readdirSync(folder).find((file) => file.endsWith('.incr.aof'));
    if (!name) throw new Error(`There is no append-only file in ${folder}`);
    return join(folder, name);
  }
}

/** Options of a Redis or Sentinel for TLS on a port; empty without a certificate. */
export function tlsOptions(
  port: number | undefined,
  certificate: Certificate | undefined,
): [string, string][] {
  if (port === undefined || !certificate) return [];
  const { key, cert } = writeCertificate(certificate);
  return [
    ['tls-port', String(port)],
    ['tls-key-file', key],
    ['tls-cert-file', cert],
    ['tls-ca-cert-file', cert],
    ['tls-auth-clients', 'no'],
    ['tls-replication', 'yes'],
    ['tls-cluster', 'yes'],
  ];
}

/** Writes a certificate and its key to files. @returns their paths */
export function writeCertificate({ key, cert }: Certificate): Certificate {
  const folder = temporaryFolder('certificate');
  const paths = { key: join(folder, 'server.key'), cert: join(folder, 'server.crt') };
  writeFileSync(paths.key, key);
  writeFileSync(paths.cert, cert);
  return paths;
}

async function launch(folder: string, port: number, further: readonly string[]): Promise<ChildProcess> {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const binary = redisBinary();
  if (!binary) throw new LeftOut(`a redis-server of their own (${INSTALL_REDIS})`);
  const child = spawn(binary, [...options, '--appendonly', 'yes', '--appendfsync', 'everysec', ...further], {
    stdio: 'ignore',
  });
  const client = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => undefined);
  try {
    await eventually(async () => {
      await client.connect();
      await client.ping();
    });
    return child;
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error('redis-server did not start', { cause: error });
  } finally {
    client.disconnect();
  }
}

function redisBinary(): string | undefined {
  return ['redis-server', 'valkey-server'].find(isOnPath);
}

export function isOnPath(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Below the ports of outgoing connections, which could take one before its server starts or restarts. */
const PORTS = { from: 10_000, to: 32_000 };

/** An unused port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer().once('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });
}
