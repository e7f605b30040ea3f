import { ApiProperty } from '@nestjs/swagger';
import { CurrencyCode } from '../../access/organizations/organization.atoms';
import { SESSION_PLATFORMS, type SessionPlatform, type Stage, STAGES } from '../sessions/funnel';
import { Amount } from '../../common/validation/amount';
import { DateTimeText, GoalType, Id, OneOf, Text } from '../../common/validation/atoms';
import { EndUserFields } from '../sessions/end-user.dto';
import { MemberId } from '../../common/validation/member-id';
import { SESSION_ID } from './sessions.dto';

const STAGE_CODES = STAGES.map(([stage]) => stage);

/** Body of session/funnel/track (docs/concepts/sessions.md#goals). */
export class TrackFunnelRequest extends EndUserFields {
  @Text(SESSION_ID)
  sessionId!: string;

  @OneOf(STAGE_CODES, {
    optional: true,
    description: 'The stage that the session has reached; GOAL_COMPLETED when only goalType is given',
    example: 'GOAL_COMPLETED',
  })
  stage?: Stage | null;

  @GoalType({
    optional: true,
    min: 1,
    description:
      'What was achieved: purchase, signup, … `purchase_<CURRENCY>` is a purchase in that currency. Without one, ' +
      'GOAL_COMPLETED counts for the goal type of the link or campaign. It counts at GOAL_COMPLETED alone',
    example: 'purchase',
  })
  goalType?: string | null;

  @Amount({
    optional: true,
    description: 'What it is worth: a number, or a string that is one',
    example: 39000,
  })
  goalValue?: number | string | null;

  @CurrencyCode({
    optional: true,
    description: "Currency of goalValue, ISO 4217; the organization's base currency when not given",
    example: 'KRW',
  })
  currency?: string | null;

  @Text({
    optional: true,
    min: 1,
    max: 200,
    description:
      'Id of the payment or the like: in an app, goals of one type with it count once, however often they are sent',
    example: 'order-20261120-0001',
  })
  transactionId?: string | null;

  @MemberId({ optional: true, description: 'The member whose session it is' })
  externalUserId?: string | null;

  @OneOf(SESSION_PLATFORMS, {
    optional: true,
    description: 'What it runs on; without one, that of the session, or of the app',
    example: 'IOS',
  })
  platform?: SessionPlatform | null;

  @Text({ optional: true, max: 200, description: 'Mobile, Tablet or Desktop', example: 'Mobile' })
  deviceType?: string | null;

  @Id({ optional: true, description: 'The link that led here', example: 1 })
  urlId?: number | null;

  @Id({ optional: true, description: 'The campaign that led here', example: 1 })
  campaignId?: number | null;

  @DateTimeText({
    optional: true,
    description:
      'When, by the clock of the client. It is when the goal counts, if no more than 7 days back and not ahead; the ' +
      'answer says so in countedAt. A goal without transactionId that comes again with the same time counts once',
  })
  timestamp?: string | null;
}

export class TrackFunnelResponse {
  @ApiProperty({ description: 'Always true', example: true })
  success!: boolean;

  @ApiProperty({ description: 'The session, as it was named', example: SESSION_ID.example })
  sessionId!: string;

  @ApiProperty({ enum: STAGE_CODES, description: 'The stage', example: 'GOAL_COMPLETED' })
  stage!: string;

  @ApiProperty({
    description:
      'Whether the call has added anything: a stage that the session had not reached before, or a goal',
    example: true,
  })
  recorded!: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'Type of the goal', example: 'purchase' })
  goalType!: string | null;

  @ApiProperty({ description: 'The goal had been counted before: nothing has changed', example: false })
  duplicated!: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'When the stage or goal counts, UTC: the timestamp, or the time of the call; null when not recorded',
    example: '2026-11-20T08:32:00Z',
  })
  countedAt!: string | null;

  @ApiProperty({
    description:
      'The timestamp was more than 7 days back, or ahead of the clock of the service: what was recorded counts at the ' +
      'time of the call instead',
    example: false,
  })
  timestampAdjusted!: boolean;
}
