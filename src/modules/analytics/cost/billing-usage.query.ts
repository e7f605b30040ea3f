import { Injectable } from '@nestjs/common';
import { Database } from '../../../infrastructure/database/database';

export interface DayUsage {
  /** `YYYY-MM-DD` in the organization's time zone. */
  readonly date: string;
  readonly channelType: string;
  readonly successCount: number;
  /** Decimal number as text, as Postgres returns it. */
  readonly rateSum: string;
}

@Injectable()
export class BillingUsageQuery {
  constructor(private readonly database: Database) {}

  /** @param from first day, `YYYY-MM-DD`, inclusive @param to last day, exclusive */
  run(organizationId: number, from: string, to: string): Promise<DayUsage[]> {
    return this.database.reportRows<DayUsage>(organizationId, USAGE, [organizationId, from, to]);
  }

  /** First day of an organization's plan, `YYYY-MM-DD`. */
  async planStart(organizationId: number): Promise<string> {
    const [row] = await this.database.read<{ began: string }>(PLAN_START, [organizationId]);
    return row?.began ?? '';
  }
}

const USAGE = `
  SELECT day AS date, channel_type AS "channelType", sum(sends)::bigint AS "successCount", sum(rate_sum) AS "rateSum"
    FROM message_send_rollups
   WHERE organization_id = $1 AND day >= $2::date AND day < $3::date
   GROUP BY day, channel_type
   ORDER BY day, channel_type`;

const PLAN_START = `
  SELECT coalesce(plan_started_on, (created_at AT TIME ZONE time_zone)::date) AS began FROM organizations WHERE id = $1`;
