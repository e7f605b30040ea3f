import { DATE_TIME_OR_NULL, TEXT_OR_NULL, Field } from '../../common/http/api-field';
import { CurrencyCode } from '../../access/organizations/organization.atoms';
import { SESSION_PLATFORMS, type SessionPlatform, type Stage, STAGES } from '../sessions/funnel';
import { Amount } from '../../common/validation/amount';
import { DateTimeText, GoalType, Id, OneOf, Text } from '../../common/validation/atoms';
import { EndUserFields } from '../sessions/end-user.dto';
import { MemberId } from '../../common/validation/member-id';
import { SESSION_ID, SessionDone } from './sessions.dto';

const STAGE_CODES = STAGES.map(([stage]) => stage);

/** Body of session/funnel/track (docs/concepts/sessions.md#goals). */
export class TrackFunnelRequest extends EndUserFields {
  @Text(SESSION_ID)
  sessionId!: string;

  @OneOf(STAGE_CODES, {
    optional: true,
    description: 'Stage that the session has reached; defaults to GOAL_COMPLETED when goalType is given',
    example: 'GOAL_COMPLETED',
  })
  stage?: Stage | null;

  @GoalType({
    optional: true,
    min: 1,
    description:
      'Type of the goal: purchase, signup, … `purchase_<CURRENCY>` is a purchase in that currency. Defaults to the goal ' +
      'type of the link or campaign. Used only with GOAL_COMPLETED',
    example: 'purchase',
  })
  goalType?: string | null;

  @Amount({
    optional: true,
    description: 'Value of the goal: a number or a numeric string',
    example: 39000,
  })
  goalValue?: number | string | null;

  @CurrencyCode({
    optional: true,
    description: "Currency of goalValue, ISO 4217; defaults to the organization's base currency",
    example: 'KRW',
  })
  currency?: string | null;

  @Text({
    optional: true,
    min: 1,
    max: 200,
    description:
      'Id of the payment or similar: per app, goals of one type with the same id count once, however often they are sent',
    example: 'order-20261120-0001',
  })
  transactionId?: string | null;

  @MemberId({ optional: true, description: 'The member of the session' })
  externalUserId?: string | null;

  @OneOf(SESSION_PLATFORMS, {
    optional: true,
    description: "Platform; defaults to the session's, then the app's",
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
      'Time by the clock of the client. The goal counts at this time if it is within the last 7 days; the response ' +
      'reports it in countedAt. A goal without transactionId that is repeated with the same time counts once',
  })
  timestamp?: string | null;
}

export class TrackFunnelResponse extends SessionDone {
  @Field('The stage', 'GOAL_COMPLETED', { enum: STAGE_CODES })
  stage!: string;

  @Field('Whether the call added a stage that the session had not reached before, or a goal', true)
  recorded!: boolean;

  @Field('Type of the goal', 'purchase', TEXT_OR_NULL)
  goalType!: string | null;

  @Field('Whether the goal had been counted before, so that nothing changed', false)
  duplicated!: boolean;

  @Field(
    'Time at which the stage or goal counts, UTC: the timestamp or the time of the call; null when not recorded',
    '2026-11-20T08:32:00Z',
    DATE_TIME_OR_NULL,
  )
  countedAt!: string | null;

  @Field(
    'Whether the timestamp was more than 7 days old or in the future, so that the stage or goal counts at the time of ' +
      'the call instead',
    false,
  )
  timestampAdjusted!: boolean;
}
