import { type INestApplicationContext, type Type } from '@nestjs/common';
import { UpdateOrganizationRequest } from '../access/organizations/organizations.dto';
import { OrganizationsService } from '../access/organizations/organizations.service';
import { toRequest } from '../common/validation/to-request';
import { CampaignsRepository } from '../modules/campaigns/campaigns.repository';
import { ClickSumBuilder } from '../modules/click-statistics/breakdowns/click-sum-builder';
import { WebhookEndpointsService } from '../modules/webhooks/console/webhook-endpoints.service';
import { fillApps, fillDomains } from './apps-and-domains';
import { beginningOf, fillCampaigns } from './campaigns';
import { fillClicks } from './click-filling';
import { DAYS, type Demo, demoCaller } from './demo';
import type { DemoClock } from './demo-clock';
import { fillJourneys } from './journeys';
import { fillLinks } from './links';
import { fillMembers } from './members';
import { fillPeople } from './people';
import { fillSegments } from './segments';
import { fillWebhooks, isFilled } from './webhooks';

const DAY_MS = 86_400_000;
/** A shop in Seoul that sells in won. */
const SETTINGS = { timeZone: 'Asia/Seoul', baseCurrency: 'KRW', defaultRegion: 'KR', brandName: 'Demo Shop' };

export interface Filling extends Pick<Demo, 'clock' | 'clicks' | 'stopping' | 'say'> {
  readonly nest: INestApplicationContext;
  readonly organizationId: number;
}

export type FillResult = 'filled' | 'filled before' | 'interrupted';

/** Fills the Demo organization with three months of data. What an earlier run has made is kept, and not made twice. */
export async function fillDemo(filling: Filling): Promise<FillResult> {
  const { nest, organizationId, clock, stopping, say } = filling;
  // A function, because TypeScript's control flow would take the second look for the first.
  const isStopped = () => stopping.aborted;
  const get = <T>(service: Type<T>): T => nest.get<T>(service, { strict: false });
  const present = await demoCaller(nest, organizationId);
  if (await isFilled(get(WebhookEndpointsService), present)) return 'filled before';

  const { from, to } = await periodOf(get(CampaignsRepository), organizationId, clock);
  const settings = toRequest(UpdateOrganizationRequest, SETTINGS);
  await clock.at(from, () => get(OrganizationsService).update(present, settings));
  const caller = await demoCaller(nest, organizationId);
  const demo: Demo = { caller, from, to, get, ...filling };

  await fillMembers(demo);
  const apps = await fillApps(demo);
  await fillDomains(demo);
  const campaigns = await fillCampaigns(demo, apps);
  const links = await fillLinks(demo, apps);
  say(`${links.targets.length} links, ${campaigns.targets.length} campaigns, 2 apps, 2 domains`);
  if (isStopped()) return 'interrupted';
  const targets = [...links.targets, ...campaigns.targets];
  await Promise.all([
    fillClicks(demo, targets, links.counted + campaigns.counted),
    fillPeople(demo).then(() => fillJourneys(demo, apps, targets)),
  ]);
  if (isStopped()) return 'interrupted';
  // Otherwise scheduled work adds up the days, while the console reads each click.
  await get(ClickSumBuilder).build(DAYS);
  await fillSegments(demo);
  await fillWebhooks(demo);
  return 'filled';
}

/** The three months up to the first filling. */
async function periodOf(
  campaigns: CampaignsRepository,
  organizationId: number,
  clock: DemoClock,
): Promise<{ from: number; to: number }> {
  const now = clock.now();
  const from = (await beginningOf(campaigns, organizationId)) ?? now - (now % 1_000) - DAYS * DAY_MS;
  return { from, to: from + DAYS * DAY_MS };
}
