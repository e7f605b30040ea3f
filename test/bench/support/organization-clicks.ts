import type { DataSource } from 'typeorm';
import { SystemClock } from '../../../src/common/time/clock';
import { ClickSumBuilder } from '../../../src/modules/click-statistics/breakdowns/click-sum-builder';
import { ClickPartitions } from '../../../src/modules/click-statistics/counting/click-partitions';
import { databaseOf } from '../../support/database-of';
import { lastDays } from './click-load';

/** Rows of one statement. */
const CHUNK = 500_000;
const CAMPAIGNS = 200;
const DOMAINS = 5;
const ZONE = 'Asia/Seoul';

export interface ClickVolume {
  links: number;
  clicks: number;
  days: number;
}

/** Codes of ISO 3166-1 that ICU can name, the most frequent first. */
const COUNTRIES = countryCodes();

function countryCodes(): string[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));
  const codes = letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => names.of(code));
  return [...new Set(['KR', 'US', 'JP', 'DE', 'GB', 'FR', 'VN', 'IN', 'BR', ...codes])].slice(0, 200);
}

/**
 * Loads an organization's links (each with up to three of 30 tags, one in ten on a custom domain), its campaigns and
 * its apps.
 */
export async function loadTaggedLinks(
  database: DataSource,
  organizationId: number,
  links: number,
): Promise<void> {
  const run = (statement: string, ...more: number[]) => database.query(statement, [organizationId, ...more]);
  await database.query(`UPDATE organizations SET time_zone = $2 WHERE id = $1`, [organizationId, ZONE]);
  await run(DOMAIN_ROWS);
  await run(LINK_ROWS, links);
  await run(CAMPAIGN_ROWS);
  await run(APP_ROWS);
  await database.query('ANALYZE links, campaigns, custom_domains, apps');
}

/**
 * Loads clicks of these links over the last `days` days, in the order of their times, as counting would have written
 * them, and the clicks by day that a query estimates its work by; every sum by dimension is derived from the clicks.
 * @returns the number of clicks loaded a second
 */
export async function loadOrganizationClicks(
  database: DataSource,
  organizationId: number,
  { clicks, days }: ClickVolume,
): Promise<number> {
  const startedAt = performance.now();
  const { days: dates, from } = lastDays(days);
  await new ClickPartitions(databaseOf(database), new SystemClock()).ensure(new Set(dates));
  const [{ first }] = await database.query<[{ first: number }]>(
    `SELECT coalesce(max(id), 0)::bigint + 1 AS first FROM clicks`,
  );
  const span = Date.now() - from.getTime();
  for (let start = 0; start < clicks; start += CHUNK) {
    const size = Math.min(CHUNK, clicks - start);
    const [at, until] = [start, start + size].map((n) => new Date(from.getTime() + (n / clicks) * span));
    await database.query(CLICKS, [organizationId, first + start, size, at, until, COUNTRIES]);
  }
  await database.query('ANALYZE clicks');
  await database.query(DAY_ROWS, [organizationId]);
  return clicks / ((performance.now() - startedAt) / 1000);
}

