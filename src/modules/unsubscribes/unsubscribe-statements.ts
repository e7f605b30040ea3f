import type { PreparedStatement } from '../../infrastructure/database/database';

const LIST_COLUMNS = 'id, position, unsubscribed_at, method, sealed';
const COLUMNS = `${LIST_COLUMNS}, created_at`;
/** The entry of value `e`, forced to one index look-up per value: the planner chooses bad joins for large tables. */
const SAME_VALUE = `
  SELECT u.id FROM unsubscribes u WHERE u.organization_id = $1 AND u.channel = $2 AND u.value_hash = e.value_hash
     AND u.deleted_at IS NULL LIMIT 1`;
const OF_CHANNEL = 'organization_id = $1 AND channel = $2';

/** An entry by its value. */
export const FIND: PreparedStatement = {
  name: 'unsubscribes.find',
  text: `SELECT ${COLUMNS} FROM unsubscribes WHERE ${OF_CHANNEL} AND value_hash = $3 AND deleted_at IS NULL`,
};
export const FIND_BY_ID = `SELECT ${COLUMNS} FROM unsubscribes WHERE ${OF_CHANNEL} AND id = $3 AND deleted_at IS NULL`;
export const EXISTS: PreparedStatement = {
  name: 'unsubscribes.exists',
  text: `SELECT 1 FROM unsubscribes WHERE ${OF_CHANNEL} AND value_hash = $3 AND deleted_at IS NULL`,
};
export const HEAD: PreparedStatement = {
  name: 'unsubscribes.head',
  text: `SELECT position, total FROM unsubscribe_heads WHERE ${OF_CHANNEL}`,
};
// Reads head and entries in one snapshot, so that no change up to the head is missed.
export const LIST: PreparedStatement = {
  name: 'unsubscribes.list',
  text: `
    SELECT h.head, u.* FROM (
      SELECT coalesce((SELECT position FROM unsubscribe_heads WHERE ${OF_CHANNEL}), 0) AS head
    ) h LEFT JOIN LATERAL (
      SELECT ${LIST_COLUMNS} FROM unsubscribes
       WHERE ${OF_CHANNEL} AND deletion_position IS NULL AND position > $3
       ORDER BY position LIMIT $4
    ) u ON true
    ORDER BY u.position`,
};
/** A page of the registered entries, the most recent opt-out first. */
export const NEWEST = `
  SELECT ${LIST_COLUMNS} FROM unsubscribes
   WHERE ${OF_CHANNEL} AND deletion_position IS NULL
   ORDER BY unsubscribed_at DESC, id DESC OFFSET $3 LIMIT $4`;
export const DELETIONS: PreparedStatement = {
  name: 'unsubscribes.deletions',
  text: `
    SELECT h.head, u.* FROM (
      SELECT coalesce((SELECT position FROM unsubscribe_heads WHERE ${OF_CHANNEL}), 0) AS head
    ) h LEFT JOIN LATERAL (
      SELECT id, deletion_id, deletion_position, deleted_at, sealed FROM unsubscribes
       WHERE ${OF_CHANNEL} AND deleted_at IS NOT NULL AND deletion_position > $3
       ORDER BY deletion_position LIMIT $4
    ) u ON true
    ORDER BY u.deletion_position`,
};
/** Inserts entries that do not exist, at positions after $8, and advances the head, which must be locked. */
export const INSERT = `
  WITH fresh AS (
    SELECT e.*, row_number() OVER (ORDER BY n) AS step
      FROM unnest($3::bigint[], $4::bytea[], $5::text[], $6::text[], $7::timestamptz[], $10::bytea[])
           WITH ORDINALITY AS e (id, value_hash, method, sealed, unsubscribed_at, contact_index, n)
           LEFT JOIN LATERAL (${SAME_VALUE}) known ON true
     WHERE known.id IS NULL
  ), inserted AS (
    INSERT INTO unsubscribes
           (organization_id, channel, id, position, value_hash, method, sealed, unsubscribed_at, created_at,
            contact_index)
    SELECT $1::bigint, $2::smallint, id, $8::bigint + step, value_hash, method, sealed, unsubscribed_at, $9,
           contact_index
      FROM fresh
    RETURNING id, position
  ), moved AS (
    UPDATE unsubscribe_heads h SET position = h.position + c.count, total = h.total + c.count
      FROM (SELECT count(*) FROM inserted) c WHERE h.${OF_CHANNEL}
  )
  SELECT id, position FROM inserted ORDER BY position`;
/** Deletes entries, at positions after $4, and advances the head, which must be locked. */
export const DELETE = `
  WITH gone AS (
    SELECT known.id, e.deletion_id, row_number() OVER (ORDER BY n) AS step
      FROM unnest($3::bytea[], $6::bigint[]) WITH ORDINALITY AS e (value_hash, deletion_id, n),
           LATERAL (${SAME_VALUE}) known
  ), deleted AS (
    UPDATE unsubscribes u SET deleted_at = $5, deletion_position = $4::bigint + step,
           deletion_id = gone.deletion_id
      FROM gone WHERE u.organization_id = $1 AND u.id = gone.id
    RETURNING u.id, u.deletion_id, u.deletion_position, u.deleted_at, u.sealed, u.method, u.unsubscribed_at
  ), moved AS (
    UPDATE unsubscribe_heads h SET position = h.position + c.count, total = h.total - c.count
      FROM (SELECT count(*) FROM deleted) c WHERE h.${OF_CHANNEL}
  )
  SELECT * FROM deleted ORDER BY deletion_position`;

/** The values, among many, that are registered. */
export const KNOWN = `
  SELECT e.value_hash FROM unnest($3::bytea[]) AS e (value_hash), LATERAL (${SAME_VALUE}) known`;
/** Positions, among many values with their channels, of those that are registered. */
export const REGISTERED_INDEXES: PreparedStatement = {
  name: 'unsubscribes.which',
  text: `
    SELECT e.n::integer - 1 AS place
      FROM unnest($2::smallint[], $3::bytea[]) WITH ORDINALITY AS e (channel, value_hash, n),
           LATERAL (SELECT FROM unsubscribes u
                     WHERE u.organization_id = $1 AND u.channel = e.channel AND u.value_hash = e.value_hash
                       AND u.deleted_at IS NULL LIMIT 1) known`,
};
export const LOCK_HEAD = `SELECT position FROM unsubscribe_heads WHERE ${OF_CHANNEL} FOR UPDATE`;
export const MAKE_HEAD = `
  INSERT INTO unsubscribe_heads (organization_id, channel, position, total) VALUES ($1, $2, 0, 0)
  ON CONFLICT DO NOTHING`;
export const NEW_IDS = `SELECT nextval('unsubscribe_ids') AS id FROM generate_series(1, $1)`;
