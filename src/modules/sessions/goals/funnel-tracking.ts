import { Injectable } from '@nestjs/common';
import { purchaseCurrency, type SessionPlatform, type Stage } from '../funnel';
import { countedGoalType, type Goal, occurredAt } from '../goal';
import { GoalsRepository } from './goals.repository';
import { SessionWebhooks } from '../events/session-webhooks';
import { addInstall } from '../session-installs';
import type { Session } from '../session';
import type { SessionChange, SessionFacts } from '../session-change';
import { type OwnApp, SessionStore } from '../session-store';
import type { Tx } from '../../../infrastructure/database/database';

/** A goal as sent by a client. */
export interface NamedGoal {
  /** `purchase_<CURRENCY>` means a purchase in that currency. */
  goalType: string;
  value: number | null;
  currency: string | null;
  /** A transaction counts once per app and goal type. */
  transactionId: string | null;
}

export interface FunnelStep {
  sessionId: string;
  stage: Stage;
  goal: NamedGoal | null;
  facts: SessionFacts;
  /** Platform of the step; null for the session's. */
  platform: SessionPlatform | null;
  deviceType: string | null;
  clientTimestamp: Date | null;
  /** Currency of purchases that state none. */
  baseCurrency: string;
}

export interface TakenStep {
  session: Session;
  /** Whether the session reached the stage for the first time. */
  recorded: boolean;
  /** The counted goal; null if there was none or it is a repeat. */
  goal: Goal | null;
  /** Whether the goal is a repeat, so that nothing changed. */
  duplicated: boolean;
  occurredAt: Date;
}

/** Records stages, each once per session and in any order, and goals (docs/concepts/sessions.md#stages). */
@Injectable()
export class FunnelTracking {
  constructor(
    private readonly sessions: SessionStore,
    private readonly goals: GoalsRepository,
    private readonly events: SessionWebhooks,
  ) {}

  /** Creates the session if it is unknown. @throws NotFound if it belongs to another app */
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
    const recorded = change.reach(stage, at);
    if (goal) change.addGoal(goal);
    if (recorded && stage === 'APP_INSTALLED') addInstall(change, step.platform);
    await this.sessions.save(tx, change);
    await this.events.add(tx, change, {
      stages: recorded ? [{ stage, occurredAt: at }] : [],
      // The response has the goal type as sent.
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
