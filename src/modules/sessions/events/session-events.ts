import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { isStoreFailure } from '../../../common/errors/store-failure';
import { Database } from '../../../infrastructure/database/database';
import type { OwnConnection } from '../../../infrastructure/database/own-connection';
import { FIND_EVENTS, RECORD_EVENTS } from './session-event-batch';

/** Something that happened in a session. */
export interface SessionEvent {
  readonly organizationId: number;
  readonly appId: number;
  /** A UUID. */
  readonly sessionId: string;
  readonly eventType: string;
  /** A JSON object as text. */
  readonly eventData: string | null;
  /** Identifies repeats; events without it are never considered repeated. */
  readonly clientTimestamp: Date | null;
  readonly clientTimezone: string | null;
  readonly receivedAt: Date;
  /** Time of the event for statistics. */
  readonly occurredAt: Date;
  /** Added to the sum of the contact's metric; null if the event is only counted. */
  readonly amount: number | string | null;
}

interface Waiting {
  readonly event: SessionEvent;
  readonly resolve: (id: number | null) => void;
  readonly reject: (error: unknown) => void;
}

interface Row {
  index: number;
  id: number | null;
}

/** The statement uses nested-loop joins, whose quadratic cost dominates in larger batches. */
const MAX_BATCH = 100;

/** Minimum interval between commits: a small one costs nearly as much as a large one. */
const COMMIT_INTERVAL_MS = 8;

/**
 * Stores session events with group commit: one commit runs at a time, and events that arrive meanwhile share the next
 * one, so that batches grow with the load.
 */
@Injectable()
export class SessionEvents {
  private waiting: Waiting[] = [];
  private committing = false;

  private readonly connection: OwnConnection;

  constructor(database: Database) {
    this.connection = database.ownConnection('session events');
  }

  /** @returns id of the event, or of its first occurrence if it is a repeat; null if the app has no such session */
  record(event: SessionEvent): Promise<number | null> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ event, resolve, reject });
      if (!this.committing) void this.commitAll();
    });
  }

  private async commitAll(): Promise<void> {
    this.committing = true;
    while (this.waiting.length > 0) {
      const startedAt = performance.now();
      const batch = this.waiting.splice(0, MAX_BATCH);
      await this.settle(batch);
      const pause = startedAt + COMMIT_INTERVAL_MS - performance.now();
      // After a single event, waiting is pointless: its client sends the next one only after the response.
      if (batch.length > 1 && pause > 0) await delay(pause);
    }
    this.committing = false;
  }

  /** Retries a failed batch event by event, so that an invalid one does not fail the others. */
  private async settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const ids = await this.commit(batch.map(({ event }) => event));
      batch.forEach(({ resolve }, i) => resolve(ids.get(i) ?? null));
    } catch (error) {
      if (batch.length === 1 || isStoreFailure(error)) for (const { reject } of batch) reject(error);
      else for (const one of batch) await this.settle([one]);
    }
  }

  /** @returns ids by index of the event */
  private async commit(events: readonly SessionEvent[]): Promise<Map<number, number>> {
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
    const ids = new Map(rows.flatMap(({ index, id }) => (id === null ? [] : [[index, id] as const])));
    const repeated = rows.flatMap(({ index, id }) => (id === null ? [index] : []));
    if (repeated.length > 0) for (const [index, id] of await this.find(events, repeated)) ids.set(index, id);
    return ids;
  }

  private async find(
    events: readonly SessionEvent[],
    indexes: readonly number[],
  ): Promise<(readonly [number, number])[]> {
    const wanted = indexes.flatMap((i) => events[i] ?? []);
    const rows = await this.connection.hot<{ index: number; id: number }>(
      { name: 'find events', text: FIND_EVENTS },
      [
        wanted.map((event) => event.organizationId),
        wanted.map((event) => event.sessionId),
        wanted.map((event) => event.clientTimestamp),
        wanted.map((event) => event.eventType),
      ],
    );
    return rows.map(({ index, id }) => [indexes[index] ?? index, id] as const);
  }
}
