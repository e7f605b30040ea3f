import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { addClicks, ClickArray, type Clicked, packClicks, unpackClicks } from './packed-clicks';
import { Clock } from '../../../common/time/clock';
import { ADVISORY_LOCK } from '../../../infrastructure/database/advisory-locks';
import { Database } from '../../../infrastructure/database/database';
import type { Tx } from '../../../infrastructure/database/tx';

/** So many rows of one day are read as one. */
const WORTH_ROWS = 8;
/** A sum of all users is worth it after as many additions as this, and as half of them: its size stays in proportion. */
const WORTH_ADDITIONS = 2_000;
const DAY_MS = 86_400_000;

/** Clicks by user, of each day. */
type Additions = ReadonlyMap<string, ReadonlyMap<number, Clicked>>;

interface Added {
  day: string;
  adds: Buffer;
}

/**
 * Merges and sums what batches have added by customId, so that a campaign's users are ranked over any range by the
 * difference of two sums. Additions that have gone into the sums are marked: one that comes late is read beside them.
 */
@Injectable()
export class CustomerSums {
  /** Rows up to this id have been looked at. */
  private lookedAt = 0;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Makes one row of what the batches of a day have left. */
  async merge(): Promise<void> {
    const { last } = await this.database.single<{ last: number }>(
      `SELECT coalesce(max(id), 0) AS last FROM click_user_adds`,
    );
    const groups = await this.database.read<{ campaign: number; day: string }>(MANY_ROWS, [
      this.lookedAt,
      WORTH_ROWS,
    ]);
    for (const { campaign, day } of groups) {
      await this.locked(async (tx) => {
        const rows = await tx.query<Added>(
          `DELETE FROM click_user_adds WHERE campaign_id = $1 AND day = $2 AND NOT folded RETURNING day, adds`,
          [campaign, day],
        );
        await this.insert(tx, campaign, await mergedByDay(rows), false);
      });
    }
    this.lookedAt = last;
  }

  /** Sums the users of every campaign whose additions have become many, up to yesterday. */
  async fold(): Promise<void> {
    const yesterday = new Date(this.clock.now() - DAY_MS).toISOString().slice(0, 10);
    const campaigns = await this.database.read<{ campaign: number; users: number }>(MANY_ADDITIONS, [
      yesterday,
      WORTH_ADDITIONS,
    ]);
    for (const { campaign, users } of campaigns) {
      for (const day of await this.plan(campaign, yesterday, Math.max(WORTH_ADDITIONS, users / 2))) {
        await this.locked((tx) => this.foldUntil(tx, campaign, day));
      }
    }
  }

  /** Days at whose end a sum is worth it. */
  private async plan(campaign: number, until: string, worth: number): Promise<string[]> {
    const days = await this.database.read<{ day: string; additions: number }>(ADDITIONS_BY_DAY, [
      campaign,
      until,
    ]);
    const planned: string[] = [];
    let additions = 0;
    for (const each of days) {
      additions += each.additions;
      if (additions < worth) continue;
      planned.push(each.day);
      additions = 0;
    }
    return planned;
  }

  private async foldUntil(tx: Tx, campaign: number, until: string): Promise<void> {
    const rows = await tx.query<Added>(
      `DELETE FROM click_user_adds WHERE campaign_id = $1 AND day <= $2 AND NOT folded RETURNING day, adds`,
      [campaign, until],
    );
    const additions = await mergedByDay(rows);
    const sums = await tx.query<{ day: string }>(
      `SELECT day FROM click_user_sums WHERE campaign_id = $1 ORDER BY day`,
      [campaign],
    );
    const last = sums.at(-1)?.day ?? '';
    // Late ones belong into every sum since.
    const first = additions.keys().next().value ?? until;
    for (const { day } of sums.filter((sum) => sum.day >= first)) {
      const repaired = await this.read(tx, campaign, day);
      addDays(repaired, additions, '', day);
      await this.write(tx, campaign, day, repaired);
    }
    if (last < until) {
      const next = await this.read(tx, campaign, last);
      addDays(next, additions, last, until);
      await this.write(tx, campaign, until, next);
    }
    await this.insert(tx, campaign, additions, true);
  }

