import { toRequest } from '../common/validation/to-request';
import type { App } from '../modules/apps/app.entity';
import { CreateAppRequest } from '../modules/apps/apps.dto';
import { AppsRepository } from '../modules/apps/apps.repository';
import { AppsService } from '../modules/apps/apps.service';
import { SaveCampaignRequest } from '../modules/campaigns/campaigns.dto';
import { CampaignsService } from '../modules/campaigns/campaigns.service';
import type { TrackedLinkKind, Utm } from '../modules/clicks/click';
import { CustomDomainsService } from '../modules/domains/custom-domains.service';
import { SaveLinkRequest, UpdateLinkRequest } from '../modules/links/links.dto';
import { LinksService } from '../modules/links/links.service';
import { saveByExternalId } from '../modules/tracked-links/external-ids';
import { ANDROID_APP, CAMPAIGNS, DOMAINS, IOS_APP, PLACEMENTS, PRODUCTS, shopUrl, slugOf } from './catalogue';
import { ALL, type Demo, momentOf, orTaken } from './demo';

export interface DemoApps {
  readonly ios: App;
  readonly android: App;
}

export interface ClickTarget {
  readonly kind: TrackedLinkKind;
  readonly id: number;
  /** When it gets clicks, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly utm: Utm;
  readonly variants: readonly string[];
}

export interface Targets {
  readonly appIds: readonly number[];
  readonly campaigns: readonly ClickTarget[];
  readonly links: readonly ClickTarget[];
}

export async function fillApps(demo: Demo): Promise<DemoApps> {
  return { ios: await app(demo, IOS_APP), android: await app(demo, ANDROID_APP) };
}

async function app({ caller, clock, from, get }: Demo, fields: { bundleId: string }): Promise<App> {
  const [known] = await get(AppsRepository).list(caller.organizationId, ALL);
  const found = known.find(({ bundleId }) => bundleId === fields.bundleId);
  const request = toRequest(CreateAppRequest, fields);
  return found ?? clock.at(from, () => get(AppsService).create(caller, request));
}

export async function fillDomains({ caller, get }: Demo): Promise<void> {
  for (const name of DOMAINS) await orTaken(get(CustomDomainsService).create(caller, { domainName: name }));
}

/** A campaign each week, for a month. */
export async function fillCampaigns(demo: Demo, apps: DemoApps): Promise<ClickTarget[]> {
  const targets: ClickTarget[] = [];
  for (const [number, name] of CAMPAIGNS.entries()) {
    const slug = slugOf(name);
    const from = momentOf(demo, number * 7);
    const request = toRequest(SaveCampaignRequest, {
      name,
      title: name,
      originalUrl: shopUrl(slug),
      utmCampaign: slug,
      ...appFields(apps, `/campaigns/${slug}`),
    });
    const { saved } = await demo.clock.at(from, () =>
      saveByExternalId(demo.get(CampaignsService), demo.caller, `demo-campaign-${number + 1}`, request),
    );
    targets.push({
      kind: 'campaign',
      id: saved.id,
      from,
      to: momentOf(demo, number * 7 + 30),
      utm: [null, null, null, null, slug],
      variants: [],
    });
  }
  return targets;
}

/** One link for each product and placement. */
export async function fillLinks(demo: Demo, apps: DemoApps): Promise<ClickTarget[]> {
  const targets: ClickTarget[] = [];
  const places = PRODUCTS.flatMap((product) => PLACEMENTS.map((placement) => ({ ...product, ...placement })));
  for (const [number, place] of places.entries()) {
    demo.stopping.throwIfAborted();
    targets.push(await fillLink(demo, apps, number, place));
  }
  demo.say(`${targets.length} links`);
  return targets;
}

type Place = (typeof PRODUCTS)[number] & (typeof PLACEMENTS)[number];

async function fillLink(demo: Demo, apps: DemoApps, number: number, place: Place): Promise<ClickTarget> {
  const { caller, clock, get } = demo;
  const { product, season, name, source, medium } = place;
  const slug = slugOf(product);
  // One in five from the start.
  const day = Math.max(0, (number - 80) / 4);
  const [expires, isDisabled] = [number % 40 === 7, number % 40 === 27];
  const [from, to] = [momentOf(demo, day), momentOf(demo, day + (expires || isDisabled ? 30 : 90))];
  const utmCampaign = `${season}-2026`;
  const utmContent = number % 2 ? 'photo' : 'video';
  const variants =
    number % 10 === 3 ? [shopUrl(slug, { layout: 'gallery' }), shopUrl(slug, { layout: 'reviews' })] : [];
  const fields = {
    url: shopUrl(slug, { from: source }),
    title: `${product} – ${name}`,
    tags: [season, medium],
    utmSource: source,
    utmMedium: medium,
    utmCampaign,
    utmContent,
    ...appFields(apps, `/products/${slug}`),
    ...(expires && { expirationDate: new Date(to).toISOString() }),
    ...(variants.length > 0 && { variants: variants.map((url, i) => ({ url, weight: 2 - i })) }),
    ...(number % 8 === 5 && { targeting: [{ devices: ['Desktop'], url: shopUrl(slug, { view: 'wide' }) }] }),
  };
  const { saved } = await clock.at(from, () =>
    saveByExternalId(
      get(LinksService),
      caller,
      `demo-link-${number + 1}`,
      toRequest(SaveLinkRequest, fields),
    ),
  );
  if (isDisabled) {
    const change = toRequest(UpdateLinkRequest, { enabled: false });
    await clock.at(to, () => get(LinksService).update(caller, saved.id, change));
  }
  const utm: Utm = [source, medium, null, utmContent, utmCampaign];
  return { kind: 'link', id: saved.id, from, to, utm, variants };
}

function appFields({ ios, android }: DemoApps, path: string) {
  return {
    iosAppId: ios.id,
    androidAppId: android.id,
    iosDeepLinkPath: path,
    androidDeepLinkPath: path,
    goalType: 'purchase',
  };
}
