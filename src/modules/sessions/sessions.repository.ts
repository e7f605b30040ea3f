import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND, trackedLinkKindOf } from '../clicks/click';
import type { Session } from './session';
import { Database, type Tx } from '../../infrastructure/database/database';

/** Columns that store a field unchanged. */
const PLAIN = {
  organization_id: 'organizationId',
  id: 'id',
  app_id: 'appId',
  platform: 'platform',
  first_platform: 'firstPlatform',
  external_user_id: 'externalUserId',
  goal_type: 'goalType',
  device_info: 'deviceInfo',
  utm_source: 'utmSource',
  utm_medium: 'utmMedium',
  utm_term: 'utmTerm',
  utm_content: 'utmContent',
  referrer: 'referrer',
  landing_url: 'landingUrl',
  country: 'country',
  custom_id: 'customId',
  click_id: 'clickId',
  client_timestamp: 'clientTimestamp',
  client_timezone: 'clientTimezone',
  started_at: 'startedAt',
  day: 'day',
  last_activity_at: 'lastActivityAt',
  stages: 'stages',
  stage_times: 'stageTimes',
  purchased: 'purchased',
  events: 'events',
  publishable: 'publishable',
} as const satisfies Record<string, keyof Session>;

type PlainColumn = keyof typeof PLAIN;
type PlainRow = { [C in PlainColumn]: Session[(typeof PLAIN)[C]] };

/** A row as read, and as JSON for json_populate_recordset. */
export type StoredSession = PlainRow & { kind: number | null; tracked_link_id: number | null };

const PLAIN_COLUMNS = Object.keys(PLAIN) as PlainColumn[];
const COLUMNS = [...PLAIN_COLUMNS, 'kind', 'tracked_link_id'];
const KEY = ['organization_id', 'id'];

export function toSessionRow(session: Session): StoredSession {
  const plain = Object.fromEntries(PLAIN_COLUMNS.map((column) => [column, session[PLAIN[column]]]));
  const { trackedLink } = session;
  return {
    ...(plain as PlainRow),
    kind: trackedLink && TRACKED_LINK_KIND[trackedLink.kind],
    tracked_link_id: trackedLink && trackedLink.id,
  };
}

export function fromSessionRow(row: StoredSession): Session {
  const plain = Object.fromEntries(PLAIN_COLUMNS.map((column) => [PLAIN[column], row[column]]));
  const { kind, tracked_link_id: id } = row;
  return {
    ...(plain as unknown as Session),
    trackedLink: kind === null || id === null ? null : { kind: trackedLinkKindOf(kind), id },
  };
}

/** Rows of `funnel_sessions`. Changes are written by SessionRollups, together with the rollups. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly database: Database) {}

  async find(organizationId: number, id: string, tx?: Tx): Promise<Session | null> {
    const [row] = await this.database.hot<StoredSession>(FIND, [organizationId, id], tx);
    return row ? fromSessionRow(row) : null;
  }

  /** Finds a session and locks it until the transaction ends. */
  async lock(tx: Tx, organizationId: number, id: string): Promise<Session | null> {
    const [row] = await tx.query<StoredSession>(LOCK, [organizationId, id]);
    return row ? fromSessionRow(row) : null;
  }

  /** A member's sessions, oldest first. */
  async ofMember(organizationId: number, externalUserId: string): Promise<Session[]> {
    const member = [organizationId, externalUserId];
    const rows = await this.database.reportRows<StoredSession>(organizationId, OF_MEMBER, member);
    return rows.map(fromSessionRow);
  }

  /** Erases personal data in a member's sessions, which stay locked. @returns their ids */
  async forgetMember(tx: Tx, organizationId: number, externalUserId: string): Promise<string[]> {
    const member = [organizationId, externalUserId];
    const rows = await tx.query<{ id: string }>(LOCK_OF_MEMBER, member);
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await tx.query(FORGET, [organizationId, ids]);
    return ids;
  }

  /** Inserts sessions whose ids do not exist yet. @returns the number of inserted sessions */
  async insert(tx: Tx, sessions: readonly Session[]): Promise<number> {
    const rows = await tx.query<{ added: number }>(INSERT, [JSON.stringify(sessions.map(toSessionRow))]);
    return rows[0]?.added ?? 0;
  }

  async remove(tx: Tx, { organizationId, id }: Session): Promise<void> {
    await tx.query(REMOVE, [organizationId, id]);
  }
}

export const SELECT_SESSIONS = `SELECT ${COLUMNS.join(', ')} FROM funnel_sessions`;
const SELECT = `${SELECT_SESSIONS} WHERE organization_id = $1 AND id = $2`;

const FIND = { name: 'sessions.find', text: SELECT };

const LOCK = { name: 'sessions.lock', text: `${SELECT} FOR UPDATE` };

const MEMBER = 'organization_id = $1 AND external_user_id = $2';

const OF_MEMBER = `${SELECT_SESSIONS} WHERE ${MEMBER} ORDER BY started_at, id`;

// In the order in which event batches lock, to avoid deadlocks.
const LOCK_OF_MEMBER = {
  name: 'sessions.lock-of-member',
  text: `SELECT id FROM funnel_sessions WHERE ${MEMBER} ORDER BY id FOR UPDATE`,
};

// Keeps the fields that rollups are derived from.
const FORGET = {
  name: 'sessions.forget',
  text: `
    UPDATE funnel_sessions
       SET external_user_id = NULL, device_info = NULL, referrer = NULL, landing_url = NULL, client_timezone = NULL,
           click_id = NULL
     WHERE organization_id = $1 AND id = ANY ($2::uuid[])`,
};

const INSERT = {
  name: 'sessions.insert',
  text: `
    WITH added AS (
      INSERT INTO funnel_sessions (${COLUMNS.join(', ')})
      SELECT ${COLUMNS.join(', ')} FROM json_populate_recordset(NULL::funnel_sessions, $1::json)
      ON CONFLICT (organization_id, id) DO NOTHING
      RETURNING 1
    )
    SELECT count(*) AS added FROM added`,
};

const REMOVE = {
  name: 'sessions.remove',
  text: 'DELETE FROM funnel_sessions WHERE organization_id = $1 AND id = $2',
};

/** SQL that updates all columns except the key. @param parameter placeholder of the rows as JSON */
export function updateSessions(parameter: string): string {
  const changed = COLUMNS.filter((column) => !KEY.includes(column));
  return `
    UPDATE funnel_sessions AS stored
       SET ${changed.map((column) => `${column} = changed.${column}`).join(', ')}
      FROM json_populate_recordset(NULL::funnel_sessions, ${parameter}::json) AS changed
     WHERE stored.organization_id = changed.organization_id AND stored.id = changed.id`;
}
