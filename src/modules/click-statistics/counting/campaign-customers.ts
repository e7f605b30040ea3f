import { Injectable } from '@nestjs/common';
import { BoundedCache } from '../../../common/bounded-cache';
import { sanitizeText } from '../../../common/sanitize-text';
import { Clock } from '../../../common/time/clock';
import { Database, type Tx } from '../../../infrastructure/database/database';
import { intArray } from '../../../infrastructure/database/sql-arrays';
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

/** Numbers the customIds of campaigns. */
@Injectable()
export class CampaignCustomers {
  private readonly cache = new BoundedCache<string, number>(MAX_CACHED);
  private day = '';

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    database.onPrimaryChange(() => this.cache.clear());
  }

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

  private async numberOf(
    tx: Tx,
    organizationId: number,
    customers: ReadonlyMap<string, Customer>,
  ): Promise<Row[]> {
    const open = new Map(customers);
    const rows: Row[] = [];
    for (const statement of [FIND, ADD]) {
      if (open.size === 0) break;
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

const FIND = `
  SELECT c.campaign_id AS campaign, c.custom_id, c.customer_no
    FROM unnest($2::bigint[], $3::text[]) AS w (campaign_id, custom_id)
    JOIN campaign_customers c USING (campaign_id, custom_id)
   WHERE c.organization_id = $1 AND c.seen_on >= ${TODAY}`;

// Sorted by key to avoid deadlocks. A customer that retention is deleting gets a new number.
const ADD = `
  INSERT INTO campaign_customers (organization_id, campaign_id, custom_id, seen_on)
  SELECT $1, campaign_id, custom_id, ${TODAY}
    FROM unnest($2::bigint[], $3::text[]) AS w (campaign_id, custom_id)
   ORDER BY campaign_id, custom_id
  ON CONFLICT (organization_id, campaign_id, custom_id) DO UPDATE SET seen_on = excluded.seen_on
  RETURNING campaign_id AS campaign, custom_id, customer_no`;
