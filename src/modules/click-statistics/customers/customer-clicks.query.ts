import { Injectable } from '@nestjs/common';
import { ClickArray } from './packed-clicks';
import type { DayRange } from '../../../common/date-range';
import type { Tx } from '../../../infrastructure/database/tx';
import type { OwnedTrackedLink } from '../click-statistics.query';

/** Clicks of one customId of a campaign, people only. */
export interface UserClicks {
  customId: string;
  clicks: number;
  /** Seconds since the epoch. */
  lastClickedAt: number;
}

/** Customers in a list (docs/concepts/statistics.md#link-and-campaign-statistics). */
const MOST = 1_000;

/** Clicks to add (1) or subtract (-1). */
interface Part {
  times: 1 | -1;
  /** Either a sum of all customers with their last clicks (`sums`, `lasts`), or packed additions (`adds`). */
  sums: Buffer | null;
  lasts: Buffer | null;
  adds: Buffer | null;
}

interface NamedUser {
  user_no: number;
  custom_id: string;
}

/**
 * Customers with the most clicks on a campaign: the difference of two prefix sums, each with the additions since. The
 * cost depends on the number of customers, not on the length of the range or the number of clicks.
 */
@Injectable()
export class CustomerClicksQuery {
  /** At most 1,000 customers, most clicks first. @param tx a snapshot @param customId only this one; null for all */
  async run(
    tx: Tx,
    { organizationId, id }: OwnedTrackedLink,
    { startDate, endDate }: DayRange,
    customId: string | null,
  ): Promise<UserClicks[]> {
    if (customId !== null) {
      return tx.query<UserClicks>(ONE, [id, customId, startDate, endDate, organizationId]);
    }
    const parts = await tx.query<Part>(PARTS, [id, startDate, endDate, organizationId]);
    const clicks = new ClickArray();
    for (const part of parts) addPart(clicks, part);
    const users = clicks.top(MOST);
    const rows = await tx.query<NamedUser>(NAMES, [id, users, organizationId]);
    const names = new Map(rows.map(({ user_no, custom_id }) => [user_no, custom_id]));
    return users.flatMap((user) => {
      const customId = names.get(user);
      const { clicks: count, last } = clicks.of(user);
      return customId === undefined ? [] : [{ customId, clicks: count, lastClickedAt: last }];
    });
  }
}

/** Last clicks are never subtracted: one before the range belongs to a customer without clicks in it. */
function addPart(clicks: ClickArray, { times, sums, lasts, adds }: Part): void {
  if (sums) clicks.addArray(sums, times);
  if (lasts) clicks.addLasts(lasts);
  if (adds) clicks.addPacked(adds, times);
}

// Clicks up to a day are the last prefix sum before it, plus later or unfolded additions. If both ends of the range use
// the same sum, it cancels out and is not read.
const SUMS = 'click_user_sums WHERE organization_id = $4 AND campaign_id = $1';
const PARTS = `
  WITH ends AS (
    SELECT coalesce((SELECT max(day) FROM ${SUMS} AND day < $2), '-infinity') AS lower,
           coalesce((SELECT max(day) FROM ${SUMS} AND day <= $3), '-infinity') AS upper
  ), added AS (
    SELECT a.adds,
           (a.day <= $3 AND (NOT a.folded OR a.day > e.upper))::int
             - (a.day < $2 AND (NOT a.folded OR a.day > e.lower))::int AS times
      FROM ends e JOIN click_user_adds a ON a.organization_id = $4 AND a.campaign_id = $1 AND a.day <= $3
  )
  SELECT CASE WHEN s.day = e.upper THEN 1 ELSE -1 END AS times,
         s.sums, CASE WHEN s.day = e.upper THEN s.lasts END AS lasts, NULL::bytea AS adds
    FROM ends e
    JOIN click_user_sums s
      ON s.organization_id = $4 AND s.campaign_id = $1 AND s.day IN (e.lower, e.upper) AND e.lower <> e.upper
  UNION ALL
  SELECT times, NULL, NULL, adds FROM added WHERE times <> 0`;

const NAMES = `
  SELECT user_no, custom_id FROM click_users
   WHERE organization_id = $3 AND campaign_id = $1 AND user_no = ANY($2::int[])`;

const ONE = `
  SELECT u.custom_id AS "customId", sum(d.clicks)::bigint AS clicks, floor(extract(epoch FROM max(d.last_clicked_at)))::float8 AS "lastClickedAt"
    FROM click_users u JOIN click_user_days d USING (organization_id, campaign_id, user_no)
   WHERE u.organization_id = $5 AND u.campaign_id = $1 AND u.custom_id = $2 AND d.day BETWEEN $3 AND $4 AND d.clicks > 0
   GROUP BY u.custom_id`;
