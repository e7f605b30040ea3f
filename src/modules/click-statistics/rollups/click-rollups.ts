import { Injectable } from '@nestjs/common';
import { hash, randomInt } from 'node:crypto';
import { CompactedMonths } from '../../../infrastructure/database/compacted-months';
import { intArray, textArray } from '../../../infrastructure/database/sql-arrays';
import type { EnrichedClick } from '../enriched-click';
import { invalidatePeriods } from '../breakdowns/invalidate-periods';
import { CustomerRollups } from '../customers/customer-rollups';
import { addVisit, bounded, type DayRollup, dimensionValue, MERGED_VALUES } from '../dimensions';
import { VisitorRollups } from './visitor-rollups';
import { TRACKED_LINK_KIND } from '../../clicks/click';
import type { Tx } from '../../../infrastructure/database/database';

const SLOTS = 8;

/** Greater than every value of TRACKED_LINK_KIND. */
const KINDS = 8;

/** `kind` of visitors of one variant of a link. */
const VARIANT_KIND = 11;

/** Sums clicks by day and tracked link, sorted by key to avoid deadlocks. */
function rollUp(clicks: readonly EnrichedClick[]): DayRollup[] {
  // Nested maps, because building string keys would take longer than summing.
  const days = new Map<string, Map<number, DayRollup>>();
  for (const enriched of clicks) {
    const { click, day } = enriched;
    let rollups = days.get(day);
    if (!rollups) days.set(day, (rollups = new Map<number, DayRollup>()));
    const key = click.trackedLinkId * KINDS + TRACKED_LINK_KIND[click.kind];
    let rollup = rollups.get(key);
    if (!rollup) {
      const { kind, trackedLinkId, organizationId } = click;
      const none = { clicks: 0, botClicks: 0, values: new Map<string, number>() };
      rollup = {
        kind,
        trackedLinkId,
        organizationId,
        day,
        ...none,
        visitors: new Set(),
        variantVisitors: null,
      };
      rollups.set(key, rollup);
    }
    if (enriched.isBot) rollup.botClicks++;
    else addVisit(rollup, enriched);
  }
  return [...days.values()]
    .flatMap((rollups) => [...rollups.values()])
    .sort(
      (a, b) =>
        a.trackedLinkId - b.trackedLinkId ||
        TRACKED_LINK_KIND[a.kind] - TRACKED_LINK_KIND[b.kind] ||
        (a.day < b.day ? -1 : a.day > b.day ? 1 : 0),
    );
}

interface VariantVisitor {
  rollup: DayRollup;
  url: string;
  key: string;
}

/** Converts a visitor for `click_day_visitors`: a 64-bit integer in decimal. @param visitor hexadecimal digits */
function keyOf(visitor: string): string {
  return BigInt.asIntN(64, BigInt(`0x${visitor.slice(0, 16)}`)).toString();
}

/** Parameters of MERGE_DAYS: the position of each visitor's rollup, from 1, and the visitor. */
function visitorParameters(rollups: readonly DayRollup[]): [places: string, visitors: string] {
  const places: number[] = [];
  const visitors: string[] = [];
  rollups.forEach((rollup, i) => {
    for (const visitor of rollup.visitors) {
      places.push(i + 1);
      visitors.push(keyOf(visitor));
    }
  });
  return [intArray(places), `{${visitors.join(',')}}`];
}

/** Stores the visitors of variants, and adds new ones to the values of their rollups. */
async function addVariantVisitors(tx: Tx, rollups: readonly DayRollup[]): Promise<void> {
  const visitors = rollups.flatMap(variantVisitors);
  if (visitors.length === 0) return;
  const fresh = await tx.query<{ id: number; day: string; key: string }>(ADD_VARIANT_VISITORS, [
    intArray(visitors.map(({ rollup }) => rollup.trackedLinkId)),
    visitors.map(({ rollup }) => rollup.day),
    `{${visitors.map(({ key }) => key).join(',')}}`,
    intArray(visitors.map(({ rollup }) => rollup.organizationId)),
  ]);
  const isFresh = new Set(fresh.map(({ id, day, key }) => `${id}/${day}/${key}`));
  for (const { rollup, url, key } of visitors) {
    if (!isFresh.has(`${rollup.trackedLinkId}/${rollup.day}/${key}`)) continue;
    const value = dimensionValue('variant_visitors', url);
    rollup.values.set(value, (rollup.values.get(value) ?? 0) + 1);
  }
}

function variantVisitors(rollup: DayRollup): VariantVisitor[] {
  return [...(rollup.variantVisitors ?? [])].flatMap(([url, visitors]) =>
    [...visitors].map((visitor) => ({ rollup, url, key: keyOf(hash('sha256', `${visitor}\n${url}`)) })),
  );
}

/** Updates every rollup of clicks, in the transaction that counts them. */
@Injectable()
export class ClickRollups {
  /** Distributes concurrent consumers over different rows of a link's day; readers sum up the slots. */
  private readonly slot = randomInt(SLOTS);

  constructor(
    private readonly months: CompactedMonths,
    private readonly customers: CustomerRollups,
    private readonly visitors: VisitorRollups,
  ) {}

