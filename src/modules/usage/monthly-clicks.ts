import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { Clock } from '../../common/time/clock';
import { VisitorsQuery } from '../click-statistics/visitors.query';

/** Clicks of people since the start of the month in the organization's time zone, from daily sums. */
@Injectable()
export class MonthlyClicks {
  constructor(
    private readonly visitors: VisitorsQuery,
    private readonly clock: Clock,
  ) {}

  /** @returns the month as `YYYY-MM` */
  async count(organizationId: number, timeZone: string): Promise<{ month: string; clicks: number }> {
    const today = DateTime.fromMillis(this.clock.now(), { zone: timeZone });
    const month = today.toFormat('yyyy-MM');
    const days = await this.visitors.byDay(
      { organizationId, appId: null },
      `${month}-01`,
      today.toFormat('yyyy-MM-dd'),
    );
    return { month, clicks: days.reduce((sum, day) => sum + day.linkClicks + day.campaignClicks, 0) };
  }
}
