import { Injectable } from '@nestjs/common';
import { STAGES } from '../funnel';
import { ADVISORY_LOCK } from '../../../infrastructure/database/advisory-locks';

import { MERGED_TERMS } from '../../../infrastructure/database/sql-arrays';
import { Clock } from '../../../common/time/clock';
import type { FunnelSum } from './funnel-sums';
import type { SessionDeltas } from './session-deltas';
import { lateMonths } from './compacted-months';
import type { Session } from '../session';
import { toSessionRow, updateSessions } from '../sessions.repository';
import { Database } from '../../../infrastructure/database/database';
import type { PreparedStatement, Tx } from '../../../infrastructure/database/tx';

/**
 * Writes the rollups of sessions, with changed sessions, installs and resolutions, in one statement and in the
 * transaction of the change. Running transactions use different slots, so none waits for another.
 */
@Injectable()
export class SessionRollups {
  private readonly prepared = new Map<string, PreparedStatement>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @param changed sessions that the transaction has locked and changed */
  async write(tx: Tx, sums: SessionDeltas, changed: readonly Session[] = []): Promise<void> {
    const write = this.prepare(sums, changed);
    if (!write) return;
    if (sums.users.length > 0) {
      await tx.hot(LOCK_USERS, [sums.users.map((user) => user.user_key)]);
    }
    await tx.hot(write.statement, write.values);
  }

  /** Writes without a transaction. @throws if there are users, because they must be locked first */
  async writeAlone(sums: SessionDeltas): Promise<void> {
    if (sums.users.length > 0) throw new Error('Users are counted in a transaction that locks them');
    const write = this.prepare(sums, []);
    if (write) await this.database.hot(write.statement, write.values);
  }

  /** @returns null if there is nothing to write */
  private prepare(
    sums: SessionDeltas,
    changed: readonly Session[],
  ): { statement: PreparedStatement; values: string[] } | null {
    const counted = sums.rows();
    const rows: Record<Part, readonly object[]> = {
      changed: changed.map(toSessionRow),
      funnel: sums.funnel.rows().map(toFunnelRow),
      ...counted,
      lateMonths: this.lateMonthsOf([...counted.goals, ...counted.users]),
    };
    const parts = PARTS.filter((part) => rows[part].length > 0);
    if (parts.length === 0) return null;
    return { statement: this.statementOf(parts), values: parts.map((part) => JSON.stringify(rows[part])) };
  }

  /** Rows of `session_months` for months that these goals and users invalidate. */
  private lateMonthsOf(changes: readonly { organization_id: number; day: string }[]): object[] {
    const days = new Map<number, string[]>();
    for (const { organization_id: id, day } of changes) {
      const ofOrganization = days.get(id);
      if (ofOrganization) ofOrganization.push(day);
      else days.set(id, [day]);
    }
    return [...days].flatMap(([organization_id, of]) =>
      lateMonths(of, this.clock.now()).map((month) => ({ organization_id, month, is_compacted: false })),
    );
  }

  /** A prepared statement for each combination of tables, because most changes write only a few. */
  private statementOf(parts: readonly Part[]): PreparedStatement {
    // Numbers keep the name short, because Postgres truncates names to 63 bytes.
    const name = `sessions.${parts.map((part) => PARTS.indexOf(part)).join('.')}`;
    let statement = this.prepared.get(name);
    if (!statement) {
      const writes = parts.flatMap((part, i) => WRITE[part](`$${i + 1}`));
      statement = { name, text: `WITH ${[SLOT, ...writes].join(',')} SELECT FROM own` };
      this.prepared.set(name, statement);
    }
    return statement;
  }
}

const PARTS = [
  'changed',
  'sessions',
  'sources',
  'users',
  'goals',
  'campaignGoals',
  'transitions',
  'events',
  'funnel',
  'installs',
  'resolutions',
  'lateMonths',
] as const;
type Part = (typeof PARTS)[number];

function toFunnelRow({ organizationId, id, kind, minutes, startsAt, terms, ...sum }: FunnelSum): object {
  return {
    organization_id: organizationId,
    subject_id: id,
    starts_at: new Date(startsAt),
    subject_kind: kind,
    minutes,
    clicks: sum.clicks,
    ios_clicks: sum.iosClicks,
    android_clicks: sum.androidClicks,
    other_clicks: sum.otherClicks,
    ios_installs: sum.iosInstalls,
    android_installs: sum.androidInstalls,
    terms: [...terms.keys()],
    counts: [...terms.values()],
  };
}

const SLOT = 'own AS MATERIALIZED (SELECT rollup_slot() AS slot)';

const plus = (figure: string) => `${figure} = stored.${figure} + excluded.${figure}`;

/** SQL that adds rows to a rollup. `parameter` holds them as JSON. */
function addTo(table: string, key: readonly string[], figures: readonly string[], set = figures.map(plus)) {
  const columns = [...key, ...figures];
  return (parameter: string) => [
    `new_${table} AS (
       INSERT INTO ${table} AS stored (slot, ${columns.join(', ')})
       SELECT own.slot, ${columns.map((column) => `added.${column}`).join(', ')}
         FROM json_populate_recordset(NULL::${table}, ${parameter}::json) AS added, own
       ON CONFLICT (${key.join(', ')}, slot) DO UPDATE SET ${set.join(', ')})`,
  ];
}

