import { ApiProperty } from '@nestjs/swagger';
import { STAGES, type Stage } from '../../common/funnel';

const PLATFORMS = ['WEB', 'IOS', 'ANDROID'] as const;
type Platform = (typeof PLATFORMS)[number];

const id = (description: string, example: number | null) =>
  ApiProperty({ type: 'integer', format: 'int64', nullable: true, description, example });
const text = (description: string, example: string | null) =>
  ApiProperty({ type: String, nullable: true, description, example });
const time = (description: string) =>
  ApiProperty({ format: 'date-time', description, example: '2026-11-20T08:32:00Z' });

/** A session, as the API shows it (4-decisions §8). */
export class SessionShown {
  @ApiProperty({ description: 'Id of the session', example: '01a1f815-7c00-7d21-8c3f-1b7a9d4e5f60' })
  sessionId!: string;

  @id('The app', 3)
  appId!: number | null;

  @ApiProperty({ enum: PLATFORMS, description: 'Where it goes on', example: 'IOS' })
  platform!: Platform;

  @text("The user, by the customer's member id, once that is known", 'member-1001')
  externalUserId!: string | null;

  @id('The short link that led there', 42)
  urlId!: number | null;

  @id('The campaign that led there', null)
  campaignId!: number | null;

  @text('Goal type of that link or campaign', 'signup')
  goalType!: string | null;

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: { type: 'string', nullable: true },
    description: 'What is known of the device',
    example: { os: 'iOS', osVersion: '26.0', deviceModel: 'iPhone17,1' },
  })
  deviceInfo!: Record<string, string | null> | null;

  @text('utm_source', 'newsletter')
  utmSource!: string | null;

  @text('utm_medium', 'email')
  utmMedium!: string | null;

  @text('utm_term', null)
  utmTerm!: string | null;

  @text('utm_content', null)
  utmContent!: string | null;

  @text('Page that was left', 'https://news.example/')
  referrer!: string | null;

  @text('Page it began on', null)
  landingUrl!: string | null;

  @text('Country (ISO 3166-1 alpha-2)', 'KR')
  country!: string | null;

  @time('When it began')
  startedAt!: string;

  @time('Last thing that happened in it')
  lastActivityAt!: string;

  @ApiProperty({
    enum: STAGES.map(([stage]) => stage),
    isArray: true,
    description: 'Stages that it has reached',
    example: ['CLICKED', 'DEEP_LINK_RESOLVED'],
  })
  stages!: Stage[];

  @ApiProperty({ description: 'Whether a goal was completed', example: false })
  converted!: boolean;
}

class Transition {
  @id('Id of the transition', 12)
  transitionId!: number;

  @ApiProperty({ enum: PLATFORMS, description: 'Where it was before', example: 'WEB' })
  fromPlatform!: Platform;

  @ApiProperty({ enum: PLATFORMS, description: 'Where it went on', example: 'IOS' })
  toPlatform!: Platform;

  @time('When')
  occurredAt!: string;
}

/** A session after it went on on another platform. */
export class SessionTransitioned extends SessionShown {
  @ApiProperty({ type: Transition, description: 'The transition' })
  transition!: Transition;
}
