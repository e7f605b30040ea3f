import { setImmediate as nextTick } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { addClicks, ClickArray, type Clicked, packClicks, unpackClicks } from './packed-clicks';
import { Clock } from '../../../common/time/clock';
import { ADVISORY_LOCK, organizationKey } from '../../../infrastructure/database/advisory-locks';
import { Database } from '../../../infrastructure/database/database';
import type { Tx } from '../../../infrastructure/database/tx';

/** Rows of one day from which merging is worthwhile. */
const MIN_ROWS = 8;
/** A sum is written after this many additions, and at least half the number of customers, to bound storage. */
const MIN_ADDITIONS = 2_000;
const DAY_MS = 86_400_000;

/** Clicks by customer number, by day. */
type Additions = ReadonlyMap<string, ReadonlyMap<number, Clicked>>;

interface Campaign {
  organizationId: number;
  id: number;
}

interface Added {
  day: string;
  adds: Buffer;
}

/**
 * Prefix sums of clicks by customer, from which a campaign's customers are ranked over any range. Additions that the
 * sums include are marked as folded; late ones are read in addition to the sums until the next fold.
 */
@Injectable()
export class CustomerSums {
  /** Highest row id at the last merge. */
  private mergedUntil = 0;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Merges the rows that batches have added to one day. */
  async merge(): Promise<void> {
    const { last } = await this.database.single<{ last: number }>(
      `SELECT coalesce(max(id), 0) AS last FROM click_user_adds`,
    );
    const groups = await this.database.read<Campaign & { day: string }>(MANY_ROWS, [
      this.mergedUntil,
      MIN_ROWS,
    ]);
    for (const { day, ...campaign } of groups) {
      await this.locked(campaign, async (tx) => {
        const rows = await tx.query<Added>(
          `DELETE FROM click_user_adds WHERE ${OF_CAMPAIGN} AND day = $3 AND NOT folded RETURNING day, adds`,
          [...keyOf(campaign), day],
        );
        await this.insert(tx, campaign, await mergedByDay(rows), false);
      });
    }
    this.mergedUntil = last;
  }

  /** Writes prefix sums, up to yesterday, of every campaign with enough additions. */
  async fold(): Promise<void> {
    const yesterday = new Date(this.clock.now() - DAY_MS).toISOString().slice(0, 10);
    const campaigns = await this.database.read<Campaign & { users: number }>(MANY_ADDITIONS, [
      yesterday,
      MIN_ADDITIONS,
    ]);
    for (const { users, ...campaign } of campaigns) {
      for (const day of await this.plan(campaign, yesterday, Math.max(MIN_ADDITIONS, users / 2))) {
        await this.locked(campaign, (tx) => this.foldUntil(tx, campaign, day));
      }
    }
  }

  /** Days at whose end a sum is to be written. */
  private async plan(campaign: Campaign, until: string, minimum: number): Promise<string[]> {
    const days = await this.database.read<{ day: string; additions: number }>(ADDITIONS_BY_DAY, [
      ...keyOf(campaign),
      until,
    ]);
    const planned: string[] = [];
    let additions = 0;
    for (const each of days) {
      additions += each.additions;
      if (additions < minimum) continue;
      planned.push(each.day);
      additions = 0;
    }
    return planned;
  }

