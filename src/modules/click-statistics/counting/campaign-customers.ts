import { Injectable } from '@nestjs/common';
import { BoundedCache } from '../../../common/bounded-cache';
import { sanitizeText } from '../../../common/sanitize-text';
import { Clock } from '../../../common/time/clock';
import { Database } from '../../../infrastructure/database/database';
import { intArray } from '../../../infrastructure/database/sql-arrays';
import type { Tx } from '../../../infrastructure/database/tx';
import type { Click } from '../../clicks/click';

const MAX_CACHED = 200_000;
/** Timeout for numbering the customers of a batch, including the wait for other processes. */
const LIMIT_MS = 10_000;

interface Row {
  campaign: number;
  custom_id: string;
  customer_no: number;
}

type Customer = readonly [campaign: number, customId: string];

/** The number of a click's customer within the campaign; null without a customId. */
export type CustomerNumbers = (click: Click) => number | null;

/** Assigns numbers to the customIds of each campaign, from 1. */
@Injectable()
export class CampaignCustomers {
  private readonly cache = new BoundedCache<string, number>(MAX_CACHED);
  private day = '';

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Loads or assigns the numbers of these clicks. New numbers stay valid even if the clicks are never counted. */
  async load(clicks: readonly Click[]): Promise<CustomerNumbers> {
    this.startDay();
    const numbers = new Map<string, number>();
    const missing = new Map<number, Map<string, Customer>>();
    for (const click of clicks) {
      const customId = customIdOf(click);
      if (customId === null) continue;
      const key = keyOf(click.trackedLinkId, customId);
      const number = this.cache.get(key);
      if (number !== undefined) {
        numbers.set(key, number);
        continue;
      }
      let customers = missing.get(click.organizationId);
      if (!customers) missing.set(click.organizationId, (customers = new Map<string, Customer>()));
      customers.set(key, [click.trackedLinkId, customId]);
    }
    if (missing.size > 0) {
      for (const { campaign, custom_id, customer_no } of await this.number(missing)) {
        const key = keyOf(campaign, custom_id);
        numbers.set(key, customer_no);
        this.cache.set(key, customer_no);
      }
    }
    return (click) => {
      const customId = customIdOf(click);
      return customId === null ? null : (numbers.get(keyOf(click.trackedLinkId, customId)) ?? null);
    };
  }

  /**
   * Clears the cache daily, because the look-up updates `seen_on`, which keeps retention from deleting numbers in use.
   */
  private startDay(): void {
    const day = this.clock.date().toISOString().slice(0, 10);
    if (day !== this.day) this.cache.clear();
    this.day = day;
  }

  /** In order of organizations and customers, to avoid deadlocks. */
  private async number(customers: ReadonlyMap<number, ReadonlyMap<string, Customer>>): Promise<Row[]> {
    const organizations = [...customers].sort(([a], [b]) => a - b);
    return this.database.writeWithin(LIMIT_MS, async (tx) => {
      const rows: Row[] = [];
      for (const [organizationId, each] of organizations) {
        rows.push(...(await this.numberOf(tx, organizationId, each)));
      }
      return rows;
    });
  }

  /** New numbers follow the highest one. If another process adds a number or customer meanwhile, this is repeated. */
  private async numberOf(
    tx: Tx,
    organizationId: number,
    customers: ReadonlyMap<string, Customer>,
  ): Promise<Row[]> {
    const open = new Map(customers);
    const rows: Row[] = [];
    for (let statement = FIND; open.size > 0; statement = statement === FIND ? INSERT : FIND) {
      const found = await tx.query<Row>(statement, [
        organizationId,
        intArray([...open.values()].map(([campaign]) => campaign)),
        [...open.values()].map(([, customId]) => customId),
        this.clock.date(),
      ]);
      for (const row of found) open.delete(keyOf(row.campaign, row.custom_id));
      rows.push(...found);
    }
    return rows;
  }
}

function customIdOf({ kind, customId }: Click): string | null {
  return kind === 'campaign' && customId ? sanitizeText(customId) || null : null;
}

function keyOf(campaign: number, customId: string): string {
  return `${campaign}/${customId}`;
}

const TODAY = `($4::timestamptz AT TIME ZONE 'UTC')::date`;

// Sorted by key to avoid deadlocks. A customer that retention is deleting is not found, and gets a new number.
const FIND = `
  WITH wanted AS (
    SELECT u.campaign_id, u.custom_id, u.customer_no, u.seen_on
      FROM unnest($2::bigint[], $3::text[]) AS w (campaign_id, custom_id)
      JOIN campaign_customers u USING (campaign_id, custom_id)
     WHERE u.organization_id = $1
  ), stale AS MATERIALIZED (
    SELECT u.campaign_id, u.custom_id
      FROM campaign_customers u JOIN wanted w USING (campaign_id, custom_id)
     WHERE u.organization_id = $1 AND w.seen_on < ${TODAY}
     ORDER BY campaign_id, custom_id
       FOR UPDATE OF u
  ), seen AS (
    UPDATE campaign_customers u
       SET seen_on = ${TODAY}
      FROM stale
     WHERE u.organization_id = $1 AND u.campaign_id = stale.campaign_id AND u.custom_id = stale.custom_id
    RETURNING u.campaign_id, u.custom_id, u.customer_no
  )
  SELECT campaign_id AS campaign, custom_id, customer_no FROM wanted WHERE seen_on >= ${TODAY}
  UNION ALL
  SELECT campaign_id, custom_id, customer_no FROM seen`;

const INSERT = `
  WITH wanted AS (
    SELECT campaign_id, custom_id FROM unnest($2::bigint[], $3::text[]) AS w (campaign_id, custom_id)
  ), highest AS MATERIALIZED (
    SELECT campaign_id,
           coalesce((SELECT max(u.customer_no) FROM campaign_customers u
                      WHERE u.organization_id = $1 AND u.campaign_id = c.campaign_id), 0) AS customer_no
      FROM (SELECT DISTINCT campaign_id FROM wanted) AS c
  )
  INSERT INTO campaign_customers (organization_id, campaign_id, custom_id, customer_no, seen_on)
  SELECT $1, campaign_id, custom_id,
         highest.customer_no + row_number() OVER (PARTITION BY campaign_id ORDER BY custom_id), ${TODAY}
    FROM wanted JOIN highest USING (campaign_id)
   ORDER BY campaign_id, custom_id
  ON CONFLICT DO NOTHING
  RETURNING campaign_id AS campaign, custom_id, customer_no`;
