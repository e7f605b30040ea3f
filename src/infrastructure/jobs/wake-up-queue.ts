import type { OnModuleDestroy } from '@nestjs/common';
import type { Queue } from 'bull';
import type { Redis } from 'ioredis';
import { withDeadline } from '../../common/deadline';
import { Semaphore } from '../../common/semaphore';
import { activeTraceparent, inSpan } from '../../common/tracing';
import type { RedisStore } from '../redis/redis';

const ADD_TIMEOUT_MS = 500;
const CLOSE_TIMEOUT_MS = 1_000;

/** Work whose state is in Postgres, such as a bulk job. Ids are unique over all organizations. */
export interface WorkItem {
  readonly organizationId: number;
  readonly id: number;
}

/** A wake-up job, as `@Process` handlers receive it. */
export interface WakeUp {
  readonly data: WorkItem & {
    /** Trace context of what caused it. */
    readonly traceparent?: string | null;
  };
}

/** Never rejects. */
type Handler = (wakeUp: WakeUp) => Promise<void>;

/** Bull's queue with the connection that its types leave out. */
type BullQueue = Queue<WorkItem> & { readonly bclient: Redis };

export interface WakeUpQueueOptions {
  /** False in processes that only add wake-ups. */
  readonly works: boolean;
  /**
   * Whether a wake-up is dropped if the queue has one for the same id, even one that is running. Such wake-ups have no
   * trace.
   */
  readonly once: boolean;
}

/**
 * Wakes workers for work in Postgres: through Bull, or inside this process without Redis or during its outage. Wake-ups
 * may be lost or repeated without harm, because sweeps repeat them and work is claimed in Postgres.
 */
export class WakeUpQueue implements OnModuleDestroy {
  private local: InProcessQueue | null = null;
  /** Ids that are being added to Bull; true if another wake-up has been requested meanwhile. */
  private readonly adding = new Map<number, boolean>();
  private concurrency = 0;
  private handler: Handler | null = null;
  private closing: Promise<void> | null = null;

  /** @param bull null without REDIS_URL */
  constructor(
    private readonly bull: BullQueue | null,
    private readonly redis: RedisStore,
    private readonly options: WakeUpQueueOptions,
  ) {
    if (!bull) return;
    Object.assign(bull, {
      // If the connection closes before it has been named, Bull has an unhandled rejection, which would end the
      // process.
      setWorkerName: () => Promise.resolve(),
      // BullModule would wait for an unreachable Redis on shutdown.
      onApplicationShutdown: () => this.close(),
    });
  }

  /** Registers the handler. `BullModule` calls this for `@Process`; handling begins with `start`. */
  process(concurrency: number, handler: Handler): void {
    this.concurrency = concurrency;
    this.handler = handler;
  }

  /** Starts handling wake-ups. @returns whether this process is a worker */
  start(): boolean {
    const { bull, concurrency, handler: handle } = this;
    if (!handle || !this.options.works) return false;
    const handler: Handler = (wakeUp) => {
      const name = `process ${bull?.name ?? 'wake-up'}`;
      const span = { name, kind: 'consumer', parent: wakeUp.data.traceparent ?? null } as const;
      return inSpan(span, () => handle(wakeUp));
    };
    this.local = new InProcessQueue(concurrency, handler);
    void bull?.process(concurrency, handler).catch(() => undefined);
    return true;
  }

  /** Wakes a worker, without waiting or failing. Concurrent calls for one item share a job. */
  notify(item: WorkItem): void {
    if (this.adding.has(item.id)) this.adding.set(item.id, true);
    else void this.addUntilQuiet(item);
  }

  notifyLater(item: WorkItem, milliseconds: number): void {
    void this.add(item, milliseconds);
  }

  close(): Promise<void> {
    return (this.closing ??= this.closeBoth());
  }

  onModuleDestroy(): Promise<void> {
    return this.close();
  }

  private async addUntilQuiet(item: WorkItem): Promise<void> {
    do {
      this.adding.set(item.id, false);
      await this.add(item, 0);
    } while (this.adding.get(item.id));
    this.adding.delete(item.id);
  }

  private async add({ organizationId, id }: WorkItem, delay: number): Promise<void> {
    if (this.bull && this.redis.readyFor(this.redis.jobsKey)) {
      try {
        const { once } = this.options;
        const options = { delay, ...(once && { jobId: String(id) }) };
        const traceparent = once ? null : activeTraceparent();
        const data = { organizationId, id, ...(traceparent !== null && { traceparent }) };
        await withDeadline(this.bull.add(data, options), ADD_TIMEOUT_MS);
        return;
      } catch {
        // Redis went down after the check.
      }
    }
    this.local?.add({ organizationId, id }, delay);
  }

  private async closeBoth(): Promise<void> {
    const { bull, local } = this;
    local?.close();
    if (!bull) return;
    const closed = bull.close();
    // Bull would wait for its blocking read, and for an unreachable Redis.
    if (local) bull.bclient.disconnect();
    await withDeadline(closed, CLOSE_TIMEOUT_MS).catch(() => undefined);
  }
}

/** Fallback without Redis, which handles wake-ups inside this process. */
class InProcessQueue {
  private readonly slots: Semaphore;
  private readonly waiting = new Set<number>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private closed = false;

  constructor(
    concurrency: number,
    private readonly handler: Handler,
  ) {
    this.slots = new Semaphore(concurrency);
  }

  add(item: WorkItem, delay: number): void {
    if (this.closed) return;
    if (delay === 0) this.run(item);
    else this.later(() => this.run(item), delay);
  }

  close(): void {
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
  }

  private run(item: WorkItem): void {
    if (this.waiting.has(item.id)) return;
    this.waiting.add(item.id);
    void this.slots.run(() => {
      this.waiting.delete(item.id);
      return this.handler({ data: item });
    });
  }

  private later(work: () => void, milliseconds: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, milliseconds);
    this.timers.add(timer);
  }
}
