import { Field } from '../../../common/http/api-field';
import { id, optionalId, optionalText, text, time } from '../../webhooks/events/event-fields';
import { SESSION_PLATFORMS, type SessionPlatform, STAGES, type Stage } from '../funnel';

/** Fields of every session event that webhooks send. */
class SessionStep {
  @text('Id of the session', '01a1f815-7c00-7d21-8c3f-1b7a9d4e5f60')
  sessionId!: string;

  @optionalId('The app', 3)
  appId!: number | null;

  @optionalId('The short link that led to the session', 42)
  urlId!: number | null;

  @optionalId('The campaign that led to the session', null)
  campaignId!: number | null;

  @Field('Platform', 'IOS', { enum: SESSION_PLATFORMS })
  platform!: SessionPlatform;

  @optionalText("The customer's member id of the user; null if unknown", 'member-1001')
  externalUserId!: string | null;

  @time('Time of the event')
  occurredAt!: string;
}

/** A session reached a stage of the funnel for the first time. */
export class StageReached extends SessionStep {
  @Field('The stage', 'APP_INSTALLED', { enum: STAGES.map(([stage]) => stage) })
  stage!: Stage;

  @text('Display name of the stage', 'App installed')
  stageName!: string;
}

/** A goal was reached; repeats of a transaction send no event. */
export class GoalCompleted extends SessionStep {
  @id('Id of the goal', 815)
  goalId!: number;

  @text('Goal type', 'purchase_USD')
  goalType!: string;

  @Field('Goal value', 49.9, { type: Number })
  goalValue!: number;

  @optionalText('Currency of the value (ISO 4217); null if the value is not an amount of money', 'USD')
  currency!: string | null;

  @optionalText("The customer's transaction id", 'order-4711')
  transactionId!: string | null;
}
