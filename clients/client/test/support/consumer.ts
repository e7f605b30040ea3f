import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Seen {
  readonly type: string;
  readonly id: number;
  readonly cursor: string;
  readonly name?: string | null;
}

/** A process that follows a feed and stores what it sees, which can be killed at any moment and go on. */
export class Consumer {
  private readonly file: string;
  private process?: ChildProcess;

  constructor(private readonly parameters: readonly [baseUrl: string, apiKey: string, feed: string]) {
    this.file = join(mkdtempSync(resolve(__dirname, '../../../../test/.tmp/consumer-')), 'seen.ndjson');
    writeFileSync(this.file, '');
  }

  /** What is stored. A line that was cut by the end of the process is not. */
  get seen(): Seen[] {
    const lines = readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Seen);
  }

  /** Goes on behind the last change that is stored. */
  start(): void {
    const { seen } = this;
    this.store(seen);
    const cursor = seen.at(-1)?.cursor;
    const parameters = [join(__dirname, 'follow.mjs'), ...this.parameters, this.file];
    this.process = spawn(process.execPath, cursor === undefined ? parameters : [...parameters, cursor], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  async kill(): Promise<void> {
    const { process } = this;
    if (!process) return;
    const ended = new Promise((done) => process.once('exit', done));
    process.kill('SIGKILL');
    await ended;
  }

  /** Forgets all but the first changes, as if restored from a backup. */
  restore(count: number): void {
    this.store(this.seen.slice(0, count));
  }

  private store(seen: readonly Seen[]): void {
    writeFileSync(this.file, seen.map((each) => `${JSON.stringify(each)}\n`).join(''));
  }
}
