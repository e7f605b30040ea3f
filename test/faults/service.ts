import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, temporaryFolder } from '../support/servers';
import { ENCRYPTION_KEYS } from '../support/test-app';

export const CONSOLE_TOKEN = 'console-token-of-the-fault-tests';

const ROOT = resolve(__dirname, '../..');
const DIST = join(ROOT, 'dist/src');
const COMPILED = join(ROOT, 'test/.tmp/compiled');
/** Only ends starts that hang. */
const START_LIMIT_MS = 110_000;
const OUTPUT_LIMIT = 20_000;

/** How a process ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The compiled service as a process, as in production, that can be killed and restarted. */
export class Service {
  private child!: ChildProcess;
  private exit!: Promise<Exit>;
  private text = '';

  private constructor(
    readonly port: number,
    readonly dataDir: string,
    private readonly env: Record<string, string>,
    /** Path of the compiled script. */
    private readonly script: string,
  ) {}

  /**
   * Starts the process without waiting.
   * @param env the whole environment; nothing is inherited
   * @param name of the script, of `npm start` or `npm run demo`
   */
  static async launch(env: Record<string, string>, name: 'main' | 'cli/demo' = 'main'): Promise<Service> {
    const script = join(DIST, `${name}.js`);
    if (!existsSync(script)) throw new Error(`${script} is missing: run "npm run build"`);
    const port = Number(env.PORT ?? (await freePort()));
    const dataDir = env.DATA_DIR ?? temporaryFolder('service');
    const service = new Service(port, dataDir, { ...env, PORT: String(port), DATA_DIR: dataDir }, script);
    service.run();
    return service;
  }

  /** Starts the process with settings for tests, and waits until it is ready. */
  static async start(env: Record<string, string>): Promise<Service> {
    const service = await Service.launch({
      HOST: '127.0.0.1',
      CONSOLE_TOKEN,
      ENCRYPTION_KEYS,
      TRUST_PROXY: 'loopback',
      LOG_LEVEL: 'warn',
      // Never call real hosts, and keep links unchanged.
      OG_FETCH: 'false',
      LINK_HEALTH: 'false',
      ...env,
    });
    await service.ready();
    return service;
  }

  /** The end of its output. */
  get output(): string {
    return this.text;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Waits until the process is ready. @throws with its output when it ends or takes too long */
  async ready(): Promise<void> {
    const giveUpAt = performance.now() + START_LIMIT_MS;
    const { child } = this;
    while (child.exitCode === null && child.signalCode === null && performance.now() < giveUpAt) {
      // The public port answers only under the hosts of BASE_URL and SHORT_URL_BASE.
      const port = this.env.OPERATIONS_PORT ?? String(this.port);
      const answer = await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => undefined);
      if (answer?.ok) return;
      await delay(50);
    }
    // The output is complete once its streams have closed, after the exit.
    await this.kill();
    throw new Error(`The service did not start:\n${this.text}`);
  }

  /** Resolves when the process has ended. */
  ended(): Promise<Exit> {
    return this.exit;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.exit;
  }

  /** Sends SIGTERM, and SIGKILL after 15 s. */
  async stop(): Promise<Exit> {
    this.signal('SIGTERM');
    const killing = setTimeout(() => this.signal('SIGKILL'), 15_000);
    const exit = await this.exit;
    clearTimeout(killing);
    return exit;
  }

  /** Restarts an ended process with the same settings, port and data folder. */
  async restart(): Promise<void> {
    this.run();
    await this.ready();
  }

  private run(): void {
    const child = spawn(process.execPath, ['--enable-source-maps', this.script], {
      // Compiled code of the processes that ended by themselves: a fifth of a start, from Node 22 on.
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILED, ...this.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (this.text = (this.text + chunk.toString()).slice(-OUTPUT_LIMIT)));
    }
    this.exit = new Promise((done) => child.once('close', (code, signal) => done({ code, signal })));
    this.child = child;
  }
}
