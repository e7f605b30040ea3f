import { toRequest } from '../common/validation/to-request';
import type { App } from '../modules/apps/app.entity';
import { CreateAppRequest } from '../modules/apps/apps.dto';
import { AppsRepository } from '../modules/apps/apps.repository';
import { AppsService } from '../modules/apps/apps.service';
import { CampaignsByExternalId } from '../modules/campaigns/campaigns-by-external-id';
import { SaveCampaignRequest } from '../modules/campaigns/campaigns.dto';
import { CustomDomainsService } from '../modules/domains/custom-domains.service';
import { LinksByExternalId } from '../modules/links/external-ids/links-by-external-id';
import { SaveLinkRequest, UpdateLinkRequest } from '../modules/links/links.dto';
import { LinksService } from '../modules/links/links.service';
import { ANDROID_APP, CAMPAIGNS, DOMAINS, IOS_APP, PLACEMENTS, PRODUCTS, shopUrl } from './catalogue';
import type { ClickTarget } from './clicks';
import { ALL, DAY_MS, type Demo, momentOf, orTaken } from './demo';

/** The day on which some links are disabled. */
const DISABLED_ON = 60;

export interface DemoApps {
  readonly ios: App;
  readonly android: App;
}

export async function fillApps(demo: Demo): Promise<DemoApps> {
  return { ios: await app(demo, IOS_APP), android: await app(demo, ANDROID_APP) };
}

async function app({ caller, clock, get, ...demo }: Demo, fields: { bundleId: string }): Promise<App> {
  const [known] = await get(AppsRepository).list(caller.organizationId, ALL);
  const found = known.find(({ bundleId }) => bundleId === fields.bundleId);
  const request = toRequest(CreateAppRequest, fields);
  return found ?? clock.at(momentOf(demo, 0), () => get(AppsService).create(caller, request));
}

export async function fillDomains({ caller, get }: Demo): Promise<void> {
  for (const name of DOMAINS) await orTaken(get(CustomDomainsService).create(caller, name));
}

export async function fillCampaigns(demo: Demo, { ios, android }: DemoApps): Promise<ClickTarget[]> {
  const targets: ClickTarget[] = [];
  for (const [number, [name, day]] of CAMPAIGNS.entries()) {
    const slug = name.toLowerCase().replaceAll(' ', '-');
    const request = toRequest(SaveCampaignRequest, {
      name,
      title: name,
      originalUrl: shopUrl(slug),
      iosAppId: ios.id,
      androidAppId: android.id,
      iosDeepLinkPath: `/campaigns/${slug}`,
      androidDeepLinkPath: `/campaigns/${slug}`,
      utmCampaign: slug,
      goalType: 'purchase',
    });
    const from = momentOf(demo, day);
    const { saved } = await demo.clock.at(from, () =>
      demo.get(CampaignsByExternalId).save(demo.caller, `demo-campaign-${number + 1}`, request),
    );
    targets.push({
      ...{ kind: 'campaign', id: saved.id, appIds: [], utm: [null, null, null, null, slug] },
      ...{ variants: [], isGlobal: false, share: 30, launch: { factor: 7, days: 4 }, from },
      // The last two are still running.
      to: number < CAMPAIGNS.length - 2 ? Math.min(demo.to, from + 30 * DAY_MS) : demo.to,
    });
  }
  return targets;
}

/** One link for each product and placement. */
export async function fillLinks(demo: Demo, apps: DemoApps): Promise<ClickTarget[]> {
  const { caller, clock, get } = demo;
  const targets: ClickTarget[] = [];
  for (let number = 0; number < PRODUCTS.length * PLACEMENTS.length; number++) {
    demo.stopping.throwIfAborted();
    const { fields, disabled, target } = linkPlan(demo, apps, number);
    const { saved } = await clock.at(target.from, () =>
      get(LinksByExternalId).save(caller, `demo-link-${number + 1}`, toRequest(SaveLinkRequest, fields)),
    );
    targets.push({ ...target, id: saved.id });
    if (!disabled) continue;
    const change = toRequest(UpdateLinkRequest, { enabled: false });
    await clock.at(target.to, () => get(LinksService).update(caller, saved.id, change));
  }
  demo.say(`${targets.length} links`);
  return targets;
}

function linkPlan(demo: Demo, { ios, android }: DemoApps, number: number) {
  const productNumber = Math.floor(number / PLACEMENTS.length);
  const placementNumber = number % PLACEMENTS.length;
  const [product, season] = PRODUCTS[productNumber] ?? PRODUCTS[0];
  const placement = PLACEMENTS[placementNumber] ?? PLACEMENTS[0];
  const slug = product.toLowerCase().replaceAll(' ', '-');
  // Four in ten from the start, the others week by week.
  const day = productNumber < 10 ? productNumber / 3 : (productNumber - 9) * 5 + placementNumber / 8;
  const expires = number % 33 === 32 && day < 50;
  const disabled = number % 40 === 7 && day < 50;
  const until = expires ? momentOf(demo, day + 25) : disabled ? momentOf(demo, DISABLED_ON) : demo.to;
  const utmCampaign = number % 3 === 0 ? `${season}-2026` : null;
  const utmContent = number % 5 === 0 ? (productNumber % 2 ? 'photo' : 'video') : null;
  const variants = number % 10 === 3 ? variantsOf(slug) : [];
  const hasApps = number % 2 === 0;
  const target: Omit<ClickTarget, 'id'> = {
    kind: 'link',
    appIds: hasApps ? [ios.id, android.id] : [],
    from: momentOf(demo, day),
    to: until,
    share: placement.share / (1 + ((productNumber * 7) % PRODUCTS.length)) ** 0.7,
    launch: { factor: 2.5, days: 6 },
    utm: [placement.source, placement.medium, null, utmContent, utmCampaign],
    variants,
    isGlobal: placement.tag === 'global',
  };
  const fields = {
    url: shopUrl(slug, { from: placement.source }),
    title: `${product} – ${placement.name}`,
    tags: [season, placement.tag],
    utmSource: placement.source,
    utmMedium: placement.medium,
    utmCampaign,
    utmContent,
    ...(expires && { expirationDate: new Date(until).toISOString() }),
    ...(variants.length > 0 && { variants }),
    ...(number % 8 === 5 && { targeting: rulesOf(slug) }),
    ...(hasApps && {
      iosAppId: ios.id,
      androidAppId: android.id,
      iosDeepLinkPath: `/products/${slug}`,
      androidDeepLinkPath: `/products/${slug}`,
      goalType: 'purchase',
    }),
  };
  return { fields, disabled, target };
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
