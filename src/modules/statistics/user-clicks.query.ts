import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CountArray } from '../../common/packed-counts';
import type { DayRange } from '../../common/time/date-range';

/** Clicks of one customId of a campaign, people only. */
export interface UserClicks {
  customId: string;
  clicks: number;
  /** Milliseconds since the epoch. */
  lastClickedAt: number;
}

/** doc 1 §8 */
const MOST = 1_000;

interface Part {
  bytes: Buffer;
  /** A sum of all users by number, or pairs of user and clicks. */
  summed: boolean;
  /** 1: to be added, -1: to be subtracted. */
  times: number;
}

interface LastClick {
  user_no: number;
  /** Milliseconds, as a thousand dates take long to read; null when retention has just deleted it. */
  at: number | null;
}

interface NamedUser {
  user_no: number;
  custom_id: string;
}

/**
 * Who clicked a campaign most: the difference of two sums that hold every user's clicks by his number, and of what
 * has been added since to either. So it costs the same for a day and for a year, and grows with users, not with
 * clicks; in SQL, adding up the days of 50,000 users took three seconds.
 */
@Injectable()
export class UserClicksQuery {
  constructor(private readonly dataSource: DataSource) {}

  /** At most 1,000, most clicks first. @param customId that one alone, unless null */
  async run(campaignId: number, range: DayRange, customId: string | null): Promise<UserClicks[]> {
    const { startDate, endDate } = range;
    if (customId !== null) {
      return this.dataSource.query<UserClicks[]>(ONE, [campaignId, customId, startDate, endDate]);
    }
    const parts = await this.dataSource.query<Part[]>(PARTS, [campaignId, startDate, endDate]);
    const counts = new CountArray();
    for (const { bytes, summed, times } of parts) {
      if (summed) counts.addArray(bytes, times);
      else counts.addPacked(bytes, times);
    }
    const users = counts.top(MOST);
    const [names, last] = await Promise.all([
      this.dataSource.query<NamedUser[]>(NAMES, [campaignId, users]),
      this.dataSource.query<LastClick[]>(LAST_CLICKS, [campaignId, startDate, endDate, users]),
    ]);
    const nameOf = new Map(names.map(({ user_no, custom_id }) => [user_no, custom_id]));
    const lastAt = new Map(last.map(({ user_no, at }) => [user_no, at]));
    return users.flatMap((user) => {
      const [customId, lastClickedAt] = [nameOf.get(user), lastAt.get(user)];
      return customId !== undefined && lastClickedAt
        ? [{ customId, clicks: counts.at(user), lastClickedAt }]
        : [];
    });
  }
}

// Clicks up to a day are the last sum until it, with what came later or is not in the sums yet. Where both ends have
// the same sum, neither is read.
const PARTS = `
  WITH ends AS (
    SELECT coalesce((SELECT max(day) FROM click_user_sums WHERE campaign_id = $1 AND day < $2), '-infinity') AS lower,
           coalesce((SELECT max(day) FROM click_user_sums WHERE campaign_id = $1 AND day <= $3), '-infinity') AS upper
  ), added AS (
    SELECT a.adds,
           (a.day <= $3 AND (NOT a.folded OR a.day > e.upper))::int
             - (a.day < $2 AND (NOT a.folded OR a.day > e.lower))::int AS times
      FROM ends e JOIN click_user_adds a ON a.campaign_id = $1 AND a.day <= $3
  )
  SELECT s.sums AS bytes, true AS summed, CASE WHEN s.day = e.upper THEN 1 ELSE -1 END AS times
    FROM ends e JOIN click_user_sums s ON s.campaign_id = $1 AND s.day IN (e.lower, e.upper) AND e.lower <> e.upper
  UNION ALL
  SELECT adds, false, times FROM added WHERE times <> 0`;

// Sub-queries, so that each user is two steps down an index: a maximum would read all of his days.
const LAST_CLICKS = `
  SELECT user_no,
         (SELECT (extract(epoch FROM max(d.last_clicked_at)) * 1000)::float8 FROM click_user_days d
           WHERE d.campaign_id = $1 AND d.user_no = wanted.user_no
             AND d.day = (SELECT l.day FROM click_user_days l
                           WHERE l.campaign_id = $1 AND l.user_no = wanted.user_no AND l.day BETWEEN $2 AND $3
                             AND l.clicks > 0
                           ORDER BY l.day DESC LIMIT 1)) AS at
    FROM unnest($4::int[]) AS wanted (user_no)`;

const NAMES = `SELECT user_no, custom_id FROM click_users WHERE campaign_id = $1 AND user_no = ANY($2::int[])`;

const ONE = `
  SELECT u.custom_id AS "customId", sum(d.clicks)::bigint AS clicks, (extract(epoch FROM max(d.last_clicked_at)) * 1000)::float8 AS "lastClickedAt"
    FROM click_users u JOIN click_user_days d USING (campaign_id, user_no)
   WHERE u.campaign_id = $1 AND u.custom_id = $2 AND d.day BETWEEN $3 AND $4 AND d.clicks > 0
   GROUP BY u.custom_id`;
