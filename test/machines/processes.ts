import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseScrape, type Scrape } from '../support/scrape';
import { Disk } from './disk';
import { FakeClock } from './fake-clock';
import { Machine } from './machine';
import type { Host } from './network';

const MAIN = resolve(__dirname, '../../dist/src/main.js');
const CONFIGURATION = resolve(__dirname, '../../docker/haproxy.cfg');
const PORT = 3000;
const OPERATIONS_PORT = 9464;

/** A process of the service. */
export class ServiceMachine extends Machine {
  constructor(
    host: Host,
    folder: string,
    private settings: Record<string, string>,
  ) {
    super(host, new Disk(join(folder, host.name)), new FakeClock(join(folder, `${host.name}-clock`)));
  }

  get dataDir(): string {
    return this.disk?.folder ?? '';
  }

  get address(): string {
    return `${this.host.address}:${PORT}`;
  }

  get operations(): string {
    return `${this.host.address}:${OPERATIONS_PORT}`;
  }

  /** Restarts its process with additional settings. */
  async restart(settings: Record<string, string>): Promise<void> {
    await this.stop();
    this.settings = { ...this.settings, ...settings };
    await this.start();
  }

  /** Metrics of its process. */
  async scrape(): Promise<Scrape> {
    const answer = await fetch(`http://${this.operations}/metrics`);
    return parseScrape(await answer.text());
  }

  override async time(): Promise<number> {
    const { headers } = await fetch(`http://${this.operations}/health/live`);
    return Date.parse(headers.get('date') ?? '');
  }

  protected launch(): ChildProcess {
    const env = {
      PATH: process.env.PATH,
      HOST: this.host.address,
      PORT: String(PORT),
      OPERATIONS_PORT: String(OPERATIONS_PORT),
      DATA_DIR: this.dataDir,
      ...this.clock?.env,
      ...this.settings,
    };
    const args = ['--enable-source-maps', '--max-semi-space-size=32', '--v8-pool-size=0', MAIN];
    return this.host.spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  protected async answers(): Promise<void> {
    const answer = await fetch(`http://${this.operations}/health/ready`, {
      signal: AbortSignal.timeout(2_000),
    });
    if (!answer.ok) throw new Error(`${this.name} is not ready: ${await answer.text()}`);
  }
}

/** HAProxy in front of web processes, as docker/haproxy.cfg sets it up, without TLS. */
export class HaProxy extends Machine {
  private readonly file: string;
  private webs: readonly ServiceMachine[] = [];

  constructor(host: Host, folder: string) {
    super(host);
    this.file = join(folder, `${host.name}.cfg`);
  }

  get url(): string {
    return `http://${this.host.address}`;
  }

  /** Replaces the processes behind the proxy. Requests in flight are not cut off. */
  balance(webs: readonly ServiceMachine[]): void {
    this.webs = webs;
    this.configure();
    this.reload();
  }

  protected launch(): ChildProcess {
    this.configure();
    return this.host.spawn('haproxy', ['-W', '-db', '-f', this.file], { stdio: ['ignore', 'pipe', 'pipe'] });
  }

  private configure(): void {
    const { address } = this.host;
    const servers = this.webs.map((web) => `    server ${web.name} ${web.address}\n`).join('');
    const gateway = address.replace(/\d+$/, '1');
    writeFileSync(
      this.file,
      edited(readFileSync(CONFIGURATION, 'utf8'), [
        [/bind :443 ssl .*/, `bind ${address}:80`],
        [/X-Forwarded-For %\[src\]/, `$& unless { src ${gateway} }`],
        [/X-Forwarded-Proto https/, 'X-Forwarded-Proto http'],
        [/api\.example\.com/, address],
        [/(?: +server web.*\n?)+/g, servers],
      ]),
    );
  }

  protected async answers(): Promise<void> {
    await fetch(this.url, { redirect: 'manual', signal: AbortSignal.timeout(2_000) });
  }
}

/** @throws when the text lacks what is to be replaced */
function edited(text: string, edits: readonly (readonly [RegExp, string])[]): string {
  return edits.reduce((rest, [from, to]) => {
    const next = rest.replace(from, to);
    if (next === rest) throw new Error(`${CONFIGURATION} has no ${from}`);
    return next;
  }, text);
}
