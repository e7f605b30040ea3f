import { ApiProperty } from '@nestjs/swagger';
import { id, optionalId, optionalText, text, time } from '../../webhooks/events/event-fields';
import { SESSION_PLATFORMS, type SessionPlatform, STAGES, type Stage } from '../funnel';

/** What is known of every step of a session. */
class SessionStep {
  @text('Id of the session', '01a1f815-7c00-7d21-8c3f-1b7a9d4e5f60')
  sessionId!: string;

  @optionalId('The app', 3)
  appId!: number | null;

  @optionalId('The short link that led there', 42)
  urlId!: number | null;

  @optionalId('The campaign that led there', null)
  campaignId!: number | null;

  @ApiProperty({ enum: SESSION_PLATFORMS, description: 'Where it happened', example: 'IOS' })
  platform!: SessionPlatform;

  @optionalText("The user, by the customer's member id, once that is known", 'member-1001')
  externalUserId!: string | null;

  @time('When it happened')
  occurredAt!: string;
}

/** A session reached a stage of the funnel for the first time. */
export class StageReached extends SessionStep {
  @ApiProperty({ enum: STAGES.map(([stage]) => stage), description: 'The stage', example: 'APP_INSTALLED' })
  stage!: Stage;

  @text('Its name for people', 'App installed')
  stageName!: string;
}

/** A goal was reached; repeats of one transaction tell nothing. */
export class GoalCompleted extends SessionStep {
  @id('Id of the goal', 815)
  goalId!: number;

  @text('Kind of goal', 'purchase_USD')
  goalType!: string;

  @ApiProperty({ type: Number, description: 'Its value', example: 49.9 })
  goalValue!: number;

  @optionalText('Currency of the value (ISO 4217), where it is money', 'USD')
  currency!: string | null;

  @optionalText("The customer's id of the transaction", 'order-4711')
  transactionId!: string | null;
}
