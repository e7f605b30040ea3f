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

  /** Runs every quarter of an hour, because time zones reach three o'clock at any of them. */
  @Cron('*/15 * * * *', { timeZone: 'UTC' })
  evaluate(): Promise<boolean> {
    return this.schedule.run('segments.evaluate', 900, () => this.evaluations.daily());
  }
}
