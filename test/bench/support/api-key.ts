import type { DataSource } from 'typeorm';
import type { Permission } from '../../../src/access/caller';
import { hashKey, makeKey, displayPrefix } from '../../../src/access/api-keys/key-format';

/** Creates a user with an API key, as the console would. @param name distinguishes users of an organization */
export async function makeApiKey(
  database: DataSource,
  organizationId: number,
  permissions: readonly Permission[] = [],
  name = 'bench',
): Promise<string> {
  const key = makeKey('wp_live_');
  const [user] = await database.query<[{ id: number }]>(
    `INSERT INTO users (organization_id, username, password_hash, permissions, created_at, updated_at)
     VALUES ($1, $3 || '-' || $1::bigint, 'none', $2, now(), now()) RETURNING id`,
    [organizationId, permissions, name],
  );
  await database.query(
    `INSERT INTO api_keys (organization_id, user_id, name, hash, prefix, created_at)
     VALUES ($1, $2, 'Bench', $3, $4, now())`,
    [organizationId, user.id, hashKey(key), displayPrefix(key)],
  );
  return key;
}
