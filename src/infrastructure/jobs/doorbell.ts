import { Inject, Injectable } from '@nestjs/common';
import Bull from 'bull';
import { Redis } from 'ioredis';
import { withDeadline } from '../../common/deadline';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { Slots } from '../idempotency/slots';
import { RedisStore } from '../redis/redis';
import { BulkJobRunner } from './bulk-job-runner';

const QUEUE = 'bulk-jobs';
/** Jobs that a process works on at once. */
const CONCURRENCY = 2;
const RING_MS = 500;
const CLOSE_MS = 1_000;

/**
 * Wakes workers for jobs that Postgres holds: through Bull, or in this very process where there is no Redis. A ring
 * that is lost, or comes twice, does no harm: due jobs are rung for again, and a job is claimed once.
 */
@Injectable()
export class Doorbell {
  private queue: Bull.Queue<{ id: number }> | null = null;
  private readonly connections: Redis[] = [];
  private blocking: Redis | undefined;
  private closed = false;
  private readonly slots = new Slots(CONCURRENCY);
  /** Jobs that wait for a slot here. */
  private readonly waiting = new Set<number>();

  constructor(
    private readonly runner: BulkJobRunner,
    private readonly redis: RedisStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  open(): void {
    const { redisUrl, redisPrefix, role } = this.config;
    if (!redisUrl) return;
    this.queue = new Bull(QUEUE, {
      prefix: `${redisPrefix}:{jobs}`,
      createClient: (type) => this.connect(redisUrl, type),
      // Bull counts a killed worker as a stall, and gives up on the second; Postgres says when a job is over.
      settings: { maxStalledCount: Number.MAX_SAFE_INTEGER, lockDuration: 10_000, stalledInterval: 5_000 },
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    this.queue.on('error', () => undefined);
    // Bull leaves it unhandled when its connection closes before it has a name, and that would end the process.
    Object.assign(this.queue, { setWorkerName: () => Promise.resolve() });
    if (role === 'web') return;
    void this.queue.process(CONCURRENCY, ({ data }) => this.runner.run(data.id)).catch(() => undefined);
  }

  /** Rings for a job; never rejects. */
  async ring(id: number): Promise<void> {
    if (this.queue && this.redis.ready) {
      try {
        // Its own id: a job that waits in the queue is there once.
        await withDeadline(this.queue.add({ id }, { jobId: String(id) }), RING_MS);
        return;
      } catch {
        // Redis went away between the look and the call.
      }
    }
    if (this.config.role !== 'web') this.runHere(id);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.runner.stop();
    if (!this.queue) return;
    const closing = this.queue.close();
    // Nothing is worked on any more; Bull would wait for its blocking look into the queue, and for a Redis that is away.
    this.blocking?.disconnect();
    await withDeadline(closing, CLOSE_MS).catch(() => undefined);
    for (const connection of this.connections) connection.disconnect();
  }

  private runHere(id: number): void {
    if (this.waiting.has(id)) return;
    this.waiting.add(id);
    void this.slots.run(() => {
      this.waiting.delete(id);
      return this.runner.run(id);
    });
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
