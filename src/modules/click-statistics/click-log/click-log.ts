import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import type { Caller } from '../../../access/caller';
import { InvalidCursor, InvalidDateRange } from '../../../common/errors/errors';
import { Clock } from '../../../common/time/clock';
import { DAY_MS } from '../../../common/time/months';
import type { TrackedLinkKind } from '../../clicks/click';
import {
  type ClickListResponse,
  type ClicksQuery,
  type ListClicksQuery,
  toClickResponse,
} from './click-log.dto';
import { ClickLogQuery, type ClickPosition, type ClickSelection, type LoggedClick } from './click-log.query';

/** The link or campaign of a log, checked to be the organization's. */
export interface LoggedLink {
  readonly kind: TrackedLinkKind;
  readonly id: number;
}

/** The latest time that both Postgres and JavaScript support. */
const END_OF_TIME = new Date('9999-12-31T23:59:59.999Z');

/** Individual clicks (docs/concepts/clicks.md). */
@Injectable()
export class ClickLog {
  constructor(
    private readonly query: ClickLogQuery,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidDateRange, InvalidCursor */
  async list(caller: Caller, link: LoggedLink, query: ListClicksQuery): Promise<ClickListResponse> {
    const { selection, before } = this.select(caller, link, query);
    const start = query.cursor ? earlier(before, readCursor(query.cursor)) : before;
    const clicks = await this.query.read(selection, start, query.limit + 1);
    const page = clicks.slice(0, query.limit);
    const last = page.at(-1);
    return {
      items: page.map(toClickResponse),
      nextCursor: last && clicks.length > page.length ? cursorAfter(last) : null,
    };
  }

  /**
   * All clicks of a range, in batches. No connection is held while the reader is slow.
   * @throws InvalidDateRange, before anything is read
   */
  batches(caller: Caller, link: LoggedLink, query: ClicksQuery, size: number): AsyncGenerator<LoggedClick[]> {
    const { selection, before } = this.select(caller, link, query);
    return this.readAll(selection, before, size);
  }

  private async *readAll(
    selection: ClickSelection,
    before: ClickPosition,
    size: number,
  ): AsyncGenerator<LoggedClick[]> {
    for (let position: ClickPosition | undefined = before; position;) {
      const clicks: LoggedClick[] = await this.query.read(selection, position, size);
      yield clicks;
      position = clicks.length === size ? clicks.at(-1) : undefined;
    }
  }

  private select(
    { organizationId, organization }: Caller,
    link: LoggedLink,
    { startDate, endDate, timeZone, bots }: ClicksQuery,
  ): { selection: ClickSelection; before: ClickPosition } {
    if (startDate && endDate && startDate > endDate) {
      throw new InvalidDateRange('startDate', 'must not be after endDate');
    }
    const today = Math.floor(this.clock.now() / DAY_MS) * DAY_MS;
    const kept = today - (organization.limits.clickRetentionDays - 1) * DAY_MS;
    const from = new Date(startDate ? Math.max(startOfDay(startDate, timeZone), kept) : kept);
    const to = endDate ? new Date(startOfDay(endDate, timeZone, 1)) : END_OF_TIME;
    const selection = { organizationId, kind: link.kind, trackedLinkId: link.id, bots, from };
    return { selection, before: { clickedAt: to, id: 0 } };
  }
}

function startOfDay(day: string, zone = 'utc', later = 0): number {
  // In some zones, a day may start at one o'clock.
  return DateTime.fromISO(day, { zone }).plus({ days: later }).startOf('day').toMillis();
}

function earlier(a: ClickPosition, b: ClickPosition): ClickPosition {
  return a.clickedAt < b.clickedAt ? a : b;
}

const CURSOR_BYTES = 16;
const CURSOR = /^[A-Za-z0-9_-]{22}$/;

function cursorAfter({ clickedAt, id }: ClickPosition): string {
  const bytes = Buffer.alloc(CURSOR_BYTES);
  bytes.writeBigUInt64BE(BigInt(clickedAt.getTime()));
  bytes.writeBigUInt64BE(BigInt(id), 8);
  return bytes.toString('base64url');
}

function readCursor(cursor: string): ClickPosition {
  const bytes = Buffer.from(cursor, 'base64url');
  if (!CURSOR.test(cursor) || bytes.toString('base64url') !== cursor) throw new InvalidCursor();
  const [at, id] = [Number(bytes.readBigUInt64BE()), Number(bytes.readBigUInt64BE(8))];
  if (at > END_OF_TIME.getTime() || !Number.isSafeInteger(id)) throw new InvalidCursor();
  return { clickedAt: new Date(at), id };
}
