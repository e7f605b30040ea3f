import { addAddresses } from './addresses';
import type { TestOrganization } from './factories';
import { HOSTILE } from './hostile';
import type { TestApp } from './test-app';

const PLAIN = 'plain words';
const WEB = 'https://shop.example.com/a';

/** Parts of a link that get the hostile value, one at a time. */
export const HOSTILE_PLACES = ['texts', 'scheme', 'addresses', 'destination'] as const;
export type HostilePlace = (typeof HOSTILE_PLACES)[number] | 'nothing';

/** A link with an app on each platform, written directly into the tables because validation would refuse it. */
export interface HostileLink {
  value: string;
  place: HostilePlace;
  path: string;
}

/** One link for each value and place, after two harmless ones, the second of which has no pictures. */
export async function hostileLinks(
  app: TestApp,
  { organizationId }: TestOrganization,
): Promise<HostileLink[]> {
  const links: HostileLink[] = ['/h0', '/h1'].map((path) => ({ value: PLAIN, place: 'nothing', path }));
  for (const value of HOSTILE)
    for (const place of HOSTILE_PLACES) links.push({ value, place, path: `/h${links.length}` });
  const rows = links.map(({ value, place, path }) => {
    const text = place === 'texts' ? value : PLAIN;
    const address = (usual: string) => (place === 'addresses' ? value : usual);
    return {
      code: path.slice(1),
      title: text,
      url: place === 'destination' ? value : WEB,
      image: path === '/h1' ? null : address('https://cdn.example.com/a.png'),
      scheme: place === 'scheme' ? value : 'exampleshop://',
      bundle: place === 'scheme' ? value : 'com.example.shop',
      store: address('https://apps.apple.com/app/id1'),
      deep: place === 'nothing' ? '/p/42' : value,
      mobile: place === 'destination' ? value : null,
    };
  });
  await app.sql(INSERT, [organizationId, JSON.stringify(rows)]);
  await addAddresses((sql) => app.sql(sql));
  return links;
}

const INSERT = `
  WITH wanted AS (
    SELECT * FROM json_to_recordset($2::json) AS t (code text, title text, url text, image text, scheme text,
      bundle text, store text, deep text, mobile text)
  ), made AS (
    INSERT INTO apps (organization_id, app_name, platform, path, bundle_id, scheme, store_url, app_icon_url, created_at,
                      api_key, api_key_hash, publishable_key)
    SELECT $1, title, platform, platform || code, bundle, scheme, store, image, now(),
           '', sha256(gen_random_uuid()::text::bytea), ''
      FROM wanted, unnest(ARRAY['iOS', 'Android']) AS platform
    RETURNING id, path
  )
  INSERT INTO links (organization_id, code, is_alias, original_url, title, og_title, og_description, og_image_url,
                     show_ad_page, ios_app_id, android_app_id, ios_deep_link_path, android_deep_link_path,
                     mobile_target_url, created_at, updated_at)
  SELECT $1, code, true, url, title, title, title, image, true, i.id, a.id, deep, deep, mobile, now(), now()
    FROM wanted JOIN made i ON i.path = 'iOS' || code JOIN made a ON a.path = 'Android' || code`;
