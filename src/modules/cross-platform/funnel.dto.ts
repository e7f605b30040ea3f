import { ApiProperty } from '@nestjs/swagger';
import { CurrencyCode } from '../../access/organizations/organization.atoms';
import { SESSION_PLATFORMS, type SessionPlatform, type Stage, STAGES } from '../../common/funnel';
import { Amount } from '../../common/validation/amount';
import { DateTimeText, Id, OneOf, Text } from '../../common/validation/atoms';
import { SESSION_ID } from './sessions.dto';

const STAGE_CODES = STAGES.map(([stage]) => stage);

/** Body of session/funnel/track (4-decisions §8). */
export class TrackFunnelRequest {
  @Text(SESSION_ID)
  sessionId!: string;

  @OneOf(STAGE_CODES, {
    optional: true,
    description: 'The stage that the session has reached; GOAL_COMPLETED when only goalType is given',
    example: 'GOAL_COMPLETED',
  })
  stage?: Stage | null;

  @Text({
    optional: true,
    min: 1,
    max: 100,
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
    description: 'Currency of goalValue, ISO 4217; of a purchase without one, that of the organization',
    example: 'KRW',
  })
  currency?: string | null;

  @Text({
    optional: true,
    min: 1,
    max: 200,
    description: 'Id of the payment or the like: in an app it counts once, however often it is sent',
    example: 'order-20261120-0001',
  })
  transactionId?: string | null;

  @Text({
    optional: true,
    min: 1,
    max: 200,
    description: 'The member whose session it is',
    example: 'member-1001',
  })
  externalUserId?: string | null;

  @OneOf(SESSION_PLATFORMS, {
    optional: true,
    description: 'What it runs on; without one, that of the session, or of the app',
    example: 'IOS',
  })
  platform?: SessionPlatform | null;

  @Text({ optional: true, max: 200, description: 'Mobile, Tablet or Desktop', example: 'Mobile' })
  deviceType?: string | null;

  @Id({ optional: true, description: 'The link that led here', example: 42 })
  urlId?: number | null;

  @Id({ optional: true, description: 'The campaign that led here', example: null })
  campaignId?: number | null;

  @DateTimeText({
    optional: true,
    description:
      'When, by the clock of the client. It is when the goal counts, if no more than 7 days back and not ahead; and a ' +
      'goal without transactionId that comes again with the same time counts once',
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

  @ApiProperty({ description: 'Whether the session had not reached that stage before', example: true })
  recorded!: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'Type of the goal', example: 'purchase' })
  goalType!: string | null;

  @ApiProperty({ description: 'The goal had been counted before: nothing has changed', example: false })
  duplicated!: boolean;
}
