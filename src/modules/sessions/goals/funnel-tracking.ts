import { Injectable } from '@nestjs/common';
import { purchaseCurrency, type SessionPlatform, type Stage } from '../funnel';
import { countedGoalType, type Goal, occurredAt } from './goal';
import { GoalsRepository } from './goals.repository';
import { SessionWebhooks } from '../events/session-webhooks';
import { addInstall } from '../session-installs';
import type { Session } from '../session';
import type { SessionChange, SessionFacts } from '../session-change';
import { type OwnApp, SessionStore } from '../session-store';
import type { Tx } from '../../../infrastructure/database/tx';

/** A goal as a client names it. */
export interface NamedGoal {
  /** `purchase_<CURRENCY>` is a purchase in that currency. */
  goalType: string;
  value: number | null;
  currency: string | null;
  /** The app counts one of each goal type. */
  transactionId: string | null;
}

/** A step of a session through the funnel, and the goal that it reached with it. */
export interface FunnelStep {
  sessionId: string;
  stage: Stage;
  goal: NamedGoal | null;
  /** What the client knows of the session. */
  facts: SessionFacts;
  /** Of the step; null: that of the session. */
  platform: SessionPlatform | null;
  deviceType: string | null;
  clientTimestamp: Date | null;
  /** The currency of purchases that name none. */
  baseCurrency: string;
}

/** What became of a step. */
export interface TakenStep {
  session: Session;
  /** Whether the session had not reached that stage before. */
  recorded: boolean;
  /** The goal that was counted; null when there was none, or it had been counted before. */
  goal: Goal | null;
  /** The goal had been counted before: nothing has changed. */
  duplicated: boolean;
  occurredAt: Date;
}

/** Records what sessions reach: each stage once, in any order, and goals (docs/concepts/sessions.md#stages). */
@Injectable()
export class FunnelTracking {
  constructor(
    private readonly sessions: SessionStore,
    private readonly goals: GoalsRepository,
    private readonly events: SessionWebhooks,
  ) {}

  /** A session that is not known begins with it. @throws NotFound for the session of another app */
  async track(tx: Tx, app: OwnApp, step: FunnelStep): Promise<TakenStep> {
    const { stage, facts, clientTimestamp } = step;
    const change = await this.sessions.openOrBegin(tx, app, step.sessionId, step.platform);
    change.learn(facts);
    const at = occurredAt(clientTimestamp, change.at);
    const goal = step.goal && (await this.reachGoal(tx, app, change, step, step.goal, at));
    if (step.goal && !goal) {
      await this.sessions.forget(tx, change);
      return { session: change.stored, recorded: false, goal, duplicated: true, occurredAt: at };
    }
    const recorded = change.reach(stage);
    if (goal) change.addGoal(goal);
    if (recorded && stage === 'APP_INSTALLED') addInstall(change, step.platform);
    await this.sessions.save(tx, change);
    await this.events.add(tx, change, {
      stages: recorded ? [{ stage, occurredAt: at }] : [],
      // As the client calls it.
      goal: goal && step.goal && { ...goal, goalType: step.goal.goalType },
    });
    return { session: change.session, recorded, goal, duplicated: false, occurredAt: at };
  }

  private reachGoal(
    tx: Tx,
    { organizationId, appId }: OwnApp,
    { session, at: receivedAt }: SessionChange,
    { platform, deviceType, clientTimestamp, facts, baseCurrency }: FunnelStep,
    { goalType, value, currency, transactionId }: NamedGoal,
    at: Date,
  ): Promise<Goal | null> {
    const reached = {
      organizationId,
      appId,
      sessionId: session.id,
      ...countedGoalType(goalType, currency, baseCurrency),
      value: value ?? 0,
      transactionId,
      platform: platform ?? session.platform,
      deviceType,
      trackedLink: facts.trackedLink ?? session.trackedLink,
      customId: session.customId,
      externalUserId: session.externalUserId,
      clientTimestamp,
      occurredAt: at,
      receivedAt,
    };
    return this.goals.insert(tx, reached, currency !== null || purchaseCurrency(goalType) !== null);
  }
}
