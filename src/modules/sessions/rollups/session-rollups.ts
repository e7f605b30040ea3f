import { Injectable } from '@nestjs/common';
import { STAGES } from '../funnel';
import { CompactedMonths } from '../../../infrastructure/database/compacted-months';
import { MERGED_TERMS } from '../../../infrastructure/database/sql-arrays';
import type { FunnelSum } from './funnel-sums';
import type { SessionDeltas } from './session-deltas';
import type { Session } from '../session';
import { Sums } from './sums';
import { addUserDays, type UserCount } from './user-days';
import { toSessionRow, updateSessions } from '../sessions.repository';
import { Database, type PreparedStatement, type Tx } from '../../../infrastructure/database/database';

/**
 * Writes the rollups of sessions, with changed sessions, installs and resolutions, in one statement within the
 * transaction of the change. Concurrent transactions use different slots, so that none waits for another.
 */
@Injectable()
export class SessionRollups {
  private readonly prepared = new Map<string, PreparedStatement>();

  constructor(
    private readonly database: Database,
    private readonly months: CompactedMonths,
  ) {}

  /** @param changed sessions that the transaction has locked and changed */
  async write(tx: Tx, sums: SessionDeltas, changed: readonly Session[] = []): Promise<void> {
    const users = await addUserDays(tx, sums.users);
    const counted = sums.rows();
    await this.months.invalidate(
      tx,
      'sessions',
      [...counted.goals, ...users].map(({ organization_id: organizationId, day }) => ({
        organizationId,
        day,
      })),
    );
    const write = this.prepare(sums, counted, changed, users);
    if (write) await tx.query(write.statement, write.values);
  }

  /** Writes without a transaction. @throws if there are users or goals, which need locks */
  async writeAlone(sums: SessionDeltas): Promise<void> {
    const counted = sums.rows();
    if (sums.users.length > 0 || counted.goals.length > 0) throw new Error('Needs a transaction');
    const write = this.prepare(sums, counted, [], []);
    if (write) await this.database.hot(write.statement, write.values);
  }

  /** @returns null if there is nothing to write */
  private prepare(
    { funnel }: SessionDeltas,
    counted: ReturnType<SessionDeltas['rows']>,
    changed: readonly Session[],
    users: readonly UserCount[],
  ): { statement: PreparedStatement; values: string[] } | null {
    const rows: Record<Part, readonly object[]> = {
      changed: changed.map(toSessionRow),
      funnel: funnel.rows().map(toFunnelRow),
      ...counted,
      users: sumOf(users),
    };
    const parts = PARTS.filter((part) => rows[part].length > 0);
    if (parts.length === 0) return null;
    return { statement: this.statementOf(parts), values: parts.map((part) => JSON.stringify(rows[part])) };
  }

  /** A prepared statement per combination of tables, because most changes write only a few. */
  private statementOf(parts: readonly Part[]): PreparedStatement {
    // Numbers instead of names, because Postgres truncates identifiers to 63 bytes.
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
] as const;
type Part = (typeof PARTS)[number];

/** One row per key, because a statement cannot change a row twice. */
function sumOf(counts: readonly UserCount[]): object[] {
  const sums = new Sums<Omit<UserCount, 'users'>, { users: number }>();
  for (const { users, ...key } of counts) sums.add(key, { users });
  return sums.rows();
}

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
    ios_installs: sum.iosInstalls,
    android_installs: sum.androidInstalls,
    terms: [...terms.keys()],
    counts: [...terms.values()],
  };
}

const SLOT = 'own AS MATERIALIZED (SELECT rollup_slot() AS slot)';

const plus = (figure: string) => `${figure} = stored.${figure} + excluded.${figure}`;

/** SQL that adds rows to a rollup. @param parameter placeholder of the rows as JSON */
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

/** SQL that inserts rows. @param parameter placeholder of the rows as JSON */
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
const FUNNEL_FIGURES = ['clicks', 'ios_clicks', 'android_clicks', 'ios_installs', 'android_installs'];
const OF_TARGET = ['organization_id', 'app_id', 'kind', 'tracked_link_id'];
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
  users: addTo('session_user_rollups', [...APP_DAY, 'gap'], ['users']),
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
};
