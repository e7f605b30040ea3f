import type { DataSource } from 'typeorm';
import { ClickPartitions } from '../../../src/modules/click-statistics/counting/click-ingest';
import { databaseOf } from '../../support/database-of';
import { lastDays } from './click-load';

const CHUNK = 500_000;

/** Loads links of an organization; every other one has a tag of 300. */
export async function loadTaggedLinks(
  database: DataSource,
  organizationId: number,
  links: number,
): Promise<void> {
  await database.query(
    `INSERT INTO links (organization_id, code, original_url, tags, tag_keys, created_at, updated_at)
     SELECT $1::bigint, 't' || $1::bigint || '-' || n, 'https://example.com/landing/' || n, tags, tags, now(), now()
       FROM generate_series(1, $2::int) AS n,
            LATERAL (SELECT CASE WHEN n % 2 = 0 THEN ARRAY['tag ' || n % 300] ELSE '{}' END AS tags) AS tagged`,
    [organizationId, links],
  );
  await database.query('ANALYZE links');
}

/**
 * Loads clicks of an organization's links over the last `days` days, in the order of their times, as counting would
 * have written them: every sum of them is derived from these rows.
 * @returns the number of clicks loaded a second
 */
export async function loadOrganizationClicks(
  database: DataSource,
  organizationId: number,
  { clicks, days }: { clicks: number; days: number },
): Promise<number> {
  const startedAt = performance.now();
  const { days: dates, from } = lastDays(days);
  await new ClickPartitions(databaseOf(database)).ensure(new Set(dates));
  const [{ first }] = await database.query<[{ first: number }]>(
    `SELECT coalesce(max(id), 0)::bigint + 1 AS first FROM clicks`,
  );
  const span = Date.now() - from.getTime();
  for (let start = 0; start < clicks; start += CHUNK) {
    const size = Math.min(CHUNK, clicks - start);
    const [at, until] = [start, start + size].map((n) => new Date(from.getTime() + (n / clicks) * span));
    await database.query(CLICKS, [organizationId, first + start, size, at, until]);
  }
  await database.query('ANALYZE clicks');
  return clicks / ((performance.now() - startedAt) / 1000);
}

const skewed = (values: number, exponent: number) => `floor(${values} * power(random(), ${exponent}))::int`;

// One in twenty is a program's; one in three has utm values.
const CLICKS = `
  WITH targets AS MATERIALIZED (
    SELECT array_agg(id ORDER BY id) AS links FROM links WHERE organization_id = $1
  ), made AS MATERIALIZED (
    SELECT n, $4::timestamptz + (n::float8 / $3::int) * ($5::timestamptz - $4::timestamptz) AS at,
           random() < 0.05 AS bot, random() AS utm, random() AS routed,
           ${skewed(100_000, 2)} AS link, ${skewed(60, 3)} AS country, ${skewed(8, 2)} AS browser,
           ${skewed(6, 2)} AS os, ${skewed(3, 1)} AS device, ${skewed(200, 3)} AS referrer,
           ${skewed(20, 2)} AS source, ${skewed(50, 2)} AS campaign, ${skewed(100_000, 1.5)} AS person
      FROM generate_series(0, $3::int - 1) AS n
  )
  INSERT INTO clicks (id, clicked_at, organization_id, target_id, target_kind, local_visitor, is_bot, local_day, dimensions)
  SELECT $2::bigint + n, at, $1::bigint, links[1 + link % cardinality(links)], 1,
         hashtextextended(person || '/' || local_day($1, at), 0), bot, local_day($1, at),
         ARRAY['country:' || chr(65 + country / 10) || chr(65 + country % 10), 'browser:Browser ' || browser,
               'os:System ' || os, 'device:' || (ARRAY['Mobile', 'Desktop', 'Tablet'])[1 + device],
               'referrer:' || CASE referrer WHEN 0 THEN 'Direct' ELSE 'site-' || referrer || '.example' END]
           || CASE WHEN bot THEN ARRAY['bot:Crawler ' || source] ELSE '{}' END
           || CASE WHEN routed < 0.1 THEN ARRAY['variant:https://example.com/' || floor(routed * 20)] ELSE '{}' END
           || CASE WHEN utm < 0.33
                   THEN ARRAY['utm_source:source-' || source, 'utm_medium:email', 'utm_campaign:campaign-' || campaign]
                   ELSE '{}' END
    FROM made, targets`;
