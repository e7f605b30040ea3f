import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { Clock } from '../../common/time/clock';
import { VisitorsQuery } from '../click-statistics/visitors.query';

/** Clicks of people since the start of the month in the organization's time zone. */
export interface MonthClicks {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly clicks: number;
}

/** Clicks of the current month, from daily sums. */
@Injectable()
export class MonthlyClicks {
  constructor(
    private readonly visitors: VisitorsQuery,
    private readonly clock: Clock,
  ) {}

  async count(organizationId: number, timeZone: string): Promise<MonthClicks> {
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
