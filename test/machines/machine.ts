import type { ChildProcess } from 'node:child_process';
import { eventually } from '../support/eventually';
import type { Disk } from './disk';
import type { FakeClock } from './fake-clock';
import type { Host } from './network';

const OUTPUT_LIMIT = 4_000;

/** A host whose program starts again after a loss of power, as under systemd. */
export abstract class Machine {
  private child: ChildProcess | null = null;
  private text = '';

  constructor(
    readonly host: Host,
    /** What it writes to, where it writes. */
    readonly disk?: Disk,
    /** What it tells the time by, where it does. */
    readonly clock?: FakeClock,
  ) {}

  get name(): string {
    return this.host.name;
  }

  /** The end of what its program has printed. */
  get output(): string {
    return this.text;
  }

  /** Starts the program, and waits until it answers. */
  async start(): Promise<void> {
    const child = this.launch();
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on(
        'data',
        (chunk: Buffer) => (this.text = (this.text + chunk.toString()).slice(-OUTPUT_LIMIT)),
      );
    }
    await eventually(async () => {
      if (child.exitCode !== null)
        throw new Error(`${this.name} ended with ${child.exitCode}:\n${this.text}`);
      await this.answers();
    });
  }

  /** Whether its program has ended by itself. */
  get ended(): boolean {
    return this.child?.exitCode !== null || this.child.signalCode !== null;
  }

  /** Has its program reload its configuration. */
  reload(): void {
    this.child?.kill('SIGUSR2');
  }

  /** Stops its program with SIGTERM, and waits for its end. */
  async stop(): Promise<void> {
    const ended = new Promise((done) => this.child?.once('exit', done));
    this.child?.kill('SIGTERM');
    await ended;
  }

  /** Ends every process of the host at once, as a loss of power. */
  async kill(): Promise<void> {
    const { child } = this;
    const ended = new Promise((done) =>
      child?.exitCode === null && child.signalCode === null ? child.once('exit', done) : done(null),
    );
    this.host.signal('SIGKILL');
    await ended;
    await eventually(async () => expect(this.host.pids()).toEqual([]));
  }

  /** What its program takes for the time, in milliseconds. */
  time(): Promise<number> {
    return Promise.reject(new Error(`${this.name} has no clock`));
  }

  protected abstract launch(): ChildProcess;

  /** Resolves when the program answers. @throws until then */
  protected abstract answers(): Promise<void>;
}
