import { Injectable } from '@nestjs/common';
import { CompactedMonths } from '../../../infrastructure/database/compacted-months';
import { intArray, textArray } from '../../../infrastructure/database/sql-arrays';
import { addPerson, bounded, MERGED_VALUES, type Tally } from '../dimensions';
import type { EnrichedClick } from '../enriched-click';
import type { Tx } from '../../../infrastructure/database/database';

/** Clicks of a batch with one customId of a campaign, on one UTC day. */
interface CustomerDay extends Tally {
  organizationId: number;
  campaignId: number;
  customerNo: number;
  day: string;
  /** Milliseconds since the epoch; null if only bots have clicked. */
  lastClickedAt: number | null;
}

@Injectable()
export class CustomerRollups {
  constructor(private readonly months: CompactedMonths) {}

  /** Adds new clicks, in the transaction that counts them. */
  async add(tx: Tx, clicks: readonly EnrichedClick[], slot: number): Promise<void> {
    const days = customerDays(clicks);
    if (days.length === 0) return;
    const values = days.map((day) => bounded(day.values));
    await tx.query(MERGE_DAYS, [
      intArray(days.map((day) => day.campaignId)),
      intArray(days.map((day) => day.customerNo)),
      days.map((day) => day.day),
      intArray(days.map((day) => day.clicks)),
      intArray(days.map((day) => day.botClicks)),
      intArray(days.map((day) => day.lastClickedAt)),
      values.map((counts) => textArray(counts.keys())),
      values.map((counts) => intArray([...counts.values()])),
      slot,
      intArray(days.map((day) => day.organizationId)),
    ]);
    await this.months.invalidate(tx, 'customers', days);
  }
}

/** By customer and day, sorted by key to avoid deadlocks. */
function customerDays(clicks: readonly EnrichedClick[]): CustomerDay[] {
  const days = new Map<string, CustomerDay>();
  for (const enriched of clicks) {
    const { click, day, customerNo } = enriched;
    if (customerNo === null) continue;
    const { organizationId, trackedLinkId: campaignId } = click;
    const key = `${campaignId}/${customerNo}/${day}`;
    let customerDay = days.get(key);
    if (!customerDay) {
      const none = { clicks: 0, botClicks: 0, values: new Map<string, number>(), lastClickedAt: null };
      customerDay = { organizationId, campaignId, customerNo, day, ...none };
      days.set(key, customerDay);
    }
    if (enriched.isBot) customerDay.botClicks++;
    else {
      addPerson(customerDay, enriched);
      customerDay.lastClickedAt = Math.max(customerDay.lastClickedAt ?? 0, click.at);
    }
  }
  return [...days.values()].sort(
    (a, b) => a.campaignId - b.campaignId || a.customerNo - b.customerNo || (a.day < b.day ? -1 : 1),
  );
}

const MERGE_DAYS = `
  INSERT INTO customer_days AS stored
    (organization_id, campaign_id, customer_no, day, slot, clicks, bot_clicks, last_clicked_at, dimensions,
     dimension_counts)
  SELECT organization_id, campaign_id, customer_no, day, $9::smallint, clicks, bot_clicks, to_timestamp(last / 1000.0),
         dimensions::text[], counts::int[]
    FROM unnest($1::bigint[], $2::bigint[], $3::date[], $4::int[], $5::int[], $6::bigint[], $7::text[], $8::text[],
                $10::bigint[])
      AS t (campaign_id, customer_no, day, clicks, bot_clicks, last, dimensions, counts, organization_id)
  ON CONFLICT (organization_id, campaign_id, customer_no, day, slot) DO UPDATE
     SET clicks = stored.clicks + excluded.clicks,
         bot_clicks = stored.bot_clicks + excluded.bot_clicks,
         last_clicked_at = greatest(stored.last_clicked_at, excluded.last_clicked_at),
         (dimensions, dimension_counts) = (${MERGED_VALUES})`;
