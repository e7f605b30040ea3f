import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { describeError } from '../../common/logging/logger';
import type { OncePerSchedule } from '../schedule/once-per-schedule';
import type { WakeUpQueue, WorkItem } from './wake-up-queue';

/**
 * Base of a `@Processor` that starts its queue, repeats lost wake-ups, and stops with the application. Subclasses
 * declare the handler with `@Process` and call `sweep` from a `@Cron`.
 */
export abstract class WakeUpProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(this.constructor.name);

  constructor(
    private readonly queue: WakeUpQueue,
    protected readonly schedule: OncePerSchedule,
  ) {}

  /** Work that is due and not taken by a worker. */
  protected abstract due(): Promise<WorkItem[]>;

  /** Waits for running work, and releases the rest. */
  protected abstract stop(): Promise<void>;

  async onApplicationBootstrap(): Promise<void> {
    if (!this.queue.start()) return;
    await this.notifyDue().catch((error: unknown) => {
      this.logger.warn(`Due work is left to the next sweep: ${describeError(error).message}`);
    });
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.queue.close(), this.stop()]);
  }

  async notifyDue(): Promise<void> {
    for (const item of await this.due()) this.queue.notify(item);
  }
}
