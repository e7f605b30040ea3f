import { Injectable, type OnModuleInit } from '@nestjs/common';
import { toDateTime } from '../../common/time/format';
import { ClicksOfCustomer } from '../click-statistics/customers/clicks-of-customer.query';
import type { Contact } from '../contacts/contact';
import { PersonalData } from '../contacts/personal-data/personal-data';
import { WebhookOutbox } from '../webhooks/outbox/webhook-outbox';
import { subjectOfMember, subjectOfSession } from './events/session-webhooks';
import { SessionEventListQuery } from './events/session-event-list.query';
import { SessionsRepository } from './sessions.repository';
import { presentSession } from './session-presenter';
import { Database, type Tx } from '../../infrastructure/database/database';

interface GoalRow {
  occurredAt: Date;
  goalValue: string;
}

/**
 * Exports and erases, by member id, sessions and the clicks whose `cid` is that id. Erasure anonymizes sessions, events
 * and goals instead of deleting them, because the rollups are derived from them.
 */
@Injectable()
export class SessionPersonalData implements OnModuleInit {
  constructor(
    private readonly persons: PersonalData,
    private readonly sessions: SessionsRepository,
    private readonly events: SessionEventListQuery,
    private readonly clicks: ClicksOfCustomer,
    private readonly outbox: WebhookOutbox,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    const of =
      (find: (organizationId: number, member: string) => Promise<object[]>) =>
      ({ organizationId, externalUserId }: Contact) =>
        externalUserId === null ? Promise.resolve([]) : find(organizationId, externalUserId);
    this.persons.register({
      name: 'sessions',
      find: of((organizationId, member) => this.sessionsOf(organizationId, member)),
      forget: (tx, person) => this.forget(tx, person),
    });
    this.persons.register({
      name: 'clicks',
      find: of((organizationId, member) => this.clicksOf(organizationId, member)),
    });
    this.persons.register({
      name: 'sessionEvents',
      find: of((organizationId, member) => this.events.ofMember(organizationId, member)),
    });
    this.persons.register({
      name: 'goals',
      find: of((organizationId, member) => this.goalsOf(organizationId, member)),
    });
  }

  private async sessionsOf(organizationId: number, member: string): Promise<object[]> {
    return (await this.sessions.ofMember(organizationId, member)).map(presentSession);
  }

  private async clicksOf(organizationId: number, member: string): Promise<object[]> {
    const clicks = await this.clicks.find(organizationId, member);
    return clicks.map(({ clickedAt, ...click }) => ({ ...click, clickedAt: toDateTime(clickedAt) }));
  }

  private async goalsOf(organizationId: number, member: string): Promise<object[]> {
    const goals = await this.database.reportRows<GoalRow>(organizationId, GOALS, [organizationId, member]);
    return goals.map(({ occurredAt, goalValue, ...goal }) => ({
      ...goal,
      goalValue: Number(goalValue),
      occurredAt: toDateTime(occurredAt),
    }));
  }

  private async forget(tx: Tx, { organizationId, externalUserId }: Contact): Promise<void> {
    if (externalUserId === null) return;
    const sessions = await this.sessions.forgetMember(tx, organizationId, externalUserId);
    await tx.query(FORGET, [organizationId, sessions]);
    await tx.query(FORGET_GOALS, [organizationId, externalUserId]);
    const other = await this.clicks.forget(tx, organizationId, externalUserId);
    for (const statement of FORGET_CUSTOMER)
      await tx.query(statement, [organizationId, externalUserId, other]);
    const subjects = [subjectOfMember(externalUserId), ...sessions.map(subjectOfSession)];
    await this.outbox.forget(tx, organizationId, ...subjects);
  }
}

const GOALS = `
  SELECT id AS "goalId", session_id AS "sessionId", app_id AS "appId", goal_type AS "goalType", value AS "goalValue",
         currency, transaction_id AS "transactionId", platform, occurred_at AS "occurredAt"
    FROM goals WHERE organization_id = $1 AND external_user_id = $2 ORDER BY occurred_at, id`;

const OF_SESSIONS = 'WHERE organization_id = $1 AND session_id = ANY ($2::uuid[])';

// Events are kept, so that repeats are still recognized.
const FORGET = `UPDATE session_events SET event_data = NULL, client_timezone = NULL ${OF_SESSIONS}`;

/** Data of sessions that the person's clicks by `cid` led to. */
const FORGET_CUSTOMER = [
  'UPDATE goals SET custom_id = $3 WHERE organization_id = $1 AND custom_id = $2',
  'UPDATE funnel_sessions SET custom_id = $3 WHERE organization_id = $1 AND custom_id = $2',
];

const FORGET_GOALS = `
  UPDATE goals SET external_user_id = NULL, device_type = NULL WHERE organization_id = $1 AND external_user_id = $2`;
