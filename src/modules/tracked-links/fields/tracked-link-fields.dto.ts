import { UTM_MAX } from '../../domains/destinations/utm';
import {
  Bool,
  DateTimeText,
  DestinationUrl,
  GoalType,
  HttpsUrl,
  Id,
  Identifier,
  Int,
  Text,
} from '../../../common/validation/atoms';
import { NestedList } from '../../../common/validation/lists';
import { MAX_RULES, MAX_VARIANTS, TargetingRuleFields, VariantFields } from '../routing/routing.dto';
import { Tags } from './tags';

const optional = true;
export const DESTINATION =
  'Destination, with https:// unless the organization has `allowHttpDestinations`; fails with DESTINATION_NOT_ALLOWED ' +
  'if links may not lead there';
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

const EXTERNAL_ID = { max: 200, example: 'order-1001' };
const IN_PATH = 'Id in your own system, percent-encoded';

/** Optional fields of links and campaigns. An empty string counts as null in free-text fields. */
export class TrackedLinkFields {
  @Identifier({
    ...EXTERNAL_ID,
    description:
      'Id in your own system, unique in the organization among those that are not deleted (else EXTERNAL_ID_TAKEN)',
    optional,
  })
  externalId?: string | null;

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

  @DestinationUrl({
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

  @Text(utm('utm_campaign', 'spring-sale'))
  utmCampaign?: string | null;

  @GoalType({
    description:
      'Conversion goal: purchase, signup, addToCart, productView, subscription, appInstall, formSubmit, ' +
      'contentView or a custom one',
    example: 'purchase',
    optional,
  })
  goalType?: string | null;

  @Bool({
    description: 'Whether it answers; a link that is off gets the 404 page and is not counted. Default true',
    example: true,
    optional,
  })
  enabled?: boolean | null;

  @Bool({
    description: 'Whether lists leave it out unless they ask for it; it goes on answering. Default false',
    example: false,
    optional,
  })
  archived?: boolean | null;

  @DateTimeText({
    description:
      'Start, before the expiry: `yyyy-MM-dd HH:mm[:ss]`, ISO-8601, or `yyyy-MM-dd` (from the beginning of that day); ' +
      'UTC unless it has an offset. Until then it leads to `notStartedUrl` or gets the 404 page, and is not counted',
    example: '2026-11-01 09:00',
    optional,
  })
  startsAt?: string | null;

  @DestinationUrl({
    max: 1000,
    description:
      'Where it leads until it starts, subject to the rules for destinations (DESTINATION_NOT_ALLOWED); the 404 page ' +
      'without one',
    example: 'https://shop.example.com/soon',
    optional,
  })
  notStartedUrl?: string | null;

  @DestinationUrl({
    max: 1000,
    description:
      'Where it leads once it has expired or is used up, subject to the rules for destinations ' +
      "(DESTINATION_NOT_ALLOWED); takes precedence over the domain's `expiredUrl`",
    example: 'https://shop.example.com/over',
    optional,
  })
  expiredUrl?: string | null;

  @Bool({
    description: "Whether the query of a request is added to the destination's. Default true",
    example: true,
    optional,
  })
  forwardQuery?: boolean | null;

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

  @Tags({
    description:
      'Tags, distinct ignoring letter case and surrounding white space; not `(none)` and `(other)`, which name groups ' +
      'of statistics. Null for none',
    example: ['spring', 'newsletter'],
    optional,
  })
  tags?: string[] | null;

  @Text({
    min: 4,
    max: 100,
    description:
      'Password that visitors must enter before they are redirected; never returned. Null for none',
    example: 'open sesame',
    optional,
  })
  password?: string | null;

  @Int({
    min: 1,
    max: 1_000_000_000,
    description: 'Number of visits by people after which it is used up; null for no limit',
    example: 100,
    optional,
  })
  maxClicks?: number | null;

  @NestedList(() => TargetingRuleFields, {
    max: MAX_RULES,
    description:
      'Destinations by country, device and operating system; the first rule that matches applies. Null for none',
    optional,
  })
  targeting?: TargetingRuleFields[] | null;

  @NestedList(() => VariantFields, {
    max: MAX_VARIANTS,
    description:
      'Two to ten destinations that replace the single one, among which visitors are distributed by weight; ' +
      'a visitor always gets the same one. Null for none',
    example: [
      { url: 'https://shop.example.com/a', weight: 1 },
      { url: 'https://shop.example.com/b', weight: 3 },
    ],
    optional,
  })
  variants?: VariantFields[] | null;
}

export const findIfExists = (noun: 'link' | 'campaign') => ({
  description:
    `Whether to return the ${noun} that has the same destination and settings, with 200, instead of creating another; ` +
    'omitted fields count with their defaults, except the alias, of which any is the same',
  example: true,
  optional,
});

/** The domain in updates, which only accept the current one. */
export const lastingDomain = {
  description: 'Custom domain. Cannot be changed: only the current value is accepted; null is ignored',
  example: null,
  optional,
};
const MOVE =
  'Code or alias, on its domain nobody else may have it (else ALIAS_TAKEN), nor may it be a reserved word (else ' +
  'RESERVED_ALIAS). The one that it replaces goes on leading here unless `releaseOld` is true; at most 20 do (else ' +
  'TOO_MANY_FORMER_ALIASES). Null changes nothing';

/** Fields of updates that change the code or alias. */
export const movedAlias = { description: MOVE, example: 'summer-sale', optional };
export const releaseOld = {
  description:
    'Whether the code or alias that this update replaces stops working, and is free for the organization again',
  example: false,
  optional,
};

/** The domain in requests that create or change: an existing link keeps its domain. */
export const savedDomain = {
  description:
    'Custom domain. For an existing one, only the current value is accepted, else VALIDATION_FAILED; null is ignored',
  example: 1,
  optional,
};

export class ExternalIdPath {
  @Text({ ...EXTERNAL_ID, description: IN_PATH })
  externalId!: string;
}

/** An external id, which may become that of a new link or campaign. */
export class SavedExternalIdPath {
  @Identifier({ ...EXTERNAL_ID, description: IN_PATH })
  externalId!: string;
}
