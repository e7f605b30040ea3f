import { InvalidCursor } from '../../../common/errors/errors';

/** A Postgres snapshot, which defines the visible transactions: `xmin:xmax:xip,…`. */
export type Snapshot = string;

/** SQL for the time of Postgres's last start after a crash, or of a later reset of its statistics. */
export const CRASHED_AT = `(SELECT coalesce(stats_reset, to_timestamp(0)) FROM pg_stat_wal) AS crash (crashed_at)`;

/** A point in the history of the database. */
export interface Moment {
  readonly snapshot: Snapshot;
  /** Milliseconds by Postgres's clock, not later than the snapshot. */
  readonly at: number;
}

/**
 * How much of a feed has been read (docs/adr/0046-live-clicks-are-read-by-snapshots.md): the batches visible at `since`
 * and, while a read towards `to` is in progress, also those visible at `to` up to that part of the transaction.
 */
export interface FeedPosition {
  readonly since: Moment;
  readonly towards: { readonly to: Moment; readonly tx: number; readonly part: number } | null;
}

/** A position in an organization's feed, which started at `startedAt`, in milliseconds by Postgres's clock. */
export interface FeedCursor {
  readonly startedAt: number;
  readonly position: FeedPosition;
}

export function positionAt(moment: Moment): FeedPosition {
  return { since: moment, towards: null };
}

/** The range of transaction ids that a snapshot must be asked about: all before are visible, none after. */
export function boundsOf(snapshot: Snapshot): [xmin: number, xmax: number] {
  const [xmin, xmax] = snapshot.split(':', 2).map(Number);
  return [xmin ?? 0, xmax ?? 0];
}

/** The cursor of a position, sent as the id of an event. */
export function cursorOf({ startedAt, position: { since, towards } }: FeedCursor): string {
  const fields = [startedAt.toString(36), ...fieldsOf(since)];
  if (towards) fields.push(...fieldsOf(towards.to), String(towards.tx), String(towards.part));
  return fields.join('-');
}

function fieldsOf({ at, snapshot }: Moment): string[] {
  return [at.toString(36), snapshot];
}

const TIME = '([0-9a-z]{1,10})';
const SNAPSHOT = '(\\d{1,15}:\\d{1,15}:(?:\\d{1,15}(?:,\\d{1,15})*)?)';
const CURSOR = new RegExp(`^${TIME}-${TIME}-${SNAPSHOT}(?:-${TIME}-${SNAPSHOT}-(\\d{1,15})-(\\d{1,9}))?$`);

/** @throws InvalidCursor */
export function readLiveCursor(cursor: string): FeedCursor {
  const [, startedAt = '', at = '', snapshot = '', toAt, toSnapshot = '', tx, part] =
    CURSOR.exec(cursor) ?? [];
  const since = { at: parseInt(at, 36), snapshot };
  const to = toAt === undefined ? null : { at: parseInt(toAt, 36), snapshot: toSnapshot };
  if (!isSnapshot(snapshot) || (to && !isSnapshot(to.snapshot))) {
    throw new InvalidCursor('lastEventId', 'must be the id of an event of this stream');
  }
  const towards = to && { to, tx: Number(tx), part: Number(part) };
  return { startedAt: parseInt(startedAt, 36), position: { since, towards } };
}

/** Whether Postgres accepts it: its transactions are in order and within the bounds. */
function isSnapshot(text: string): boolean {
  const [xmin, xmax] = boundsOf(text);
  const running = text.slice(text.lastIndexOf(':') + 1);
  const ids = running === '' ? [] : running.split(',').map(Number);
  return xmin > 0 && xmin <= xmax && ids.every((id, i) => id >= xmin && id < xmax && id > (ids[i - 1] ?? 0));
}
