import { Injectable } from '@nestjs/common';
import { type Clicked, packClicks } from './packed-clicks';
import { addPerson, type Tally } from '../rollups/click-rollup';
import { bounded, MERGED_VALUES } from '../rollups/dimensions';
import type { EnrichedClick } from '../counting/enriched-click';
import { intArray, textArray } from '../../../infrastructure/database/sql-arrays';
import type { Tx } from '../../../infrastructure/database/tx';

/** What a batch adds to one user of a campaign on one UTC day. */
interface UserDay extends Tally {
  campaignId: number;
  userNo: number;
  day: string;
  /** Milliseconds; null when only bots came. */
  lastClickedAt: number | null;
}

/** Rollups by customId. Clicks without one cost nothing here. */
@Injectable()
export class CustomerRollups {
  /** Adds clicks that were new, in the transaction that counts them. */
  async add(tx: Tx, clicks: readonly EnrichedClick[], slot: number): Promise<void> {
    const days = userDays(clicks);
    if (days.length === 0) return;
    const values = days.map((day) => bounded(day.values));
    await tx.query(MERGE_DAYS, [
      intArray(days.map((day) => day.campaignId)),
      intArray(days.map((day) => day.userNo)),
      days.map((day) => day.day),
      intArray(days.map((day) => day.clicks)),
      intArray(days.map((day) => day.botClicks)),
      intArray(days.map((day) => day.lastClickedAt)),
      values.map((counts) => textArray(counts.keys())),
      values.map((counts) => intArray([...counts.values()])),
      slot,
    ]);
    const adds = campaignAdds(days);
    await tx.query(ADD, [
      intArray(adds.map(([{ campaignId }]) => campaignId)),
      adds.map(([{ day }]) => day),
      adds.map(([, users]) => packClicks(users)),
    ]);
  }
}

/** In the order of the table's key, so that two batches lock rows in one order. */
function userDays(clicks: readonly EnrichedClick[]): UserDay[] {
  const days = new Map<string, UserDay>();
  for (const enriched of clicks) {
    const { click, day, userNo } = enriched;
    if (userNo === null) continue;
    const campaignId = click.trackedLinkId;
    const key = `${campaignId}/${userNo}/${day}`;
    let userDay = days.get(key);
    if (!userDay) {
      const none = { clicks: 0, botClicks: 0, values: new Map<string, number>(), lastClickedAt: null };
      userDay = { campaignId, userNo, day, ...none };
      days.set(key, userDay);
    }
    if (enriched.isBot) userDay.botClicks++;
    else {
      addPerson(userDay, enriched);
      userDay.lastClickedAt = Math.max(userDay.lastClickedAt ?? 0, click.at);
    }
  }
  return [...days.values()].sort(
    (a, b) => a.campaignId - b.campaignId || a.userNo - b.userNo || (a.day < b.day ? -1 : 1),
  );
}

/** People's clicks by user, of each campaign and day. */
function campaignAdds(days: readonly UserDay[]): [UserDay, Map<number, Clicked>][] {
  const adds = new Map<string, [UserDay, Map<number, Clicked>]>();
  for (const userDay of days) {
    if (userDay.clicks === 0) continue;
    const key = `${userDay.campaignId}/${userDay.day}`;
    let add = adds.get(key);
    if (!add) adds.set(key, (add = [userDay, new Map<number, Clicked>()]));
    const last = Math.floor((userDay.lastClickedAt ?? 0) / 1000);
    add[1].set(userDay.userNo, { clicks: userDay.clicks, last });
  }
  return [...adds.values()];
}

const MERGE_DAYS = `
  INSERT INTO click_user_days AS stored
    (campaign_id, user_no, day, slot, clicks, bot_clicks, last_clicked_at, dimensions, dimension_counts)
  SELECT campaign_id, user_no, day, $9::smallint, clicks, bot_clicks, to_timestamp(last / 1000.0),
         dimensions::text[], counts::int[]
    FROM unnest($1::bigint[], $2::int[], $3::date[], $4::int[], $5::int[], $6::bigint[], $7::text[], $8::text[])
      AS t (campaign_id, user_no, day, clicks, bot_clicks, last, dimensions, counts)
  ON CONFLICT (campaign_id, user_no, day, slot) DO UPDATE
     SET clicks = stored.clicks + excluded.clicks,
         bot_clicks = stored.bot_clicks + excluded.bot_clicks,
         last_clicked_at = greatest(stored.last_clicked_at, excluded.last_clicked_at),
         (dimensions, dimension_counts) = (${MERGED_VALUES})`;

const ADD = `
  INSERT INTO click_user_adds (campaign_id, day, adds)
  SELECT campaign_id, day, adds FROM unnest($1::bigint[], $2::date[], $3::bytea[]) AS t (campaign_id, day, adds)`;
