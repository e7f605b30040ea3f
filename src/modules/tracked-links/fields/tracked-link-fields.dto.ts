import { PageQuery } from '../../../common/pagination/page';
import { UTM_MAX } from '../../domains/destinations/utm';
import { HEALTH_STATUSES, type HealthStatus } from '../health/tracked-link-health';
import { Bool, DateTimeText, GoalType, HttpsUrl, Id, OneOf, Text } from '../../../common/validation/atoms';

const optional = true;
export const DESTINATION = 'Destination; fails with DESTINATION_NOT_ALLOWED if links may not lead there';
export const EXPIRY =
  'Expiry: `yyyy-MM-dd HH:mm[:ss]`, ISO-8601, or `yyyy-MM-dd` (valid to the end of that day); UTC unless it has an offset';
const utm = (name: string, example: string) => ({
  max: UTM_MAX,
  visible: true,
  description: `${name}, overriding the one in the destination's query; read from there when omitted`,
  example,
  optional,
});
const deepLinkPath = (platform: string) => ({
  max: 1000,
  visible: true,
  description: `Path that the ${platform} app opens`,
  example: '/products/42',
  optional,
});

/** Optional fields of links and campaigns. An empty string counts as null. */
export class TrackedLinkFields {
  @Text({ max: 200, visible: true, description: 'Title', example: 'Spring sale', optional })
  title?: string | null;

  @Text({ max: 200, visible: true, description: 'Open Graph title', example: 'Spring sale', optional })
  ogTitle?: string | null;

  @Text({
    max: 500,
    visible: true,
    description: 'Open Graph description',
    example: 'Everything 20 % off',
    optional,
  })
  ogDescription?: string | null;

  @HttpsUrl({
    max: 1000,
    description: 'Open Graph image',
    example: 'https://shop.example.com/sale.png',
    optional,
  })
  ogImageUrl?: string | null;

  @Id({ description: 'Linked iOS app of the organization, else APP_NOT_USABLE', example: 1, optional })
  iosAppId?: number | null;

  @Id({ description: 'Linked Android app of the organization, else APP_NOT_USABLE', example: 2, optional })
  androidAppId?: number | null;

  @Text(deepLinkPath('iOS'))
  iosDeepLinkPath?: string | null;

  @Text(deepLinkPath('Android'))
  androidDeepLinkPath?: string | null;

  @HttpsUrl({
    max: 1000,
    description:
      'Destination of phones without the app, subject to the rules for destinations (DESTINATION_NOT_ALLOWED)',
    example: 'https://m.shop.example.com/spring',
    optional,
  })
  mobileTargetUrl?: string | null;

  @Text(utm('utm_source', 'newsletter'))
  utmSource?: string | null;

  @Text(utm('utm_medium', 'email'))
  utmMedium?: string | null;

  @Text(utm('utm_term', 'shoes'))
  utmTerm?: string | null;

  @Text(utm('utm_content', 'button'))
  utmContent?: string | null;

  @GoalType({
    description:
      'Conversion goal: purchase, signup, addToCart, productView, subscription, appInstall, formSubmit, ' +
      'contentView or a custom one',
    example: 'purchase',
    optional,
  })
  goalType?: string | null;

  @Bool({ description: 'Whether the ad page is shown before the destination', example: false, optional })
  showAdPage?: boolean | null;

  @Bool({
    description:
      'Whether clicks by people append `waypost-token` to the destination, with which the Web SDK on that site continues ' +
      "the click's session; null for the organization's setting, which is off by default",
    example: true,
    optional,
  })
  appendClickId?: boolean | null;
}

const LASTING = 'Cannot be changed: only the current value is accepted; null is ignored';

/** Fields of create requests that updates accept only with their current value. */
export const lastingDomain = { description: `Custom domain. ${LASTING}`, example: null, optional };
export const lastingAlias = {
  description: `Code or alias. ${LASTING}`,
  example: null,
  optional,
};

/** Filters that lists of links and campaigns share. */
export class ListTrackedLinksQuery extends PageQuery {
  @DateTimeText({
    description: 'Created at this time or later; a date means its first second',
    example: '2026-11-01T00:00:00Z',
    optional,
  })
  createdAfter?: string;

  @DateTimeText({
    description: 'Created at this time or earlier; a date means its last second',
    example: '2026-11-30T23:59:59Z',
    optional,
  })
  createdBefore?: string;

  @OneOf(HEALTH_STATUSES, {
    description: 'Only those whose destinations are in this state',
    example: 'unhealthy',
    optional,
  })
  health?: HealthStatus;
}
