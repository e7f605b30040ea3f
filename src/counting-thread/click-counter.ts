import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { RunnableConfig } from '../infrastructure/runnable-config';
import { InvalidConfiguration } from '../config/invalid-configuration';
import { withoutPrimary } from '../infrastructure/database/database-address';
import type { ClickMetrics, CountedMemory } from '../modules/clicks/observation/click-metrics';

const RESTART_AFTER_MS = 1_000;

export interface CounterData {
  config: RunnableConfig;
  /** Whether the URL of the database names several servers, among which the thread must find the primary itself. */
  follows: boolean;
  memory: CountedMemory;
}

/** First message of the thread: counting has started, or a setting is invalid. */
export interface Started {
  refused?: string;
}

/** Counts clicks on a separate thread, so that a batch of thousands never delays a redirect. */
export class ClickCounter {
  private thread: Worker | null = null;
  private stopping = false;

  constructor(
    private readonly config: RunnableConfig,
    private readonly metrics: ClickMetrics,
    private readonly logger: Logger,
  ) {}

  /**
   * Resolves once counting has started. A thread that fails later is replaced.
   * @throws the error of the start; InvalidConfiguration for an invalid setting
   */
  async start(): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      this.stopping = true;
      throw error;
    }
  }

  /** Waits for the current batch. Clicks that are not counted yet stay in the journal. */
  async stop(): Promise<void> {
    this.stopping = true;
    const { thread } = this;
    if (!thread) return;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    thread.postMessage('stop');
    await ended;
  }

  private run(): Promise<void> {
    const { config } = this;
    const { database } = config;
    const follows = database.main.primary !== undefined;
    const workerData: CounterData = {
      config: { ...config, database: withoutPrimary(database) },
      follows,
      memory: this.metrics.memory,
    };
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
    // A failed start has been logged, and is retried.
    if (!this.stopping) await this.run().catch(() => undefined);
  }
}
