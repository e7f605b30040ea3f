import { ApiProperty } from '@nestjs/swagger';
import {
  DATE_TIME,
  DATE_TIME_OR_NULL,
  INT64,
  INTEGER_OR_NULL,
  listOf,
  TEXTS,
  Field,
} from '../../../common/http/api-field';
import type { TrackedLinkKind } from '../../clicks/click';
import { isWord } from '../../domains/codes';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import { toDateTime } from '../../../common/time/format';
import {
  HEALTH_PROBLEMS,
  HEALTH_STATUSES,
  type HealthProblem,
  type HealthStatus,
  type StoredHealth,
} from '../health/tracked-link-health';
import { effectiveUtm } from './tracked-link-fields';
import { TargetingRuleResponse, VariantResponse } from '../routing/routing.dto';
import { trackedLinkAddress } from '../tracked-link-address';
import type { TrackedLinkPlace } from '../tracked-link-places';

const text = (description: string, example: string) =>
  ApiProperty({ type: String, nullable: true, description, example });
const appId = (description: string, example: number) =>
  ApiProperty({ type: 'integer', format: 'int64', nullable: true, description, example });

export class TrackedLinkResponse {
  @Field('Id', 42, INT64)
  id!: number;

  @Field(
    'Complete URL to publish: on its domain and, if an app is linked, under its namespace, so that Universal Links ' +
      'and App Links work',
    'https://go.example.com/k3v9qx/aZ3kQ9x',
    { format: 'uri' },
  )
  link!: string;

  @Field('Destination', 'https://shop.example.com/spring')
  originalUrl!: string;

  @text('Title', 'Spring sale')
  title!: string | null;

  @Field('Clicks by people', 0, INT64)
  clickCount!: number;

  @Field(
    'Clicks that another product had counted before the import; neither in `clickCount` nor in statistics',
    0,
    INT64,
  )
  importedClicks!: number;

  @Field('Creation time, UTC', '2026-11-20T08:32:00Z', DATE_TIME)
  createdAt!: string;

  @Field('Last change, UTC', '2026-11-20T08:32:00Z', DATE_TIME)
  updatedAt!: string;

  @Field('Expiry, UTC; null if it never expires', '2030-12-31T23:59:59Z', DATE_TIME_OR_NULL)
  expiresAt!: string | null;

  @Field('Whether the ad page is shown before the destination', false)
  showAdPage!: boolean;

  @Field(
    "Whether the click's token is appended to the destination; null for the organization's setting",
    null,
    { type: Boolean, nullable: true },
  )
  appendClickId!: boolean | null;

  @text('Open Graph title', 'Spring sale')
  ogTitle!: string | null;

  @text('Open Graph description', 'Everything 20 % off')
  ogDescription!: string | null;

  @text('Open Graph image', 'https://shop.example.com/sale.png')
  ogImageUrl!: string | null;

  @appId('Linked iOS app', 3)
  iosAppId!: number | null;

  @appId('Linked Android app', 4)
  androidAppId!: number | null;

  @text('utm_source', 'newsletter')
  utmSource!: string | null;

  @text('utm_medium', 'email')
  utmMedium!: string | null;

  @text('utm_term', 'shoes')
  utmTerm!: string | null;

  @text('utm_content', 'button')
  utmContent!: string | null;

  @text('utm_campaign', 'spring-sale')
  utmCampaign!: string | null;

  @text('Custom domain; null on the default domain', 'links.example.com')
  customDomainName!: string | null;

  @text('Path that the iOS app opens', '/products/42')
  iosDeepLinkPath!: string | null;

  @text('Path that the Android app opens', '/products/42')
  androidDeepLinkPath!: string | null;

  @text('Destination of phones without the app', 'https://m.shop.example.com/spring')
  mobileTargetUrl!: string | null;

  @text('Conversion goal', 'purchase')
  goalType!: string | null;

  @text(
    'Reason why the platform has disabled it, so that it answers 410; null when it is not disabled',
    'Phishing',
  )
  disabledReason!: string | null;

  @Field('Whether it answers; false for the 404 page', true)
  enabled!: boolean;

  @Field('Whether lists leave it out unless they ask for it', false)
  archived!: boolean;

  @Field('Start, UTC; null if it answers from its creation on', null, DATE_TIME_OR_NULL)
  startsAt!: string | null;

  @text('Where it leads until it starts; null for the 404 page', 'https://shop.example.com/soon')
  notStartedUrl!: string | null;

  @text(
    "Where it leads once it has expired or is used up; null for the domain's `expiredUrl` or the 410 page",
    'https://shop.example.com/over',
  )
  expiredUrl!: string | null;

