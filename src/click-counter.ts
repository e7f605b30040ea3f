import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { RunnableConfig } from './app.module';
import { InvalidConfiguration } from './config/config';

const RESTART_AFTER_MS = 1_000;

/** What the thread is given. */
export interface CounterData {
  config: RunnableConfig;
}

/** The thread's first message: it counts, or a setting is bad. */
export interface Started {
  refused?: string;
}

/** Counts clicks on a thread of its own, so that a batch of thousands never holds up a redirect. */
export class ClickCounter {
  private thread: Worker | null = null;
  private stopping = false;

  constructor(
    private readonly config: RunnableConfig,
    private readonly logger: Logger,
  ) {}

  /**
   * Resolves when it counts; from then on, a thread that fails is replaced.
   * @throws what keeps it from starting, InvalidConfiguration where that is a setting
   */
  async start(): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      this.stopping = true;
      throw error;
    }
  }

  /** Lets the batch that is being counted finish. What waits stays in the journal. */
  async stop(): Promise<void> {
    this.stopping = true;
    const { thread } = this;
    if (!thread) return;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    thread.postMessage('stop');
    await ended;
  }

  private run(): Promise<void> {
    const workerData: CounterData = { config: this.config };
    const thread = new Worker(join(__dirname, 'click-counter.thread.js'), { workerData });
    this.thread = thread;
    return new Promise((resolve, reject) => {
      thread.once('message', ({ refused }: Started) => {
        if (refused === undefined) resolve();
        else reject(new InvalidConfiguration(refused));
      });
      thread.once('error', (error) => {
        this.logger.error({ err: error }, 'counting clicks failed');
        reject(error);
      });
      thread.once('exit', () => {
        this.thread = null;
        if (!this.stopping) void this.restart();
      });
    });
  }

  private async restart(): Promise<void> {
    await delay(RESTART_AFTER_MS);
    // Why it did not start is in the log, and it will be tried again.
    if (!this.stopping) await this.run().catch(() => undefined);
  }
}
