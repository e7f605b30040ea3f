import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { describeError } from '../../common/logging/logger';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { OncePerSchedule } from '../schedule/once-per-schedule';
import { BulkJobWakeUps } from './bulk-job-wake-ups';
import { BulkJobRows } from './bulk-job.repository';
import { BulkJobRunner } from './bulk-job-runner';
import { BulkJobs } from './bulk-jobs';

const SWEEP_SECONDS = 10;
/** Rings of one sweep; the next one brings more. */
const MAX_NOTIFICATIONS = 1_000;

/** Starts and stops the work on bulk jobs, rings again for those that nobody is at, and deletes old ones. */
@Injectable()
export class BulkJobSchedule implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(BulkJobSchedule.name);

  constructor(
    private readonly rows: BulkJobRows,
    private readonly jobs: BulkJobs,
    private readonly runner: BulkJobRunner,
    private readonly wakeUps: BulkJobWakeUps,
    private readonly schedule: OncePerSchedule,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.wakeUps.open();
    if (this.config.role === 'web') return;
    this.wakeUps.answer((id) => this.runner.run(id));
    await this.ringForDue().catch((error: unknown) => {
      this.logger.warn(`Bulk jobs wait for the next sweep: ${describeError(error).message}`);
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.runner.stop();
    await this.wakeUps.close();
  }

  @Cron(`*/${SWEEP_SECONDS} * * * * *`)
  sweep(): Promise<boolean> {
    return this.schedule.run('jobs.sweep', SWEEP_SECONDS, () => this.ringForDue());
  }

  @Cron('37 * * * *')
  purge(): Promise<boolean> {
    return this.schedule.run('jobs.purge', 3600, () => this.jobs.deleteOld());
  }

  private async ringForDue(): Promise<void> {
    for (const id of await this.rows.due(MAX_NOTIFICATIONS)) await this.wakeUps.notify(id);
  }
}
