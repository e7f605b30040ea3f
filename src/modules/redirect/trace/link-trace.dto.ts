import { ApiProperty } from '@nestjs/swagger';
import { Text } from '../../../common/validation/atoms';

const optional = true;

/** Reasons of a trace, and what they say. */
export const TRACE_REASONS = {
  REDIRECT: 'The visitor is redirected to the destination.',
  APP_PAGE: 'The page that opens the app is shown.',
  STORE: 'The visitor comes from the page that opens the app, and is redirected to the store.',
  AD_PAGE: 'The ad page is shown before the destination.',
  PREVIEW_PAGE: 'The program that asks gets the link preview.',
  PASSWORD_REQUIRED: 'The link asks for its password first.',
  UNKNOWN_HOST: 'The organization has no short links on this host.',
  DOMAIN_NOT_VERIFIED: 'The custom domain is not verified, so no link on it answers.',
  DOMAIN_DISABLED: 'The platform has disabled the custom domain.',
  NO_LINK_PATH: 'No link or campaign can have this path.',
  UNKNOWN_CODE: 'No link or campaign of the organization has this address.',
  DELETED: 'The link or campaign has been deleted.',
  SWITCHED_OFF: 'The link or campaign is switched off.',
  NOT_STARTED: 'The link or campaign has not started.',
  EXPIRED: 'The link or campaign has expired.',
  USED_UP: 'All visits of the link are used up.',
  DISABLED: 'The platform has disabled the link or campaign.',
} as const;

export type TraceReason = keyof typeof TRACE_REASONS;

const RULES = ['TARGETING', 'MOBILE', 'VARIANT', 'DESTINATION'] as const;

export class TraceQuery {
  @Text({
    min: 1,
    max: 2000,
    description: 'Short address, with or without scheme',
    example: 'https://go.example.com/spring',
  })
  url!: string;

  @Text({
    max: 1000,
    description: 'User agent of the visitor; none when omitted',
    example: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Mobile/15E148 Safari/604.1',
    optional,
  })
  userAgent?: string;

  @Text({
    max: 200,
    description: "Languages of the visitor's browser, on which pages depend",
    example: 'ko,en;q=0.8',
    optional,
  })
  acceptLanguage?: string;

  @Text({
    min: 2,
    max: 2,
    pattern: /^[A-Za-z]{2}$/,
    patternText: 'must be an ISO 3166-1 alpha-2 code',
    description: 'Country of the visitor, ISO 3166-1 alpha-2; unknown when omitted',
    example: 'KR',
    optional,
  })
  country?: string;
}

class TracedRuleResponse {
  @ApiProperty({ enum: RULES, description: 'Which of the destinations applies', example: 'TARGETING' })
  kind!: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Index in `targeting` or `variants`, from 0; null for the others',
    example: 0,
  })
  index!: number | null;
}

class TracedLinkResponse {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the link or campaign', example: 42 })
  id!: number;

  @ApiProperty({ enum: ['link', 'campaign'], description: 'What it is', example: 'link' })
  kind!: string;
}

export class TraceResponse {
  @ApiProperty({ type: 'integer', description: 'HTTP status that the visitor gets', example: 302 })
  status!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Where the visitor is redirected, without the token of a click; null without a redirect',
    example: 'https://shop.example.com/spring',
  })
  location!: string | null;

  @ApiProperty({
    enum: Object.keys(TRACE_REASONS),
    description: 'Why the visitor gets this answer',
    example: 'REDIRECT',
  })
  reason!: TraceReason;

  @ApiProperty({ description: 'The reason in words', example: TRACE_REASONS.REDIRECT })
  text!: string;

  @ApiProperty({
    type: TracedRuleResponse,
    nullable: true,
    description: 'How the destination was chosen; null when the visitor gets none',
  })
  rule!: TracedRuleResponse | null;

  @ApiProperty({
    type: TracedLinkResponse,
    nullable: true,
    description: 'The link or campaign of the address; null when there is none',
  })
  link!: TracedLinkResponse | null;
}