  async add(tx: Tx, fresh: readonly EnrichedClick[]): Promise<void> {
    const rollups = rollUp(fresh);
    await addVariantVisitors(tx, rollups);
    await tx.query(MERGE_DAYS, this.dayParameters(rollups));
    await tx.query(ADD_TOTALS, this.totalParameters(rollups));
    await this.months.invalidate(tx, 'clicks', rollups);
    await invalidatePeriods(tx, fresh);
    await this.customers.add(tx, fresh, this.slot);
    await this.visitors.add(tx, fresh, this.slot);
  }

  private dayParameters(rollups: readonly DayRollup[]): unknown[] {
    const values = rollups.map((rollup) => bounded(rollup.values));
    return [
      intArray(rollups.map((rollup) => rollup.trackedLinkId)),
      intArray(rollups.map((rollup) => TRACKED_LINK_KIND[rollup.kind])),
      rollups.map((rollup) => rollup.day),
      intArray(rollups.map((rollup) => rollup.clicks)),
      intArray(rollups.map((rollup) => rollup.botClicks)),
      values.map((counts) => textArray(counts.keys())),
      values.map((counts) => intArray([...counts.values()])),
      this.slot,
      ...visitorParameters(rollups),
      intArray(rollups.map((rollup) => rollup.organizationId)),
    ];
  }

  private totalParameters(rollups: readonly DayRollup[]): unknown[] {
    const totals = new Map<string, DayRollup>();
    for (const rollup of rollups) {
      const key = `${rollup.kind}/${rollup.trackedLinkId}`;
      const total = totals.get(key);
      if (!total) totals.set(key, { ...rollup });
      else {
        total.clicks += rollup.clicks;
        total.botClicks += rollup.botClicks;
      }
    }
    const rows = [...totals.values()];
    return [
      intArray(rows.map((row) => row.organizationId)),
      intArray(rows.map((row) => row.trackedLinkId)),
      intArray(rows.map((row) => TRACKED_LINK_KIND[row.kind])),
      intArray(rows.map((row) => row.clicks)),
      intArray(rows.map((row) => row.botClicks)),
      this.slot,
    ];
  }
}

const MERGE_DAYS = `
  WITH days AS MATERIALIZED (
    SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::date[], $4::int[], $5::int[], $6::text[], $7::text[],
                         $11::bigint[])
      WITH ORDINALITY AS t (tracked_link_id, kind, day, clicks, bot_clicks, dimensions, counts, organization_id, position)
  ), seen AS (
    INSERT INTO click_day_visitors (organization_id, day, tracked_link_id, kind, visitor)
    SELECT d.organization_id, d.day, d.tracked_link_id, d.kind, v.visitor
      FROM unnest($9::int[], $10::bigint[]) AS v (position, visitor) JOIN days d USING (position)
     ORDER BY position, visitor
    ON CONFLICT (day, kind, organization_id, tracked_link_id, visitor) DO NOTHING
    RETURNING organization_id, day, tracked_link_id, kind
  ), fresh AS (
    SELECT d.position, count(*)::int AS visitors
      FROM seen JOIN days d USING (organization_id, day, tracked_link_id, kind) GROUP BY d.position
  )
  INSERT INTO click_rollups AS stored
    (organization_id, tracked_link_id, kind, day, slot, clicks, bot_clicks, visitors, dimensions, dimension_counts)
  SELECT organization_id, tracked_link_id, kind, day, $8::smallint, clicks, bot_clicks, coalesce(visitors, 0),
         dimensions::text[], counts::int[]
    FROM days LEFT JOIN fresh USING (position)
   ORDER BY position
  ON CONFLICT (organization_id, tracked_link_id, day, kind, slot) DO UPDATE
     SET clicks = stored.clicks + excluded.clicks,
         bot_clicks = stored.bot_clicks + excluded.bot_clicks,
         visitors = stored.visitors + excluded.visitors,
         (dimensions, dimension_counts) = (${MERGED_VALUES})`;

const ADD_TOTALS = `
  INSERT INTO click_totals AS stored (organization_id, tracked_link_id, kind, slot, clicks, bot_clicks)
  SELECT organization_id, tracked_link_id, kind, $6::smallint, clicks, bot_clicks
    FROM unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::bigint[], $5::bigint[])
      AS t (organization_id, tracked_link_id, kind, clicks, bot_clicks)
  ON CONFLICT (tracked_link_id, kind, slot, organization_id) DO UPDATE
     SET clicks = stored.clicks + excluded.clicks, bot_clicks = stored.bot_clicks + excluded.bot_clicks`;

const ADD_VARIANT_VISITORS = `
  INSERT INTO click_day_visitors (organization_id, day, tracked_link_id, kind, visitor)
  SELECT organization_id, day, tracked_link_id, ${VARIANT_KIND}, visitor
    FROM unnest($1::bigint[], $2::date[], $3::bigint[], $4::bigint[]) AS v (tracked_link_id, day, visitor, organization_id)
   ORDER BY tracked_link_id, day, visitor
  ON CONFLICT (day, kind, organization_id, tracked_link_id, visitor) DO NOTHING
  RETURNING tracked_link_id AS id, day, visitor::text AS key`;