  /** @param day an empty text stands for the time before the first sum */
  private async read(tx: Tx, campaign: number, day: string): Promise<ClickArray> {
    const clicks = new ClickArray();
    if (day === '') return clicks;
    const rows = await tx.query<{ sums: Buffer; lasts: Buffer }>(
      `SELECT sums, lasts FROM click_user_sums WHERE campaign_id = $1 AND day = $2`,
      [campaign, day],
    );
    for (const { sums, lasts } of rows) {
      clicks.addArray(sums);
      clicks.addLasts(lasts);
    }
    return clicks;
  }

  private async write(tx: Tx, campaign: number, day: string, clicks: ClickArray): Promise<void> {
    await tx.execute(
      `INSERT INTO click_user_sums (campaign_id, day, sums, lasts) VALUES ($1, $2, $3, $4)
       ON CONFLICT (campaign_id, day) DO UPDATE SET sums = excluded.sums, lasts = excluded.lasts`,
      [campaign, day, clicks.clickBytes(), clicks.lastBytes()],
    );
  }

  private async insert(tx: Tx, campaign: number, additions: Additions, folded: boolean): Promise<void> {
    await tx.execute(
      `INSERT INTO click_user_adds (campaign_id, day, folded, adds)
       SELECT $1, day, $2, adds FROM unnest($3::date[], $4::bytea[]) AS t (day, adds)`,
      [campaign, folded, [...additions.keys()], [...additions.values()].map(packClicks)],
    );
  }

  private async locked(work: (tx: Tx) => Promise<void>): Promise<void> {
    await this.database.write(async (tx) => {
      await tx.slow(`SELECT pg_advisory_xact_lock($1)`, [ADVISORY_LOCK.customerSums]);
      await work(tx);
    });
  }
}

/** In the order of the days. */
async function mergedByDay(rows: readonly Added[]): Promise<Additions> {
  const days = new Map<string, Map<number, Clicked>>();
  for (const { day, adds } of rows.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))) {
    const merged = days.get(day) ?? new Map<number, Clicked>();
    days.set(day, merged);
    for (const [user, clicked] of unpackClicks(adds)) addClicks(merged, user, clicked);
    // Redirects of the same process do not wait for it.
    await nextTurn();
  }
  return days;
}

/** Adds the days after `after`, up to `until`. */
function addDays(clicks: ClickArray, additions: Additions, after: string, until: string): void {
  for (const [day, byUser] of additions) {
    if (day <= after || day > until) continue;
    for (const [user, clicked] of byUser) clicks.add(user, clicked);
  }
}

const MANY_ROWS = `
  WITH lately AS (SELECT DISTINCT campaign_id, day FROM click_user_adds WHERE id > $1 AND NOT folded)
  SELECT campaign_id AS campaign, day
    FROM click_user_adds JOIN lately USING (campaign_id, day)
   WHERE NOT folded
   GROUP BY campaign_id, day
  HAVING count(*) >= $2`;

const ADDITIONS_BY_DAY = `
  SELECT day, sum(octet_length(adds) / 12)::bigint AS additions
    FROM click_user_adds
   WHERE campaign_id = $1 AND NOT folded AND day <= $2
   GROUP BY day ORDER BY day`;

const MANY_ADDITIONS = `
  SELECT campaign_id AS campaign,
         coalesce((SELECT max(u.user_no) FROM click_users u WHERE u.campaign_id = a.campaign_id), 0) AS users
    FROM click_user_adds a
   WHERE NOT folded AND day <= $1
   GROUP BY campaign_id
  HAVING sum(octet_length(adds) / 12) >= $2`;