  private async foldUntil(tx: Tx, campaign: Campaign, until: string): Promise<void> {
    const rows = await tx.query<Added>(
      `DELETE FROM click_user_adds WHERE ${OF_CAMPAIGN} AND day <= $3 AND NOT folded RETURNING day, adds`,
      [...keyOf(campaign), until],
    );
    const additions = await mergedByDay(rows);
    const sums = await tx.query<{ day: string }>(
      `SELECT day FROM click_user_sums WHERE ${OF_CAMPAIGN} ORDER BY day`,
      keyOf(campaign),
    );
    const last = sums.at(-1)?.day ?? '';
    // Late additions belong to every sum of their day or later.
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

  /** @param day empty for the time before the first sum */
  private async read(tx: Tx, campaign: Campaign, day: string): Promise<ClickArray> {
    const clicks = new ClickArray();
    if (day === '') return clicks;
    const rows = await tx.query<{ sums: Buffer; lasts: Buffer }>(
      `SELECT sums, lasts FROM click_user_sums WHERE ${OF_CAMPAIGN} AND day = $3`,
      [...keyOf(campaign), day],
    );
    for (const { sums, lasts } of rows) {
      clicks.addArray(sums);
      clicks.addLasts(lasts);
    }
    return clicks;
  }

  private async write(tx: Tx, campaign: Campaign, day: string, clicks: ClickArray): Promise<void> {
    await tx.execute(
      `INSERT INTO click_user_sums (organization_id, campaign_id, day, sums, lasts) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (organization_id, campaign_id, day) DO UPDATE SET sums = excluded.sums, lasts = excluded.lasts`,
      [...keyOf(campaign), day, clicks.clickBytes(), clicks.lastBytes()],
    );
  }

  private async insert(tx: Tx, campaign: Campaign, additions: Additions, folded: boolean): Promise<void> {
    await tx.execute(
      `INSERT INTO click_user_adds (organization_id, campaign_id, day, folded, adds)
       SELECT $1, $2, day, $3, adds FROM unnest($4::date[], $5::bytea[]) AS t (day, adds)`,
      [...keyOf(campaign), folded, [...additions.keys()], [...additions.values()].map(packClicks)],
    );
  }

  private async locked({ organizationId }: Campaign, work: (tx: Tx) => Promise<void>): Promise<void> {
    await this.database.write(async (tx) => {
      await lockCustomerSums(tx, organizationId);
      await work(tx);
    });
  }
}

/** Locks out other merges, sums and deletions of the organization until the transaction ends. */
export async function lockCustomerSums(tx: Tx, organizationId: number): Promise<void> {
  await tx.slow(`SELECT pg_advisory_xact_lock($1, $2)`, [
    ADVISORY_LOCK.customerSums,
    organizationKey(organizationId),
  ]);
}

/** Parameters of OF_CAMPAIGN. */
function keyOf({ organizationId, id }: Campaign): [organizationId: number, id: number] {
  return [organizationId, id];
}

const OF_CAMPAIGN = 'organization_id = $1 AND campaign_id = $2';

/** Merges rows by day, in chronological order. */
async function mergedByDay(rows: readonly Added[]): Promise<Additions> {
  const days = new Map<string, Map<number, Clicked>>();
  for (const { day, adds } of rows.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))) {
    const merged = days.get(day) ?? new Map<number, Clicked>();
    days.set(day, merged);
    for (const [user, clicked] of unpackClicks(adds)) addClicks(merged, user, clicked);
    // Yields, so that redirects of the same process need not wait.
    await nextTick();
  }
  return days;
}

/** Adds days in `(after, until]`. */
function addDays(clicks: ClickArray, additions: Additions, after: string, until: string): void {
  for (const [day, byUser] of additions) {
    if (day <= after || day > until) continue;
    for (const [user, clicked] of byUser) clicks.add(user, clicked);
  }
}

const MANY_ROWS = `
  WITH lately AS (SELECT DISTINCT organization_id, campaign_id, day FROM click_user_adds WHERE id > $1 AND NOT folded)
  SELECT organization_id AS "organizationId", campaign_id AS id, day
    FROM click_user_adds JOIN lately USING (organization_id, campaign_id, day)
   WHERE NOT folded
   GROUP BY organization_id, campaign_id, day
  HAVING count(*) >= $2`;

const ADDITIONS_BY_DAY = `
  SELECT day, sum(octet_length(adds) / 12)::bigint AS additions
    FROM click_user_adds
   WHERE ${OF_CAMPAIGN} AND NOT folded AND day <= $3
   GROUP BY day ORDER BY day`;

const MANY_ADDITIONS = `
  SELECT organization_id AS "organizationId", campaign_id AS id,
         coalesce((SELECT max(u.user_no) FROM click_users u
                    WHERE u.organization_id = a.organization_id AND u.campaign_id = a.campaign_id), 0) AS users
    FROM click_user_adds a
   WHERE NOT folded AND day <= $1
   GROUP BY organization_id, campaign_id
  HAVING sum(octet_length(adds) / 12) >= $2`;
