import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../access/caller';
import { NotFound } from '../../common/errors/errors';
import { Page, type PageQuery } from '../../common/pagination/page';
import { Clock } from '../../common/time/clock';
import { parseDateTime } from '../../common/time/parse';
import { Database } from '../../infrastructure/database/database';
import { forEndUser, withUserAgent } from '../sessions/end-user.dto';
import { occurredAt } from '../sessions/goal';
import { SessionLifecycle } from '../sessions/session-lifecycle';
import { SessionEventListQuery } from '../sessions/events/session-event-list.query';
import { type SessionEvent, SessionEvents } from '../sessions/events/session-events';
import { sessionIdOf } from '../sessions/session-ids';
import { SessionStore } from '../sessions/session-store';
import type { RecordEventRequest, RecordEventResponse, SessionEventResponse } from './session-events.dto';

@Injectable()
export class SessionEventsService {
  constructor(
    private readonly events: SessionEvents,
    private readonly listQuery: SessionEventListQuery,
    private readonly sessions: SessionStore,
    private readonly lifecycle: SessionLifecycle,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Records an event, which creates an unknown session, like a stage. @throws NotFound for another app's session */
  async record(app: AppCaller, request: RecordEventRequest): Promise<RecordEventResponse> {
    const { sessionId, eventType } = request;
    const event = this.toEvent(app, request);
    let eventId = await this.events.record(event);
    if (eventId === null) {
      const caller = forEndUser(app, request);
      const facts = { deviceInfo: withUserAgent(null, request) };
      await this.sessions.transact(caller, event.sessionId, (tx) =>
        this.lifecycle.begin(tx, caller, event.sessionId, null, facts),
      );
      eventId = await this.events.record(event);
    }
    if (eventId === null) throw new NotFound('Session');
    return { success: true, eventId, sessionId, eventType };
  }

  /** @throws NotFound */
  async list(app: AppCaller, name: string, query: PageQuery): Promise<Page<SessionEventResponse>> {
    const sessionId = sessionIdOf(app.appId, name);
    await this.sessions.get(app, sessionId);
    const { events, total } = await this.database.report(app.organizationId, (tx) =>
      this.listQuery.run(tx, app.organizationId, sessionId, query),
    );
    return Page.of(events, total, query);
  }

  private toEvent(app: AppCaller, request: RecordEventRequest): SessionEvent {
    const { organizationId, appId, organization } = app;
    const { sessionId, eventType, eventData, clientTimestamp, clientTimezone } = request;
    const at = clientTimestamp ? parseDateTime(clientTimestamp) : null;
    const receivedAt = this.clock.date();
    return {
      organizationId,
      appId,
      sessionId: sessionIdOf(appId, sessionId),
      eventType,
      eventData: eventData ? JSON.stringify(eventData) : null,
      clientTimestamp: at,
      clientTimezone: clientTimezone ?? null,
      receivedAt,
      occurredAt: occurredAt(at, receivedAt),
      amount: eventData ? addedAmount(eventData, organization.baseCurrency) : null,
    };
  }
}

/** Limits the digits, so that the sum of many amounts fits its column. */
const AMOUNT = /^-?\d{1,15}(\.\d{1,30})?$/;

/**
 * The amount that an event adds to its metric: `amount`, as a number or a numeric string. With a `currency`, it counts
 * only in the organization's base currency (docs/concepts/sessions.md#activity).
 */
function addedAmount(data: Record<string, unknown>, baseCurrency: string): string | null {
  const { amount, currency } = data;
  const isOther = typeof currency === 'string' && currency !== '' && currency.toUpperCase() !== baseCurrency;
  if (isOther || (typeof amount !== 'number' && typeof amount !== 'string')) return null;
  const text = typeof amount === 'number' ? plain(amount) : amount.trim();
  return AMOUNT.test(text) ? text : null;
}

/** Decimal notation of small numbers, which JavaScript prints with an exponent; large ones stay invalid. */
function plain(amount: number): string {
  return Math.abs(amount) < 1e-6 ? '0' : String(amount);
}
