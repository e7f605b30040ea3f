import type { DemoApps } from './apps-and-domains';
import { PLACEMENTS, PRODUCTS, shopUrl } from './catalogue';
import { type Demo, momentOf } from './demo';

export const LINK_COUNT = PRODUCTS.length * PLACEMENTS.length;
/** The day on which some links are disabled. */
export const DISABLED_ON = 60;

export interface LinkPlan {
  /** On which it is created. */
  readonly day: number;
  readonly share: number;
  readonly disabled: boolean;
  readonly isGlobal: boolean;
  /** Of the request that creates it. */
  readonly fields: object;
}

/** One link for each product and placement. @param apps null: without the fields of apps */
export function linkPlan(demo: Demo, apps: DemoApps | null, number: number): LinkPlan {
  const productNumber = Math.floor(number / PLACEMENTS.length);
  const placementNumber = number % PLACEMENTS.length;
  const [product, season] = PRODUCTS[productNumber] ?? PRODUCTS[0];
  const placement = PLACEMENTS[placementNumber] ?? PLACEMENTS[0];
  const slug = product.toLowerCase().replaceAll(' ', '-');
  // Four in ten from the beginning, the others week by week.
  const day = productNumber < 10 ? productNumber / 3 : (productNumber - 9) * 5 + placementNumber / 8;
  const popularity = 1 / (1 + ((productNumber * 7) % PRODUCTS.length)) ** 0.7;
  const expires = number % 33 === 32 && day < 50;
  return {
    day,
    share: placement.share * popularity,
    disabled: number % 40 === 7 && day < 50,
    isGlobal: placement.tag === 'global',
    fields: {
      url: shopUrl(slug, { from: placement.source }),
      title: `${product} – ${placement.name}`,
      tags: [season, placement.tag],
      utmSource: placement.source,
      utmMedium: placement.medium,
      ...(number % 3 === 0 && { utmCampaign: `${season}-2026` }),
      ...(number % 5 === 0 && { utmContent: productNumber % 2 ? 'photo' : 'video' }),
      ...(expires && { expirationDate: new Date(momentOf(demo, day + 25)).toISOString() }),
      ...(number % 10 === 3 && { variants: variantsOf(slug) }),
      ...(number % 8 === 5 && { targeting: rulesOf(slug) }),
      ...(apps && number % 2 === 0 && appFields(apps, slug)),
    },
  };
}

function variantsOf(slug: string) {
  return [
    { url: shopUrl(slug, { layout: 'gallery' }), weight: 2 },
    { url: shopUrl(slug, { layout: 'reviews' }), weight: 1 },
  ];
}

function rulesOf(slug: string) {
  return [
    { countries: ['JP'], url: shopUrl(slug, { lang: 'ja' }) },
    { countries: ['US', 'CA', 'GB', 'AU'], url: shopUrl(slug, { lang: 'en' }) },
    { devices: ['Desktop'], url: shopUrl(slug, { view: 'wide' }) },
  ];
}

function appFields({ ios, android }: DemoApps, slug: string) {
  return {
    iosAppId: ios.id,
    androidAppId: android.id,
    iosDeepLinkPath: `/products/${slug}`,
    androidDeepLinkPath: `/products/${slug}`,
    goalType: 'purchase',
  };
}