/** SQL that inserts rows. `parameter` holds them as JSON. */
function insertInto(table: string, columns: readonly string[]) {
  const names = columns.join(', ');
  return (parameter: string) => [
    `new_${table} AS (
       INSERT INTO ${table} (${names})
       SELECT ${names} FROM json_populate_recordset(NULL::${table}, ${parameter}::json))`,
  ];
}

const APP_DAY = ['organization_id', 'app_id', 'day'];
const SUBJECT_DAY = ['organization_id', 'subject_kind', 'subject_id', 'day', 'app_id', 'platform'];
const FIGURES = ['sessions', 'converted', 'purchased', 'events', 'duration_seconds'];
const STAGE_SUMS = STAGES.map((_, i) => `stored.stages[${i + 1}] + excluded.stages[${i + 1}]`);
const FUNNEL_FIGURES = [
  'clicks',
  'ios_clicks',
  'android_clicks',
  'other_clicks',
  'ios_installs',
  'android_installs',
];
const OF_TARGET = ['organization_id', 'app_id', 'target_kind', 'target_id'];
const ON_DEVICE = ['platform', 'country', 'os_version', 'device_model'];
const INSTALL_COLUMNS = [...OF_TARGET, 'session_id', ...ON_DEVICE, 'installed_at'];
const RESOLUTION_COLUMNS = [...OF_TARGET, 'by_fingerprint', 'failure_reason', 'attempted_at'];

const WRITE: Readonly<Record<Part, (parameter: string) => string[]>> = {
  changed: (parameter) => [`saved AS (${updateSessions(parameter)})`],
  sessions: addTo(
    'session_rollups',
    SUBJECT_DAY,
    [...FIGURES, 'stages'],
    [...FIGURES.map(plus), `stages = ARRAY[${STAGE_SUMS.join(', ')}]`],
  ),
  sources: addTo('session_source_rollups', [...APP_DAY, 'utm_source'], ['sessions', 'converted']),
  users: addUsers,
  goals: addTo('goal_rollups', [...SUBJECT_DAY, 'goal_type', 'currency'], ['goals', 'value']),
  campaignGoals: addTo(
    'campaign_goal_rollups',
    ['organization_id', 'campaign_id', 'day', 'goal_type', 'currency'],
    ['goals', 'value'],
  ),
  transitions: addTo('transition_rollups', [...APP_DAY, 'from_platform', 'to_platform'], ['transitions']),
  events: addTo('event_rollups', [...APP_DAY, 'event_type'], ['events']),
  funnel: addTo(
    'funnel_rollups',
    ['organization_id', 'subject_kind', 'subject_id', 'minutes', 'starts_at'],
    [...FUNNEL_FIGURES, 'terms', 'counts'],
    [...FUNNEL_FIGURES.map(plus), `(terms, counts) = (${MERGED_TERMS})`],
  ),
  installs: insertInto('app_installs', INSTALL_COLUMNS),
  resolutions: insertInto('deep_link_resolutions', RESOLUTION_COLUMNS),
  // Waits for a running compaction, which does not see these changes.
  lateMonths: (parameter) => [
    `late_months AS (
       INSERT INTO session_months (organization_id, month, is_compacted)
       SELECT organization_id, month, false
         FROM json_populate_recordset(NULL::session_months, ${parameter}::json)
        ORDER BY organization_id, month
       ON CONFLICT (organization_id, month) DO UPDATE SET is_compacted = false)`,
  ],
};

/**
 * SQL that adds new days of users. A day counts by the gap since the user's previous day, and the next day of the user,
 * if there is one, is counted again with its smaller gap.
 */
function addUsers(parameter: string): string[] {
  const neighbour = (which: string, side: string) => `
    (SELECT ${which}(other.day) FROM session_users AS other
      WHERE other.organization_id = seen.organization_id AND other.app_id = seen.app_id
        AND other.user_key = seen.user_key AND other.day ${side} seen.day)`;
  return [
    `seen AS (
       INSERT INTO session_users (organization_id, app_id, user_key, day)
       SELECT organization_id, app_id, decode(user_key, 'hex'), day
         FROM json_to_recordset(${parameter}::json)
           AS t (organization_id bigint, app_id bigint, user_key text, day date)
       ON CONFLICT (organization_id, app_id, user_key, day) DO NOTHING
       RETURNING *)`,
    `placed AS (SELECT seen.*, ${neighbour('max', '<')} AS before, ${neighbour('min', '>')} AS after FROM seen)`,
    `new_users AS (
       INSERT INTO session_user_rollups AS stored (slot, organization_id, app_id, day, gap, users)
       SELECT own.slot, organization_id, app_id, t.day, t.gap, sum(t.users)
         FROM placed, own,
              LATERAL (VALUES (placed.day, coalesce(placed.day - before, -1), 1),
                              (after, coalesce(after - before, -1), -1),
                              (after, after - placed.day, 1)) AS t (day, gap, users)
        WHERE t.day IS NOT NULL
        GROUP BY own.slot, organization_id, app_id, t.day, t.gap
       ON CONFLICT (organization_id, app_id, day, gap, slot) DO UPDATE SET ${plus('users')})`,
  ];
}

// Serializes changes of a user, because concurrent ones would not see each other's days.
const LOCK_USERS = {
  name: 'sessions.lock-users',
  text: `
    SELECT pg_advisory_xact_lock(${ADVISORY_LOCK.sessionUsers}, hashtext(user_key))
      FROM unnest($1::text[]) AS user_key ORDER BY user_key`,
};
