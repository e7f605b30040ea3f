import { Injectable } from '@nestjs/common';
import { STAGES, type Stage } from '../funnel';
import { toDateTime } from '../../../common/time/format';
import type { EventName, OutboxEvent } from '../../webhooks/outbox/outbox-event';
import { WebhookOutbox } from '../../webhooks/outbox/webhook-outbox';
import type { Goal } from '../goal';
import { type Session, stagesOf } from '../session';
import type { SessionChange } from '../session-change';
import { presentSession } from '../session-presenter';
import type { Tx } from '../../../infrastructure/database/database';

interface SessionActions {
  stages?: readonly { stage: Stage; occurredAt: Date }[];
  goal?: Goal | null;
  /** In the form of the API response, without `sessionId`. */
  transition?: object | null;
}

/** Adds webhook events of sessions, in the transaction of the change (docs/webhooks.md#events). */
@Injectable()
export class SessionWebhooks {
  constructor(private readonly outbox: WebhookOutbox) {}

  async add(tx: Tx, change: SessionChange, actions: SessionActions = {}): Promise<void> {
    const { session, isNew, isNewlyLinked } = change;
    const events: OutboxEvent[] = [];
    const raise = (name: EventName, data: OutboxEvent['data']) => events.push(eventOf(session, name, data));
    if (isNew) raise('session.created', presentSession(session));
    if (isNewlyLinked) raise('session.user_linked', presentSession(session));
    for (const { stage, occurredAt } of actions.stages ?? []) {
      raise('funnel.stage_reached', stageReached(session, stage, occurredAt));
    }
    if (actions.goal) raise('goal.completed', goalCompleted(session, actions.goal));
    if (actions.transition) {
      raise('session.transitioned', { ...presentSession(session), transition: actions.transition });
    }
    await this.outbox.addSubscribed(tx, ...events);
  }

  /**
   * Adds events of sessions that clicks have started, after checking subscriptions, because there may be many sessions.
   */
  async addBegun(tx: Tx, begun: readonly Session[]): Promise<void> {
    const organizations = [...new Set(begun.map(({ organizationId }) => organizationId))];
    const created = await this.outbox.subscribed(tx, 'session.created', organizations);
    const reached = await this.outbox.subscribed(tx, 'funnel.stage_reached', organizations);
    const events = begun.flatMap((session) => {
      const { organizationId, startedAt } = session;
      const stages = reached.has(organizationId) ? stagesOf(session) : [];
      return [
        ...(created.has(organizationId)
          ? [eventOf(session, 'session.created', presentSession(session))]
          : []),
        ...stages.map((stage) =>
          eventOf(session, 'funnel.stage_reached', stageReached(session, stage, startedAt)),
        ),
      ];
    });
    await this.outbox.add(tx, ...events);
  }
}

/** Outbox subject of a member's events, by which they are erased with the member. */
export function subjectOfMember(externalUserId: string): string {
  return `member:${externalUserId}`;
}

/** Outbox subject of the events of a session without a member. */
export function subjectOfSession(sessionId: string): string {
  return `session:${sessionId}`;
}

function eventOf(session: Session, name: EventName, data: OutboxEvent['data']): OutboxEvent {
  const { organizationId, externalUserId, id } = session;
  const subject = externalUserId === null ? subjectOfSession(id) : subjectOfMember(externalUserId);
  return { name, organizationId, data, subject };
}

function stageReached(session: Session, stage: Stage, occurredAt: Date) {
  const { sessionId, appId, urlId, campaignId, platform, externalUserId } = presentSession(session);
  return {
    sessionId,
    appId,
    stage,
    stageName: STAGES.find(([code]) => code === stage)?.[1] ?? stage,
    urlId,
    campaignId,
    platform,
    externalUserId,
    occurredAt: toDateTime(occurredAt),
  };
}

function goalCompleted(session: Session, goal: Goal) {
  const { trackedLink } = goal;
  return {
    goalId: goal.id,
    sessionId: session.id,
    appId: goal.appId,
    goalType: goal.goalType,
    goalValue: goal.value,
    currency: goal.currency,
    transactionId: goal.transactionId,
    urlId: trackedLink?.kind === 'link' ? trackedLink.id : null,
    campaignId: trackedLink?.kind === 'campaign' ? trackedLink.id : null,
    platform: goal.platform,
    externalUserId: goal.externalUserId,
    occurredAt: toDateTime(goal.occurredAt),
  };
}