/** Sums up every finished day and month. */
export async function buildClickSums(database: DataSource, days: number): Promise<void> {
  const startedAt = performance.now();
  const builder = new ClickSumBuilder(databaseOf(database), new SystemClock());
  const built = async () => {
    const [row] = await database.query<[{ periods: number }]>(
      `SELECT count(*)::bigint AS periods FROM click_sums WHERE claim IS NULL`,
    );
    return row.periods;
  };
  let [before, after] = [-1, 0];
  while (after > before) {
    await builder.build(days);
    [before, after] = [after, await built()];
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  const [size] = await database.query<[{ bytes: number }]>(
    `SELECT sum(pg_total_relation_size(name::regclass))::bigint AS bytes
       FROM unnest(ARRAY['click_sums', 'click_breakdowns', 'click_link_sums']) AS name`,
  );
  console.log(`summed ${after} days and months in ${seconds} s, ${(size.bytes / 2 ** 20).toFixed(0)} MiB`);
}

const DOMAIN_ROWS = `
  INSERT INTO custom_domains (organization_id, domain_name, status, verified_at, created_at)
  SELECT $1, 'd' || n || '.o' || $1::bigint || '.example', 'ACTIVE', now(), now() FROM generate_series(1, ${DOMAINS}) AS n`;

const LINK_ROWS = `
  WITH domains AS MATERIALIZED (SELECT array_agg(id) AS ids FROM custom_domains WHERE organization_id = $1)
  INSERT INTO links (organization_id, domain_id, code, original_url, tags, tag_keys, created_at, updated_at)
  SELECT $1::bigint, CASE WHEN n % 10 = 0 THEN ids[1 + n / 10 % ${DOMAINS}] ELSE 0 END, 't' || $1::bigint || '-' || n,
         'https://example.com/landing/' || n, tags, tags, now(), now()
    FROM domains, generate_series(1, $2::int) AS n,
         LATERAL (SELECT array(SELECT DISTINCT 'tag ' || floor(30 * power(random(), 2))::int
                                 FROM generate_series(1, n % 4)) AS tags) AS tagged`;

const CAMPAIGN_ROWS = `
  INSERT INTO campaigns (organization_id, name, folded_name, code, original_url, created_at, updated_at)
  SELECT $1::bigint, 'Campaign ' || n, 'campaign ' || n, 'c' || $1::bigint || '-' || n, 'https://example.com/' || n, now(), now()
    FROM generate_series(1, ${CAMPAIGNS}) AS n`;

const APP_ROWS = `
  INSERT INTO apps (organization_id, app_name, platform, bundle_id, path, created_at, api_key, api_key_hash, publishable_key)
  SELECT $1::bigint, 'App ' || n, 'iOS', 'com.example.app' || n, 'o' || $1::bigint || 'a' || n, now(),
         '', sha256(gen_random_uuid()::text::bytea), '' FROM generate_series(1, 3) AS n`;

const skewed = (values: number, exponent: number) => `floor(${values} * power(random(), ${exponent}))::int`;

// One in twenty is a program's, one in five a campaign's; one in three has utm values, one in eight a variant.
const CLICKS = `
  WITH targets AS MATERIALIZED (
    SELECT (SELECT array_agg(id ORDER BY id) FROM links WHERE organization_id = $1) AS links,
           (SELECT array_agg(id ORDER BY id) FROM campaigns WHERE organization_id = $1) AS campaigns,
           (SELECT array_agg(id ORDER BY id) FROM apps WHERE organization_id = $1) AS apps
  ), made AS MATERIALIZED (
    SELECT n, at, (at AT TIME ZONE '${ZONE}')::date AS day,
           random() < 0.05 AS bot, random() < 0.2 AS of_campaign, random() < 0.33 AS has_utm, random() < 0.125 AS has_variant,
           ${skewed(1_000_000, 2)} AS link, ${skewed(200, 3)} AS country, ${skewed(14, 2)} AS browser,
           ${skewed(9, 2)} AS os, ${skewed(4, 2)} AS device, ${skewed(2_000, 4)} AS referrer, ${skewed(8, 1)} AS app,
           ${skewed(40, 2)} AS source, ${skewed(400, 2)} AS campaign, ${skewed(600, 2)} AS term, ${skewed(60, 2)} AS variant,
           ${skewed(300_000, 1.5)} AS person
      FROM generate_series(0, $3::int - 1) AS n,
           LATERAL (SELECT $4::timestamptz + (n::float8 / $3::int) * ($5::timestamptz - $4::timestamptz) AS at) AS times
  )
  INSERT INTO clicks (id, clicked_at, organization_id, tracked_link_id, kind, app_id, local_visitor, is_bot, local_day, dimensions)
  SELECT $2::bigint + n, at, $1::bigint,
         CASE WHEN of_campaign THEN campaigns[1 + link % cardinality(campaigns)] ELSE links[1 + link % cardinality(links)] END,
         CASE WHEN of_campaign THEN 2 ELSE 1 END, apps[app + 1], hashint8extended(person, day - DATE '2000-01-01'), bot, day,
         ARRAY['country:' || ($6::text[])[1 + country], 'browser:Browser ' || browser,
               'os:System ' || os, 'device:' || (ARRAY['Mobile', 'Desktop', 'Tablet', 'Unknown'])[1 + device],
               'referrer:' || CASE WHEN referrer < 20 THEN 'Direct' ELSE 'site-' || referrer || '.example' END]
           || CASE WHEN bot THEN ARRAY['bot:Crawler ' || source] ELSE '{}' END
           || CASE WHEN of_campaign AND source < 30 THEN ARRAY['tracker:channel-' || source] ELSE '{}' END
           || CASE WHEN has_utm
                   THEN ARRAY['utm_source:source-' || source, 'utm_medium:medium-' || source % 6, 'utm_term:term-' || term,
                              'utm_content:content-' || term % 80, 'utm_campaign:campaign-' || campaign]
                   ELSE '{}' END
           || CASE WHEN has_variant AND NOT of_campaign THEN ARRAY['variant:https://example.com/' || variant] ELSE '{}' END
    FROM made, targets`;

const DAY_ROWS = `
  INSERT INTO visitor_rollups (organization_id, app_id, day, slot, visitors, link_clicks, campaign_clicks)
  SELECT organization_id, 0, local_day, 0, count(DISTINCT local_visitor),
         count(*) FILTER (WHERE kind = 1), count(*) FILTER (WHERE kind = 2)
    FROM clicks WHERE organization_id = $1 AND NOT is_bot GROUP BY organization_id, local_day`;
