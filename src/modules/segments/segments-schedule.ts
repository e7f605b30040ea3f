import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { OncePerSchedule } from '../../infrastructure/schedule/once-per-schedule';
import { SegmentEvaluations } from './segment-evaluations';

/** Scheduled work on segments. */
@Injectable()
export class SegmentsSchedule {
  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly evaluations: SegmentEvaluations,
  ) {}

  /** Three o'clock comes at any quarter of an hour, somewhere. */
  @Cron('*/15 * * * *', { timeZone: 'UTC' })
  evaluate(): Promise<boolean> {
    return this.schedule.run('segments.evaluate', 900, () => this.evaluations.daily());
  }
}
