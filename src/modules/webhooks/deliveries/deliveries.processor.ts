import { InjectQueue, Process, Processor } from '@nestjs/bull';
import { Cron, Interval } from '@nestjs/schedule';
import { type WakeUp, WakeUpQueue, type WorkItem } from '../../../infrastructure/jobs/wake-up-queue';
import { WakeUpProcessor } from '../../../infrastructure/jobs/wake-up.processor';
import { OncePerSchedule } from '../../../infrastructure/schedule/once-per-schedule';
import { DELIVERIES_QUEUE } from '../outbox/webhook-outbox';
import { DeliveriesRepository } from './deliveries.repository';
import { DeliveryRunner } from './delivery-runner';

const SWEEP_SECONDS = 5;
/** A quarter of the lease. */
const RENEW_MS = 2_000;
/** Wake-ups per sweep. The next one continues, so that no endpoint has to wait for those that stay due. */
const MAX_WAKE_UPS = 10_000;

/** Handles wake-ups by delivering what is due to an endpoint. */
@Processor(DELIVERIES_QUEUE)
export class DeliveriesProcessor extends WakeUpProcessor {
  /** Id of the endpoint after which the next sweep continues. */
  private after = 0;

  constructor(
    @InjectQueue(DELIVERIES_QUEUE) queue: WakeUpQueue,
    schedule: OncePerSchedule,
    private readonly rows: DeliveriesRepository,
    private readonly runner: DeliveryRunner,
  ) {
    super(queue, schedule);
  }

  @Process({ concurrency: 20 })
  deliver({ data }: WakeUp): Promise<void> {
    return this.runner.wake(data);
  }

  @Cron(`*/${SWEEP_SECONDS} * * * * *`)
  sweep(): Promise<boolean> {
    return this.schedule.run('webhooks.sweep', SWEEP_SECONDS, () => this.notifyDue());
  }

  @Interval(RENEW_MS)
  renew(): Promise<void> {
    return this.runner.renew();
  }

  protected async due(): Promise<WorkItem[]> {
    const due = await this.rows.dueEndpoints(this.after, MAX_WAKE_UPS);
    this.after = due[MAX_WAKE_UPS - 1]?.id ?? 0;
    return due;
  }

  protected stop(): Promise<void> {
    return this.runner.stop();
  }
}
