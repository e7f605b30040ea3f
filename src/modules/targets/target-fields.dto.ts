import { PageQuery } from '../../common/pagination/page';
import { UTM_MAX } from '../../common/utm';
import { Bool, DateTimeText, HttpsUrl, Id, Text } from '../../common/validation/atoms';

const optional = true;
export const EXPIRY =
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

/** What a link or campaign may carry beside its destination. An empty text counts as null. */
export class TargetFields {
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

/** What lists of links and campaigns can be narrowed by alike. */
export class ListTargetsQuery extends PageQuery {
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