  @Field("Whether the query of a request is added to the destination's", true)
  forwardQuery!: boolean;

  @Field(
    'Health of the destinations, which are checked once a week: unknown before the first check, and unhealthy after ' +
      'three failures in three days',
    'healthy',
    { enum: HEALTH_STATUSES },
  )
  healthStatus!: HealthStatus;

  @Field(
    'Last check of the destinations, UTC; null before the first one',
    '2026-11-20T08:32:00Z',
    DATE_TIME_OR_NULL,
  )
  healthCheckedAt!: string | null;

  @Field('Why the last check failed; null when it did not', null, {
    enum: [...HEALTH_PROBLEMS, null],
    type: String,
    nullable: true,
  })
  healthProblem!: HealthProblem | null;

  @Field('Codes or aliases that it had before and that still lead to it, oldest first', ['spring'], TEXTS)
  formerAliases!: string[];

  @text('Id in your own system', 'order-1001')
  externalId!: string | null;

  @Field(
    'Whether an import has kept its code although new aliases cannot have such characters or such a length',
    false,
  )
  legacyCode!: boolean;

  @Field('Tags', ['spring', 'newsletter'], TEXTS)
  tags!: string[];

  @Field('Whether visitors must enter a password', false)
  hasPassword!: boolean;

  @Field('Number of visits by people after which it is used up; null without a limit', 100, INTEGER_OR_NULL)
  maxClicks!: number | null;

  @Field('Visits used up so far; null without a limit', 42, INTEGER_OR_NULL)
  usedClicks!: number | null;

  @Field(
    'Destinations by country, device and operating system; the first rule that matches applies',
    undefined,
    listOf(TargetingRuleResponse),
  )
  targeting!: TargetingRuleResponse[];

  @Field('Destinations among which visitors are distributed by weight', undefined, listOf(VariantResponse))
  variants!: VariantResponse[];
}

/** Response values that are not columns of a link or campaign. */
export interface TrackedLinkContext extends TrackedLinkPlace {
  clickCount: number;
  /** Omitted for a new link or campaign. */
  health?: StoredHealth | null;
}

export function toTrackedLinkResponse(
  kind: TrackedLinkKind,
  trackedLink: TrackedLinkEntity,
  context: TrackedLinkContext,
): TrackedLinkResponse {
  return {
    id: trackedLink.id,
    link: trackedLinkAddress(kind, trackedLink.code, context),
    originalUrl: trackedLink.originalUrl,
    title: trackedLink.title,
    clickCount: context.clickCount,
    importedClicks: trackedLink.importedClicks,
    createdAt: toDateTime(trackedLink.createdAt),
    expiresAt: toDateTime(trackedLink.expiresAt),
    showAdPage: trackedLink.showAdPage,
    appendClickId: trackedLink.appendClickId,
    ogTitle: trackedLink.ogTitle,
    ogDescription: trackedLink.ogDescription,
    ogImageUrl: trackedLink.ogImageUrl,
    iosAppId: trackedLink.iosAppId,
    androidAppId: trackedLink.androidAppId,
    ...effectiveUtm(trackedLink),
    customDomainName: context.domainName,
    iosDeepLinkPath: trackedLink.iosDeepLinkPath,
    androidDeepLinkPath: trackedLink.androidDeepLinkPath,
    mobileTargetUrl: trackedLink.mobileTargetUrl,
    goalType: trackedLink.goalType,
    disabledReason: trackedLink.disabledReason,
    enabled: trackedLink.enabled,
    archived: trackedLink.archived,
    startsAt: toDateTime(trackedLink.startsAt),
    notStartedUrl: trackedLink.notStartedUrl,
    expiredUrl: trackedLink.expiredUrl,
    forwardQuery: trackedLink.forwardQuery,
    formerAliases: trackedLink.formerCodes,
    externalId: trackedLink.externalId,
    legacyCode: !isWord(trackedLink.code),
    tags: trackedLink.tags,
    hasPassword: trackedLink.passwordHash !== null,
    maxClicks: trackedLink.maxClicks,
    usedClicks: trackedLink.maxClicks === null ? null : trackedLink.usedClicks,
    targeting: trackedLink.targeting ?? [],
    variants: trackedLink.variants ?? [],
    updatedAt: toDateTime(trackedLink.updatedAt),
    healthStatus: context.health?.status ?? 'unknown',
    healthCheckedAt: context.health?.checkedAt ? toDateTime(new Date(context.health.checkedAt)) : null,
    healthProblem: context.health?.problem ?? null,
  };
}
