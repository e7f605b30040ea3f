import type { DataSource } from 'typeorm';

/**
 * Bulk-loads contacts with activity, without encrypted fields, which the conditions of segments do not read.
 */
export async function loadContacts(
  database: DataSource,
  organizationId: number,
  contacts: number,
): Promise<void> {
  await database.query(CONTACTS, [organizationId, contacts]);
  await database.query(ACTIVITIES, [organizationId]);
}

const CONTACTS = `
  INSERT INTO contacts (organization_id, id, external_user_id, origin, name, search_name, sms_opt_in, sms_ad_opt_in, tags,
                        custom_fields, created_at, updated_at)
  SELECT $1::bigint, nextval('contact_ids'), 'member-' || n, 'API', 'Member ' || n, 'member ' || n, n % 2 = 0, n % 3 = 0,
         CASE WHEN n % 5 = 0 THEN ARRAY['vip', 'news'] ELSE ARRAY['news'] END,
         jsonb_build_object('grade', (ARRAY['gold', 'silver', 'bronze'])[1 + n % 3], 'visits', (n % 200)::text,
                            'signup_date', to_char(now() - (n % 700) * interval '1 day', 'YYYY-MM-DD')),
         now() - (n % 700) * interval '1 day', now()
    FROM generate_series(1, $2::int) AS n`;

const ACTIVITIES = `
  INSERT INTO contact_activities (organization_id, contact_id, metric, first_at, last_at, count, sum)
  SELECT organization_id, id, metric, created_at, now() - (id % 90) * interval '1 day', 1 + id % 40, (id % 1000) * 1.5
    FROM contacts, unnest(ARRAY['login', 'purchase', 'app_open']) AS metric
   WHERE organization_id = $1 AND (metric = 'login' OR id % 4 = 0)
   ORDER BY id, metric`;
