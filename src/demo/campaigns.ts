import { toRequest } from '../common/validation/to-request';
import { CampaignsByExternalId } from '../modules/campaigns/campaigns-by-external-id';
import { SaveCampaignRequest } from '../modules/campaigns/campaigns.dto';
import type { Campaign } from '../modules/campaigns/campaign.entity';
import { CampaignsRepository } from '../modules/campaigns/campaigns.repository';
import type { DemoApps } from './apps-and-domains';
import { CAMPAIGNS, shopUrl } from './catalogue';
import type { ClickTarget } from './click-targets';
import { type Demo, momentOf } from './demo';

const DAY_MS = 86_400_000;
const externalIdOf = (number: number) => `demo-campaign-${number + 1}`;
/** Campaigns get this many times the clicks of a link at first, for about a week. */
const LAUNCH = { factor: 7, days: 4 };
const SHARE = 30;

/** When the first campaign was created, which is when the data of the demo begins; null before the first filling. */
export async function beginningOf(
  campaigns: CampaignsRepository,
  organizationId: number,
): Promise<number | null> {
  const first = await campaigns.findByExternalId(organizationId, externalIdOf(0));
  return first?.createdAt.getTime() ?? null;
}

export async function fillCampaigns(
  demo: Demo,
  apps: DemoApps,
): Promise<{ targets: ClickTarget[]; counted: number }> {
  const { organizationId } = demo.caller;
  const repository = demo.get(CampaignsRepository);
  const targets: ClickTarget[] = [];
  let counted = 0;
  for (const [number, [name, day]] of CAMPAIGNS.entries()) {
    const externalId = externalIdOf(number);
    const known = await repository.findByExternalId(organizationId, externalId);
    if (!known) await create(demo, apps, { externalId, name, day });
    const campaign = known ?? (await repository.getByExternalId(organizationId, externalId));
    counted += known?.clickCount ?? 0;
    targets.push(targetOf(demo, campaign, number));
  }
  return { targets, counted };
}

async function create(
  demo: Demo,
  { ios, android }: DemoApps,
  { externalId, name, day }: { externalId: string; name: string; day: number },
): Promise<void> {
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
  const { caller, clock } = demo;
  await clock.at(momentOf(demo, day), () =>
    demo.get(CampaignsByExternalId).save(caller, externalId, request),
  );
}

function targetOf({ to }: Demo, { id, createdAt, utmCampaign }: Campaign, number: number): ClickTarget {
  const from = createdAt.getTime();
  // The last two are still going on.
  const isOver = number < CAMPAIGNS.length - 2;
  return {
    kind: 'campaign',
    id,
    appIds: [],
    from,
    to: isOver ? Math.min(to, from + 30 * DAY_MS) : to,
    share: SHARE,
    launch: LAUNCH,
    utm: [null, null, null, null, utmCampaign],
    variants: [],
    isGlobal: false,
  };
}
