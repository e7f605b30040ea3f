import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'pg';
import { isStoreFailure } from '../../../common/errors/store-failure';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { ownPool } from '../../../infrastructure/database/data-source';
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
  /** With it, a repeated event is known for one. */
  readonly clientTimestamp: Date | null;
  readonly clientTimezone: string | null;
  readonly receivedAt: Date;
  /** When it counts as having happened. */
  readonly occurredAt: Date;
  /** What it adds to the sum of the contact's activity; null: it is counted and no more. */
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

/** Parts of the statement are joined row by row, so that what it costs grows with the square beyond this. */
const MAX_BATCH = 100;

/** A commit that shares itself among few costs nearly what one of many does: the next begins no sooner than this. */
const COMMIT_EVERY_MS = 8;

/**
 * Keeps the events of sessions. One commit at a time; what arrives meanwhile shares the next one, so that batches
 * grow with the load by themselves, and an event costs a fraction of a transaction.
 */
@Injectable()
export class SessionEvents implements OnApplicationShutdown {
  private waiting: Waiting[] = [];
  private committing = false;

  /** Of its own: statements that are prepared once. */
  private readonly pool: Pool;

  constructor(@Inject(CONFIG) { databaseUrl }: Config) {
    this.pool = ownPool({
      connectionString: databaseUrl,
      max: 1,
      application_name: 'waypost session events',
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  /** @returns its id, that of the first one when it is repeated; null when the app has no such session */
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
      const pause = startedAt + COMMIT_EVERY_MS - performance.now();
      // One that came alone is followed by the next of the same client, if at all, which nobody else shares.
      if (batch.length > 1 && pause > 0) await delay(pause);
    }
    this.committing = false;
  }

  /** What one of them fails for is not the others' fault. */
  private async settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const ids = await this.commit(batch.map(({ event }) => event));
      batch.forEach(({ resolve }, i) => resolve(ids.get(i) ?? null));
    } catch (error) {
      if (batch.length === 1 || isStoreFailure(error)) for (const { reject } of batch) reject(error);
      else for (const one of batch) await this.settle([one]);
    }
  }

  /** @returns ids by the index of the event */
  private async commit(events: readonly SessionEvent[]): Promise<Map<number, number>> {
    const { rows } = await this.pool.query<Row>({
      name: 'record events',
      text: RECORD_EVENTS,
      values: [
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
      ],
    });
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
    const { rows } = await this.pool.query<{ index: number; id: number }>({
      name: 'find events',
      text: FIND_EVENTS,
      values: [
        wanted.map((event) => event.organizationId),
        wanted.map((event) => event.sessionId),
        wanted.map((event) => event.clientTimestamp),
        wanted.map((event) => event.eventType),
      ],
    });
    return rows.map(({ index, id }) => [indexes[index] ?? index, id] as const);
  }
}
