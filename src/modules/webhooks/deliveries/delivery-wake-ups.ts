import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { Doorbell } from '../../../infrastructure/jobs/wake-up-queue';
import { RedisStore } from '../../../infrastructure/redis/redis';

/** Rings for endpoints that something is due to. One ring stands for all of it. */
@Injectable()
export class DeliveryBell implements OnModuleInit, OnModuleDestroy {
  private readonly bell: Doorbell;
  /** Endpoints that are being rung for, and whether something has come since. */
  private readonly ringing = new Map<number, boolean>();

  constructor(redis: RedisStore, @Inject(CONFIG) config: Config) {
    this.bell = new Doorbell({ queue: 'webhooks', concurrency: 20 }, redis, config);
  }

  onModuleInit(): void {
    this.bell.open();
  }

  onModuleDestroy(): Promise<void> {
    return this.bell.close();
  }

  /** What this process does when it rings. */
  answer(work: (endpointId: number) => Promise<void>): void {
    this.bell.answer(work);
  }

  /** Never waits, and never fails: what nobody heard is rung for again. */
  ring(endpointId: number): void {
    if (this.ringing.has(endpointId)) this.ringing.set(endpointId, true);
    else void this.ringUntilQuiet(endpointId);
  }

  ringLater(endpointId: number, milliseconds: number): void {
    void this.bell.ring(endpointId, { delay: milliseconds });
  }

  private async ringUntilQuiet(endpointId: number): Promise<void> {
    do {
      this.ringing.set(endpointId, false);
      await this.bell.ring(endpointId);
    } while (this.ringing.get(endpointId));
    this.ringing.delete(endpointId);
  }
}
