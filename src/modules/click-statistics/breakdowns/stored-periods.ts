import { ADVISORY_LOCK } from '../../../infrastructure/database/advisory-locks';
import { inTurn } from '../../../infrastructure/database/claims';
import { addPacked, type Bucket, IdSums, packSums } from './packed-sums';
import type { UNIT } from './period-sums.sql';
import type { Tx } from '../../../infrastructure/database/database';

/** Links per row, so that reading one link does not read all others. */
const IDS_A_BUCKET = 2_048;

const METRIC_COLUMNS = ['clicks', 'bots', 'visitors'] as const;
export type Figures = Record<(typeof METRIC_COLUMNS)[number], number>;

export interface Period {
  organizationId: number;
  unit: (typeof UNIT)[keyof typeof UNIT];
  start: string;
}

export interface BreakdownRow extends Record<(typeof METRIC_COLUMNS)[number], string> {
  dimension: string;
  keys: string;
}

export interface LinkRow extends Bucket, Record<(typeof METRIC_COLUMNS)[number], Buffer> {
  dimension: string;
}

/** All stored sums of a period. */
export interface Built {
  totals: Figures;
  breakdowns: BreakdownRow[];
  links: LinkRow[];
}

/** Claims a period, once every transaction has ended that counted clicks of it without seeing the claim. */
export async function claimPeriod(
  tx: Tx,
  { organizationId, unit, start }: Period,
  claim: number,
): Promise<void> {
  await inTurn(tx, ADVISORY_LOCK.clickSums, organizationId);
  await tx.query(CLAIM, [organizationId, unit, start, claim]);
}

/** Stores the sums of a period if its claim still exists. */
export async function storePeriod(
  tx: Tx,
  { organizationId, unit, start }: Period,
  claim: number,
  { totals, breakdowns, links }: Built,
): Promise<void> {
  const key = [organizationId, unit, start];
  const { clicks, bots, visitors } = totals;
  const completed = await tx.execute(COMPLETE, [...key, clicks, bots, visitors, claim]);
  if (completed === 0) return;
  await tx.query(`DELETE FROM click_breakdowns WHERE organization_id = $1 AND unit = $2 AND start = $3`, key);
  await tx.query(`DELETE FROM click_link_sums WHERE organization_id = $1 AND unit = $2 AND start = $3`, key);
  await tx.query(ADD_BREAKDOWNS, [
    ...key,
    breakdowns.map((row) => row.dimension),
    breakdowns.map((row) => row.keys),
    ...METRIC_COLUMNS.map((metric) => breakdowns.map((row) => row[metric])),
  ]);
  await tx.query(ADD_LINKS, [
    ...key,
    links.map((row) => row.dimension),
    links.map((row) => row.bucket),
    links.map((row) => row.buckets),
    ...METRIC_COLUMNS.map((metric) => links.map((row) => row[metric])),
  ]);
}

/** Splits the sums of a day into rows of about IDS_A_BUCKET links. @param sums by id, in ascending order */
export function packed(dimension: string, sums: readonly (Figures & { id: number })[]): LinkRow[] {
  const buckets = Math.max(1, Math.ceil(sums.length / IDS_A_BUCKET));
  const byBucket = Array.from({ length: buckets }, (): (Figures & { id: number })[] => []);
  for (const sum of sums) byBucket[sum.id % buckets]?.push(sum);
  return byBucket.map((inBucket, bucket) => {
    const pack = (metric: keyof Figures) =>
      packSums(
        inBucket.map((sum) => [sum.id, sum[metric]]),
        { bucket, buckets },
      );
    return {
      dimension,
      bucket,
      buckets,
      clicks: pack('clicks'),
      bots: pack('bots'),
      visitors: pack('visitors'),
    };
  });
}

/** Merges these rows into one. */
export function merged(dimension: string, rows: readonly LinkRow[]): LinkRow[] {
  if (rows.length === 0) return [];
  const one = { bucket: 0, buckets: 1 };
  const pack = (metric: keyof Figures) => {
    const sums = new IdSums();
    for (const row of rows) addPacked(sums, row[metric], row);
    return packSums(
      sums.pairs().sort(([a], [b]) => a - b),
      one,
    );
  };
  return [{ dimension, ...one, clicks: pack('clicks'), bots: pack('bots'), visitors: pack('visitors') }];
}

const CLAIM = `
  INSERT INTO click_sums (organization_id, unit, start, claim) VALUES ($1, $2, $3, $4)
  ON CONFLICT (organization_id, unit, start) DO UPDATE SET claim = excluded.claim`;

const COMPLETE = `
  UPDATE click_sums SET claim = NULL, clicks = $4, bots = $5, visitors = $6
   WHERE organization_id = $1 AND unit = $2 AND start = $3 AND claim = $7`;

const ADD_BREAKDOWNS = `
  INSERT INTO click_breakdowns (organization_id, unit, start, dimension, keys, clicks, bots, visitors)
  SELECT $1::bigint, $2::smallint, $3::date, dimension, keys::text[], clicks::bigint[], bots::bigint[], visitors::bigint[]
    FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[]) AS t (dimension, keys, clicks, bots, visitors)`;

const ADD_LINKS = `
  INSERT INTO click_link_sums (organization_id, unit, start, dimension, bucket, buckets, clicks, bots, visitors)
  SELECT $1::bigint, $2::smallint, $3::date, dimension, bucket, buckets, clicks, bots, visitors
    FROM unnest($4::text[], $5::int[], $6::int[], $7::bytea[], $8::bytea[], $9::bytea[])
      AS t (dimension, bucket, buckets, clicks, bots, visitors)`;
