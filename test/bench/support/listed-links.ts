import type { DataSource } from 'typeorm';
import { loadLinks } from './stores';

/**
 * Loads an organization with links whose settings differ: two apps, ten custom domains, a hundred campaigns, tags and
 * users, some of them archived, switched off, expired or unhealthy, four of five with clicks.
 */
export async function loadListedLinks(database: DataSource, links: number): Promise<number> {
  const organizationId = await loadLinks(database, 0);
  await database.query(
    `INSERT INTO apps (organization_id, app_name, platform, bundle_id, path, created_at, api_key, api_key_hash)
     SELECT $1, 'Shop', platform, 'com.example.shop', platform || $1::bigint, now(), '', sha256(gen_random_uuid()::text::bytea)
       FROM unnest(ARRAY['iOS', 'Android']) AS platform`,
    [organizationId],
  );
  await database.query(
    `INSERT INTO custom_domains (organization_id, domain_name, status, created_at)
     SELECT $1, 'd' || n || '-' || $1::bigint || '.example', 'ACTIVE', now() FROM generate_series(1, 10) AS n`,
    [organizationId],
  );
  await database.query(LINKS, [organizationId, links]);
  await database.query(
    `INSERT INTO click_totals (organization_id, tracked_link_id, kind, slot, clicks, bot_clicks)
     SELECT organization_id, id, 1, 0, id * 7919 % 10007, 3 FROM links WHERE organization_id = $1 AND id % 5 <> 0`,
    [organizationId],
  );
  await database.query(
    `UPDATE link_health SET status = CASE WHEN tracked_link_id % 47 = 0 THEN 'unhealthy' ELSE 'healthy' END
      WHERE organization_id = $1 AND tracked_link_id % 13 <> 1`,
    [organizationId],
  );
  return organizationId;
}

const LINKS = `
  WITH apps AS (SELECT array_agg(id ORDER BY id) AS ids FROM apps WHERE organization_id = $1),
  domains AS (SELECT array_agg(id ORDER BY id) AS ids FROM custom_domains WHERE organization_id = $1)
  INSERT INTO links (organization_id, code, original_url, title, domain_id, ios_app_id, android_app_id, utm_campaign, tags,
                     tag_keys, enabled, archived, created_by, created_at, updated_at, expires_at)
  SELECT $1::bigint, substr(md5($1::bigint || '/' || n), 1, 7) || n,
         'https://shop.example.com/products/' || n || '?ref=bench', CASE WHEN n % 3 > 0 THEN 'Product ' || n * 7919 % 50021 END,
         CASE WHEN n % 5 = 0 THEN domains.ids[(1 + n / 5 % 10)::int] ELSE 0 END,
         CASE WHEN n % 19 = 1 THEN apps.ids[1] END, CASE WHEN n % 19 = 2 THEN apps.ids[2] END,
         CASE WHEN n % 3 = 0 THEN 'campaign-' || n % 103 END, tags, tags, n % 53 > 0, n % 11 = 0, n % 101,
         now() - n * 7919 % 700001 * interval '100 seconds', now() - n * 104729 % 700001 * interval '50 seconds',
         CASE WHEN n % 2 = 0 THEN timestamptz '2026-01-01' + n * 7907 % 700001 * interval '60 seconds' END
    FROM generate_series(1::bigint, $2::bigint) AS n, apps, domains,
         LATERAL (SELECT CASE n % 4 WHEN 0 THEN ARRAY['even', 'tag-' || n % 97] WHEN 3 THEN ARRAY['tag-' || n % 97]
                         ELSE '{}' END AS tags) AS tagged`;
