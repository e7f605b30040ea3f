import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { WakeUpQueue } from '../../../infrastructure/jobs/wake-up-queue';
import { RedisStore } from '../../../infrastructure/redis/redis';

/** Rings for endpoints that something is due to. One ring stands for all of it. */
@Injectable()
export class DeliveryWakeUps implements OnModuleInit, OnModuleDestroy {
  private readonly wakeUps: WakeUpQueue;
  /** Endpoints that are being rung for, and whether something has come since. */
  private readonly ringing = new Map<number, boolean>();

  constructor(redis: RedisStore, @Inject(CONFIG) config: Config) {
    this.wakeUps = new WakeUpQueue({ queue: 'webhooks', concurrency: 20 }, redis, config);
  }

  onModuleInit(): void {
    this.wakeUps.open();
  }

  onModuleDestroy(): Promise<void> {
    return this.wakeUps.close();
  }

  /** What this process does when it rings. */
  answer(work: (endpointId: number) => Promise<void>): void {
    this.wakeUps.answer(work);
  }

  /** Never waits, and never fails: what nobody heard is rung for again. */
  notify(endpointId: number): void {
    if (this.ringing.has(endpointId)) this.ringing.set(endpointId, true);
    else void this.ringUntilQuiet(endpointId);
  }

  notifyLater(endpointId: number, milliseconds: number): void {
    void this.wakeUps.notify(endpointId, { delay: milliseconds });
  }

  private async ringUntilQuiet(endpointId: number): Promise<void> {
    do {
      this.ringing.set(endpointId, false);
      await this.wakeUps.notify(endpointId);
    } while (this.ringing.get(endpointId));
    this.ringing.delete(endpointId);
  }
}
