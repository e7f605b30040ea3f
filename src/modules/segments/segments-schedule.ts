import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { OncePerSchedule } from '../../infrastructure/schedule/once-per-schedule';
import { SegmentEvaluations } from './segment-evaluations';

@Injectable()
export class SegmentsSchedule {
  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly evaluations: SegmentEvaluations,
  ) {}

  /** Every quarter of an hour, which includes three o'clock in every time zone. */
  @Cron('*/15 * * * *', { timeZone: 'UTC' })
  evaluate(): Promise<boolean> {
    return this.schedule.run('segments.evaluate', 900, () => this.evaluations.daily());
  }
}
