import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { isStoreFailure } from '../../../common/errors/store-failure';
import { GroupCommit } from '../../../common/group-commit';
import { Database } from '../../../infrastructure/database/database';
import type { OwnConnection } from '../../../infrastructure/database/own-connection';
import { FIND_EVENTS, RECORD_EVENTS } from './session-event-batch';

export interface SessionEvent {
  readonly organizationId: number;
  readonly appId: number;
  /** A UUID. */
  readonly sessionId: string;
  readonly eventType: string;
  /** A JSON object as text. */
  readonly eventData: string | null;
  /** Identifies repeats; an event without it never counts as a repeat. */
  readonly clientTimestamp: Date | null;
  readonly clientTimezone: string | null;
  readonly receivedAt: Date;
  /** Time of the event for statistics. */
  readonly occurredAt: Date;
  /** Amount added to the contact's metric; null if the event is only counted. */
  readonly amount: number | string | null;
}

interface Row {
  index: number;
  id: number | null;
}

/** The statement uses nested-loop joins, whose quadratic cost would dominate larger batches. */
const MAX_BATCH = 100;

/** Minimum interval between commits, because a small commit costs nearly as much as a large one. */
const COMMIT_INTERVAL_MS = 8;

/** Stores session events with group commit. */
@Injectable()
export class SessionEvents {
  private readonly connection: OwnConnection;
  private readonly commits = new GroupCommit((events: readonly SessionEvent[]) => this.commit(events), {
    max: MAX_BATCH,
    pause: pauseAfter,
    // Events of a failed batch are retried one by one, so that an invalid one does not fail the others.
    separates: (error) => !isStoreFailure(error),
  });

  constructor(database: Database) {
    this.connection = database.ownConnection('session events');
  }

  /** @returns id of the event, or of its first occurrence if it is a repeat; null if the app has no such session */
  async record(event: SessionEvent): Promise<number | null> {
    return (await this.commits.add(event)).get(event) ?? null;
  }

  private async commit(events: readonly SessionEvent[]): Promise<Map<SessionEvent, number>> {
    const rows = await this.connection.hot<Row>({ name: 'record events', text: RECORD_EVENTS }, [
      events.map((event) => event.organizationId),
      events.map((event) => event.appId),
      events.map((event) => event.sessionId),
      events.map((event) => event.eventType),
      events.map((event) => event.eventData),
      events.map((event) => event.clientTimestamp),
      events.map((event) => event.clientTimezone),
      events.map((event) => event.receivedAt),
      events.map((event) => event.occurredAt),
      events.map((event) => event.amount),
    ]);
    const repeated = rows.flatMap(({ index, id }) => (id === null ? (events[index] ?? []) : []));
    const found = repeated.length > 0 ? await this.find(repeated) : [];
    return new Map([...idsOf(rows, events), ...found]);
  }

  private async find(repeated: readonly SessionEvent[]): Promise<[SessionEvent, number][]> {
    const rows = await this.connection.hot<{ index: number; id: number }>(
      { name: 'find events', text: FIND_EVENTS },
      [
        repeated.map((event) => event.organizationId),
        repeated.map((event) => event.sessionId),
        repeated.map((event) => event.clientTimestamp),
        repeated.map((event) => event.eventType),
      ],
    );
    return idsOf(rows, repeated);
  }
}

/** @param rows with the index of their event */
function idsOf(rows: readonly Row[], events: readonly SessionEvent[]): [SessionEvent, number][] {
  return rows.flatMap(({ index, id }): [SessionEvent, number][] => {
    const event = events[index];
    return event && id !== null ? [[event, id]] : [];
  });
}

/** No pause after a single event, whose client sends the next one only after the response. */
async function pauseAfter(events: number, startedAt: number): Promise<void> {
  const pause = startedAt + COMMIT_INTERVAL_MS - performance.now();
  if (events > 1 && pause > 0) await delay(pause);
}
