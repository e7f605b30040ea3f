import { INT64, INTEGER, INTEGER_OR_NULL, listOf, TEXT_OR_NULL, Field } from '../../../common/http/api-field';
import { DateTimeText, Text } from '../../../common/validation/atoms';
import { PROPERTIES, type Property } from '../../tracked-links/routing/conditions';
import type { Unmet } from '../../tracked-links/routing/routing';

const optional = true;

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
    description: "Languages of the visitor's browser, on which pages and targeting depend",
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

  @Text({
    min: 4,
    max: 6,
    pattern: /^[A-Za-z]{2}-[A-Za-z\d]{1,3}$/,
    patternText: 'must be an ISO 3166-2 code',
    description: 'Region of the visitor, ISO 3166-2; unknown when omitted',
    example: 'KR-11',
    optional,
  })
  region?: string;

  @Text({
    max: 100,
    description: 'City of the visitor, in English; unknown when omitted',
    example: 'Seoul',
    optional,
  })
  city?: string;

  @DateTimeText({
    description: 'When the visitor comes, for rules about weekdays and times of day; now when omitted',
    example: '2026-12-24T09:30:00Z',
    optional,
  })
  at?: string;
}

class UnmetConditionResponse implements Unmet {
  @Field('What the first unmet condition of the rule asks about', 'language', { enum: PROPERTIES })
  property!: Property;

  @Field('What the visitor has instead; null for nothing', 'en-us', TEXT_OR_NULL)
  value!: string | null;
}

class TracedRuleResponse {
  @Field('Which of the destinations applies', 'TARGETING', { enum: RULES })
  kind!: string;

  @Field('Index in `targeting` or `variants`, from 0; null for the others', 0, INTEGER_OR_NULL)
  index!: number | null;

  @Field(
    'Why the targeting rules before the one that applies do not, in their order; without a targeting rule that ' +
      'applies, all of them',
    undefined,
    listOf(UnmetConditionResponse),
  )
  skipped!: UnmetConditionResponse[];
}

class TracedLinkResponse {
  @Field('Id of the link or campaign', 42, INT64)
  id!: number;

  @Field('What it is', 'link', { enum: ['link', 'campaign'] })
  kind!: string;
}

export class TraceResponse {
  @Field('HTTP status that the visitor gets', 302, INTEGER)
  status!: number;

  @Field(
    'Where the visitor is redirected, without the token of a click; null without a redirect',
    'https://shop.example.com/spring',
    TEXT_OR_NULL,
  )
  location!: string | null;

  @Field('Why the visitor gets this answer', 'REDIRECT', { enum: Object.keys(TRACE_REASONS) })
  reason!: TraceReason;

  @Field('The reason in words', TRACE_REASONS.REDIRECT)
  text!: string;

  @Field('How the destination was chosen; null when the visitor gets none', undefined, {
    type: TracedRuleResponse,
    nullable: true,
  })
  rule!: TracedRuleResponse | null;

  @Field('The link or campaign of the address; null when there is none', undefined, {
    type: TracedLinkResponse,
    nullable: true,
  })
  link!: TracedLinkResponse | null;
}
