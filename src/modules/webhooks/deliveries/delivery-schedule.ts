import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Cron, Interval } from '@nestjs/schedule';
import { describeError } from '../../../common/logging/logger';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { OncePerSchedule } from '../../../infrastructure/schedule/once-per-schedule';
import { DeliveryWakeUps } from './delivery-wake-ups';
import { DeliveryRows } from './deliveries.repository';
import { DeliveryRunner } from './delivery-runner';

const SWEEP_SECONDS = 5;
const RENEW_MS = 2_000;
/** Rings of one sweep; the next one brings more. */
const MAX_NOTIFICATIONS = 10_000;

/** Starts and stops deliveries, and rings again for what is due and nobody is at. */
@Injectable()
export class DeliverySchedule implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeliverySchedule.name);

  constructor(
    private readonly rows: DeliveryRows,
    private readonly runner: DeliveryRunner,
    private readonly wakeUps: DeliveryWakeUps,
    private readonly schedule: OncePerSchedule,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.role === 'web') return;
    this.wakeUps.answer((endpointId) => this.runner.wake(endpointId));
    await this.ringForDue().catch((error: unknown) => {
      this.logger.warn(`Webhooks wait for the next sweep: ${describeError(error).message}`);
    });
  }

  onModuleDestroy(): Promise<void> {
    return this.runner.stop();
  }

  @Cron(`*/${SWEEP_SECONDS} * * * * *`)
  sweep(): Promise<boolean> {
    return this.schedule.run('webhooks.sweep', SWEEP_SECONDS, () => this.ringForDue());
  }

  @Interval(RENEW_MS)
  renew(): Promise<void> {
    return this.runner.renew();
  }

  async ringForDue(): Promise<void> {
    for (const endpointId of await this.rows.dueEndpoints(MAX_NOTIFICATIONS)) this.wakeUps.notify(endpointId);
  }
}
