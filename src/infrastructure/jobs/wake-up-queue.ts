import Bull from 'bull';
import { Redis } from 'ioredis';
import { withDeadline } from '../../common/deadline';
import type { Config } from '../../config/config';
import { Semaphore } from '../../common/semaphore';
import type { RedisStore } from '../redis/redis';

const RING_MS = 500;
const CLOSE_MS = 1_000;

export interface WakeUpQueueOptions {
  /** Name of the queue. */
  readonly queue: string;
  /** Rings that a process answers at once. */
  readonly concurrency: number;
  /** A ring that waits to be answered stands for those that come after it. */
  readonly once?: boolean;
}

/**
 * Wakes workers for work that Postgres holds: through Bull, or in this very process where there is no Redis. A ring
 * that is lost, or comes twice, must do no harm: whoever rings looks for what is due from time to time, and work is
 * claimed in Postgres.
 */
export class WakeUpQueue {
  private queue: Bull.Queue<{ id: number }> | null = null;
  private readonly connections: Redis[] = [];
  private blocking: Redis | undefined;
  private work: ((id: number) => Promise<void>) | null = null;
  private closed = false;
  private readonly slots: Semaphore;
  /** What waits for a slot here. */
  private readonly waiting = new Set<number>();
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly options: WakeUpQueueOptions,
    private readonly redis: RedisStore,
    private readonly config: Config,
  ) {
    this.slots = new Semaphore(options.concurrency);
  }

  open(): void {
    const { redisUrl, redisPrefix } = this.config;
    if (!redisUrl) return;
    this.queue = new Bull(this.options.queue, {
      prefix: `${redisPrefix}:{jobs}`,
      createClient: (type) => this.connect(redisUrl, type),
      // Bull counts a killed worker as a stall, and gives up on the second; Postgres says when work is over.
      settings: { maxStalledCount: Number.MAX_SAFE_INTEGER, lockDuration: 10_000, stalledInterval: 5_000 },
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    this.queue.on('error', () => undefined);
    // Bull leaves it unhandled when its connection closes before it has a name, and that would end the process.
    Object.assign(this.queue, { setWorkerName: () => Promise.resolve() });
  }

  /** Does the work in this process when it rings. @param work never rejects */
  answer(work: (id: number) => Promise<void>): void {
    this.work = work;
    void this.queue?.process(this.options.concurrency, ({ data }) => work(data.id)).catch(() => undefined);
  }

  /** Rings, now or after so many milliseconds; never rejects. */
  async notify(id: number, { delay = 0 } = {}): Promise<void> {
    if (this.queue && this.redis.ready) {
      try {
        // Its own id: what waits in the queue is there once.
        const jobOptions = { delay, ...(this.options.once && { jobId: String(id) }) };
        await withDeadline(this.queue.add({ id }, jobOptions), RING_MS);
        return;
      } catch {
        // Redis went away between the look and the call.
      }
    }
    if (delay === 0) this.runHere(id);
    else this.later(() => this.runHere(id), delay);
  }

  /** Nobody answers any more; to be called when the work has stopped. */
  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
    if (!this.queue) return;
    const closing = this.queue.close();
    // Nothing is worked on any more; Bull would wait for its blocking look into the queue, and for a Redis that is away.
    this.blocking?.disconnect();
    await withDeadline(closing, CLOSE_MS).catch(() => undefined);
    for (const connection of this.connections) connection.disconnect();
  }

  private runHere(id: number): void {
    const { work } = this;
    if (!work || this.closed || this.waiting.has(id)) return;
    this.waiting.add(id);
    void this.slots.run(() => {
      this.waiting.delete(id);
      return work(id);
    });
  }

  private later(work: () => void, milliseconds: number): void {
    if (this.closed) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, milliseconds);
    this.timers.add(timer);
  }

  /** As Bull wants it: commands wait for the connection, as those that move jobs must not be lost. */
  private connect(url: string, type: string): Redis {
    const connection = new Redis(url, {
      maxRetriesPerRequest: null,
      enableReadyCheck: false,
      retryStrategy: (attempt) => Math.min(25 * 2 ** attempt, 500),
    });
    connection.on('error', () => undefined);
    this.connections.push(connection);
    if (type === 'bclient') this.blocking = connection;
    // Bull makes some of them late.
    if (this.closed) connection.disconnect();
    return connection;
  }
}
