import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isOnPath } from '../../support/servers';

/** Core of the server under test, and of everything else: load, Postgres, Redis. */
const SERVER_CORE = 0;
export const OTHER_CORE = 1;

/** Node's options in `npm start`, used for all servers under test, including the bare ones. */
const NODE_OPTIONS = nodeOptions(join(__dirname, '../../../../package.json'));

/** ENCRYPTION_KEYS of the servers. */
export const BENCH_KEYS = `bench:${Buffer.alloc(32, 'bench').toString('base64')}`;

function nodeOptions(packageJson: string): string[] {
  const { scripts } = JSON.parse(readFileSync(packageJson, 'utf8')) as { scripts: { start: string } };
  const [, options] = /node (--.*) dist\/src\/main\.js$/.exec(scripts.start) ?? [];
  if (!options) throw new Error(`${packageJson} does not start main.js`);
  return options.split(' ');
}

const pinned = cpus().length > 1 && isOnPath('taskset');

/** A command line pinned to one core, if the machine supports it. */
export function onCore(core: number, command: string, args: readonly string[]): [string, string[]] {
  return pinned ? ['taskset', ['-c', String(core), command, ...args]] : [command, [...args]];
}

/** Pins a running process with all its threads to one core, or to several. */
export function moveToCore(cores: number | readonly number[], pid: number): void {
  const list = [cores].flat().join(',');
  if (pinned) execFileSync('taskset', ['-a', '-p', '-c', list, String(pid)], { stdio: 'ignore' });
}

/** The kernel's USER_HZ. */
const TICK_MS = 10;

/** CPU time that a process and its children have used, in milliseconds, without threads that have ended. */
export function cpuOfTree(pid: number): number {
  const task = `/proc/${pid}/task`;
  // What ends meanwhile is left out.
  const tryTo = <T>(read: () => T, otherwise: T): T => {
    try {
      return read();
    } catch {
      return otherwise;
    }
  };
  const words = (path: string) => tryTo(() => readFileSync(path, 'utf8').trim().split(' '), []);
  const threads = tryTo(() => readdirSync(task), []);
  const own = threads.map((thread) => Number(words(`${task}/${thread}/schedstat`)[0] ?? 0) / 1e6);
  const children = words(`${task}/${pid}/children`).filter(Boolean).map(Number);
  // cutime and cstime of proc(5), counted from the end of the name, which may contain spaces.
  const [ended = 0, endedInKernel = 0] = tryTo(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(13, 15)
    .map(Number);
  own.push((ended + endedInKernel) * TICK_MS);
  return [...own, ...children.map(cpuOfTree)].reduce((sum, each) => sum + each, 0);
}

export function printLoad(): void {
  const load = loadavg().map((each) => each.toFixed(1));
  console.log(`load average ${load.join(', ')}`);
}

/** A server that a benchmark runs as a separate process. */
export class BenchProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** Starts a Node program on the server's core, and waits until `path` answers on `port`. */
  static async start(options: {
    script: string;
    port: number;
    env: Record<string, string>;
    readyPath?: string;
  }): Promise<BenchProcess> {
    const { script, port, env, readyPath = '/' } = options;
    const [command, args] = onCore(SERVER_CORE, process.execPath, [...NODE_OPTIONS, script]);
    const child = spawn(command, args, {
      env: { PATH: process.env.PATH, ENCRYPTION_KEYS: BENCH_KEYS, ...env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const url = `http://127.0.0.1:${port}`;
    for (let attempt = 0; attempt < 600; attempt++) {
      if (child.exitCode !== null) throw new Error(`${script} ended with ${child.exitCode}`);
      try {
        await fetch(url + readyPath, { redirect: 'manual' });
        return new BenchProcess(child, url);
      } catch {
        await delay(50);
      }
    }
    throw new Error(`${script} did not start`);
  }

  /** Starts Waypost with the benchmark's stores. */
  static waypost(
    port: number,
    stores: { databaseUrl: string; redisUrl: string },
    settings: Record<string, string> = {},
  ): Promise<BenchProcess> {
    return BenchProcess.start({
      script: join(__dirname, '../../../src/main.js'),
      port,
      env: {
        DATABASE_URL: stores.databaseUrl,
        REDIS_URL: stores.redisUrl,
        BASE_URL: `http://127.0.0.1:${port}`,
        SHORT_URL_BASE: `http://localhost:${port}`,
        HOST: '127.0.0.1',
        DATA_DIR: '/tmp/waypost-bench-data',
        ...settings,
      },
      readyPath: '/health/ready',
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** CPU time that the process has used, in microseconds. */
  cpu(): number {
    const fields = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return ticks * 10_000;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await gone;
  }
}
