import { Injectable } from '@nestjs/common';
import { intArray, textArray } from '../../../infrastructure/database/sql-arrays';
import type { Tx } from '../../../infrastructure/database/tx';
import type { EnrichedClick } from '../enriched-click';
import { type Clicked, packClicks } from './packed-clicks';
import { addPerson, bounded, MERGED_VALUES, type Tally } from '../dimensions';

/** What a batch adds to one customer of a campaign on one UTC day. */
interface UserDay extends Tally {
  organizationId: number;
  campaignId: number;
  userNo: number;
  day: string;
  /** Milliseconds since the epoch; null when only bots clicked. */
  lastClickedAt: number | null;
}

/** Rollups by customId. */
@Injectable()
export class CustomerRollups {
  /** Adds new clicks, in the transaction that counts them. */
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
      intArray(days.map((day) => day.organizationId)),
    ]);
    const adds = campaignAdds(days);
    await tx.query(ADD, [
      intArray(adds.map(([{ campaignId }]) => campaignId)),
      adds.map(([{ day }]) => day),
      adds.map(([, users]) => packClicks(users)),
      intArray(adds.map(([{ organizationId }]) => organizationId)),
    ]);
  }
}

/** Sorted by key to avoid deadlocks. */
function userDays(clicks: readonly EnrichedClick[]): UserDay[] {
  const days = new Map<string, UserDay>();
  for (const enriched of clicks) {
    const { click, day, userNo } = enriched;
    if (userNo === null) continue;
    const { organizationId, trackedLinkId: campaignId } = click;
    const key = `${campaignId}/${userNo}/${day}`;
    let userDay = days.get(key);
    if (!userDay) {
      const none = { clicks: 0, botClicks: 0, values: new Map<string, number>(), lastClickedAt: null };
      userDay = { organizationId, campaignId, userNo, day, ...none };
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

/** Clicks of people by customer, for each campaign and day. */
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
    (organization_id, campaign_id, user_no, day, slot, clicks, bot_clicks, last_clicked_at, dimensions, dimension_counts)
  SELECT organization_id, campaign_id, user_no, day, $9::smallint, clicks, bot_clicks, to_timestamp(last / 1000.0),
         dimensions::text[], counts::int[]
    FROM unnest($1::bigint[], $2::int[], $3::date[], $4::int[], $5::int[], $6::bigint[], $7::text[], $8::text[],
                $10::bigint[])
      AS t (campaign_id, user_no, day, clicks, bot_clicks, last, dimensions, counts, organization_id)
  ON CONFLICT (organization_id, campaign_id, user_no, day, slot) DO UPDATE
     SET clicks = stored.clicks + excluded.clicks,
         bot_clicks = stored.bot_clicks + excluded.bot_clicks,
         last_clicked_at = greatest(stored.last_clicked_at, excluded.last_clicked_at),
         (dimensions, dimension_counts) = (${MERGED_VALUES})`;

const ADD = `
  INSERT INTO click_user_adds (organization_id, campaign_id, day, adds)
  SELECT organization_id, campaign_id, day, adds
    FROM unnest($1::bigint[], $2::date[], $3::bytea[], $4::bigint[]) AS t (campaign_id, day, adds, organization_id)`;
