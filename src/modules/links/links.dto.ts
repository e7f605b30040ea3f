import { PageQuery } from '../../common/pagination/page';
import { UTM_MAX } from '../../common/utm';
import {
  Alias,
  Bool,
  DateTimeText,
  HttpsUrl,
  Id,
  PathId,
  QueryBool,
  Text,
} from '../../common/validation/atoms';

const optional = true;
const EXPIRY =
  'Expiry: `yyyy-MM-dd HH:mm[:ss]`, ISO-8601, or `yyyy-MM-dd` (valid to the end of that day); UTC unless it says so';
const utm = (name: string, example: string) => ({
  max: UTM_MAX,
  description: `${name}; read from the destination's query when not given`,
  example,
  optional,
});
const deepLinkPath = (platform: string) => ({
  max: 1000,
  description: `Path that the ${platform} app opens`,
  example: '/products/42',
  optional,
});

/** What a link may carry beside its destination. An empty text counts as null. */
class LinkFields {
  @Text({ max: 200, description: 'Title', example: 'Spring sale', optional })
  title?: string | null;

  @Text({ max: 200, description: 'Open Graph title', example: 'Spring sale', optional })
  ogTitle?: string | null;

  @Text({ max: 500, description: 'Open Graph description', example: 'Everything 20 % off', optional })
  ogDescription?: string | null;

  @HttpsUrl({
    max: 1000,
    description: 'Open Graph image',
    example: 'https://shop.example.com/sale.png',
    optional,
  })
  ogImageUrl?: string | null;

  @Id({ description: 'Linked iOS app', example: 3, optional })
  iosAppId?: number | null;

  @Id({ description: 'Linked Android app', example: 4, optional })
  androidAppId?: number | null;

  @Text(deepLinkPath('iOS'))
  iosDeepLinkPath?: string | null;

  @Text(deepLinkPath('Android'))
  androidDeepLinkPath?: string | null;

  @HttpsUrl({
    max: 1000,
    description: 'Where phones without the app go, under the rules of the destination',
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

  @Text({
    max: 50,
    description:
      'Conversion goal: purchase, signup, addToCart, productView, subscription, appInstall, formSubmit, ' +
      'contentView or one of your own',
    example: 'purchase',
    optional,
  })
  goalType?: string | null;

  @Bool({ description: 'Whether the ad page is shown before the destination', example: false, optional })
  showAdPage?: boolean | null;
}

export class CreateLinkRequest extends LinkFields {
  @HttpsUrl({ max: 1000, description: 'Destination', example: 'https://shop.example.com/spring' })
  url!: string;

  @Alias({
    description: 'Code of your own choice, unique on its domain; without it a random one is made',
    example: 'spring-sale',
    optional,
  })
  customAlias?: string | null;

  @DateTimeText({ description: EXPIRY, example: '2030-12-31 23:59:59', optional })
  expirationDate?: string | null;

  @Id({
    description: 'Custom domain (VERIFIED or ACTIVE) of the link; the default domain when not given',
    example: 7,
    optional,
  })
  customDomainId?: number | null;
}

/**
 * Only supplied fields change. null clears a field that may be empty; originalUrl and showAdPage can't be, so null
 * leaves them as they are.
 */
export class UpdateLinkRequest extends LinkFields {
  @HttpsUrl({ max: 1000, description: 'Destination', example: 'https://shop.example.com/summer', optional })
  originalUrl?: string | null;

  @DateTimeText({ description: `${EXPIRY}; null clears it`, example: '2030-12-31', optional })
  expirationDate?: string | null;
}

export class LinkPath {
  @PathId({ description: 'Id of the link' })
  id!: number;
}

export class ListLinksQuery extends PageQuery {
  @Text({
    max: 100,
    description: 'Part of the destination or of the short code; letter case does not count',
    example: 'spring',
    optional,
  })
  keyword?: string;

  @QueryBool({ description: 'true: only links with the ad page', example: true, optional })
  showAdPage?: boolean;

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
}
