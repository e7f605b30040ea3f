import { IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { Field, INT64, INT64_OR_NULL, TEXT_OR_NULL } from '../../common/http/api-field';
import { SESSION_PLATFORMS, type SessionPlatform, STAGES } from '../sessions/funnel';
import { CutText, DateTimeText, Id, Nested, OneOf, Text } from '../../common/validation/atoms';
import { PageAddress, ClientTimeZone } from '../../common/validation/lenient';
import { MemberId } from '../../common/validation/member-id';
import { DeviceInfoRequest } from '../sessions/device-info.dto';
import { EndUserFields } from '../sessions/end-user.dto';

export const SESSION_ID = {
  min: 1,
  max: 200,
  description:
    'Id of the session. An id that is not a UUID is mapped to a session of this app, and returned as it was sent',
  example: '019a9f1e-6f0c-7c52-9d5e-3c1f0a2b4d6e',
};

const USER = { description: 'Your id of the member' };

/** Characters of a utm value and of a URL that are stored. */
export const MAX_UTM = 200;
export const MAX_ADDRESS = 2_000;

export class SessionPath {
  @Text(SESSION_ID)
  sessionId!: string;
}

class LeadingFields {
  @Text({
    optional: true,
    max: 200,
    description: 'Token of the page that opened the app or site; NOT_FOUND when it was never issued',
    example: 'AZqA3mXQb0y2n1l8c7d6e5f4g3h2i1j0kLmAAAAAABNoPqRsTuE',
  })
  token?: string | null;

  @Id({ optional: true, description: 'Id of the link that led here', example: 1 })
  urlId?: number | null;

  @Id({ optional: true, description: 'Id of the campaign that led here', example: 1 })
  campaignId?: number | null;
}

/** Body of session/create (docs/concepts/sessions.md#life-of-a-session). */
export class CreateSessionRequest extends IntersectionType(EndUserFields, LeadingFields) {
  @OneOf(SESSION_PLATFORMS, { description: 'Platform of the session', example: 'IOS' })
  platform!: SessionPlatform;

  @Text({
    ...SESSION_ID,
    optional: true,
    description:
      'Your own id, which makes the call repeatable: repeated calls update the same session. Without one, the session ' +
      'gets a new id, or with a token continues that of its click',
  })
  sessionId?: string | null;

  @Nested(() => DeviceInfoRequest, { optional: true, description: 'The device' })
  deviceInfo?: DeviceInfoRequest | null;

  @MemberId({ ...USER, optional: true })
  externalUserId?: string | null;

  @CutText({ optional: true, max: MAX_UTM, description: 'utm_source of the address', example: 'newsletter' })
  utmSource?: string | null;

  @CutText({ optional: true, max: MAX_UTM, description: 'utm_medium of the address', example: 'email' })
  utmMedium?: string | null;

  @CutText({ optional: true, max: MAX_UTM, description: 'utm_term of the address', example: 'shoes' })
  utmTerm?: string | null;

  @CutText({ optional: true, max: MAX_UTM, description: 'utm_content of the address', example: 'banner' })
  utmContent?: string | null;

  @PageAddress({
    max: MAX_ADDRESS,
    description: 'URL of the referring page',
    example: 'https://news.example/',
  })
  referrer?: string | null;

  @PageAddress({
    max: MAX_ADDRESS,
    description: 'URL of the landing page',
    example: 'https://shop.example/spring',
  })
  landingUrl?: string | null;

  @DateTimeText({ optional: true, description: 'Start of the session by the clock of the client' })
  clientTimestamp?: string | null;

  @ClientTimeZone({ description: 'Time zone of the client' })
  clientTimezone?: string | null;
}

export class LinkUserRequest {
  @MemberId(USER)
  externalUserId!: string;
}

/** Body of register-link. Of token, urlId, campaignId and shortCode, the first supplied one counts. */
export class RegisterLinkRequest extends LeadingFields {
  @Text(SESSION_ID)
  sessionId!: string;

  @Text({
    optional: true,
    max: 101,
    description: 'Code or alias of the link, or `<app path>/<code>`',
    example: 'spring-sale',
  })
  shortCode?: string | null;
}

export class TransitionRequest {
  @Text(SESSION_ID)
  sessionId!: string;

  @OneOf(SESSION_PLATFORMS, { description: 'Platform on which the session continues', example: 'ANDROID' })
  toPlatform!: SessionPlatform;

  @Nested(() => DeviceInfoRequest, { optional: true, description: 'Device on which the session continues' })
  deviceInfo?: DeviceInfoRequest | null;
}

/** A session (docs/concepts/sessions.md#life-of-a-session). */
export class SessionResponse {
  @Field(SESSION_ID.description, SESSION_ID.example)
  sessionId!: string;

  @Field('Id of the app', 42, INT64_OR_NULL)
  appId!: number | null;

  @Field('Current platform', 'IOS', { enum: SESSION_PLATFORMS })
  platform!: string;

  @Field('Your id of the member', 'member-1001', TEXT_OR_NULL)
  externalUserId!: string | null;

  @Field('The link that led here', 42, INT64_OR_NULL)
  urlId!: number | null;

  @Field('The campaign that led here', null, INT64_OR_NULL)
  campaignId!: number | null;

  @Field('Type of goals that name none', 'purchase', TEXT_OR_NULL)
  goalType!: string | null;

  @Field('The device', undefined, { type: () => DeviceInfoRequest, nullable: true })
  deviceInfo!: DeviceInfoRequest | null;

  @Field('utm_source', 'newsletter', TEXT_OR_NULL)
  utmSource!: string | null;

  @Field('utm_medium', 'email', TEXT_OR_NULL)
  utmMedium!: string | null;

  @Field('utm_term', null, TEXT_OR_NULL)
  utmTerm!: string | null;

  @Field('utm_content', null, TEXT_OR_NULL)
  utmContent!: string | null;

  @Field('URL of the referring page', 'https://news.example/', TEXT_OR_NULL)
  referrer!: string | null;

  @Field('URL of the landing page', 'https://shop.example/spring', TEXT_OR_NULL)
  landingUrl!: string | null;

  @Field(
    'Country, ISO 3166-1 alpha-2, of the IP address of the click, phone or browser; null for sites whose servers make the calls',
    'KR',
    TEXT_OR_NULL,
  )
  country!: string | null;

  @Field('Start of the session', '2026-11-20T08:32:00Z')
  startedAt!: string;

  @Field('Last activity in the session', '2026-11-20T08:40:12Z')
  lastActivityAt!: string;

  @Field('Stages that the session has reached, in the order of the funnel', ['CLICKED', 'APP_OPENED'], {
    type: [String],
    enum: STAGES.map(([stage]) => stage),
  })
  stages!: string[];

  @Field('Whether the session has reached GOAL_COMPLETED', false)
  converted!: boolean;
}

export class SessionDone {
  @Field('Always true', true)
  success!: boolean;

  @Field('Id of the session, as sent by the client', SESSION_ID.example)
  sessionId!: string;
}

export class LinkUserResponse extends SessionDone {
  @Field('Your id of the member', 'member-1001')
  externalUserId!: string;
}

export class RegisterLinkResponse extends IntersectionType(
  SessionDone,
  PickType(SessionResponse, ['urlId', 'campaignId', 'goalType']),
) {}

export class TransitionResponse {
  @Field('Id of the transition', 7, INT64)
  transitionId!: number;

  @Field('Id of the session, as sent by the client', SESSION_ID.example)
  sessionId!: string;

  @Field('Previous platform', 'WEB', { enum: SESSION_PLATFORMS })
  fromPlatform!: string;

  @Field('New platform', 'ANDROID', { enum: SESSION_PLATFORMS })
  toPlatform!: string;

  @Field('When', '2026-11-20T08:32:00Z')
  occurredAt!: string;
}

class SessionTransition extends OmitType(TransitionResponse, ['sessionId']) {}

export class MadeTransitionResponse extends TransitionResponse {
  @Field('Always true', true)
  success!: boolean;
}

/** Webhook data of a session that continued on another platform. */
export class SessionTransitioned extends SessionResponse {
  @Field('The transition', undefined, { type: SessionTransition })
  transition!: SessionTransition;
}
