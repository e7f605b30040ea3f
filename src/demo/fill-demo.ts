import type { INestApplicationContext, Type } from '@nestjs/common';
import type { Caller } from '../access/caller';
import { platform } from '../access/console/console-tokens';
import { DEMO_USER } from '../access/demo-organization';
import { activeAddOns, OrganizationCache } from '../access/organizations/organization-cache';
import { UpdateOrganizationRequest } from '../access/organizations/organizations.dto';
import { OrganizationsService } from '../access/organizations/organizations.service';
import { callerFor } from '../access/console/caller-for';
import { UsersService } from '../access/users/users.service';
import { toRequest } from '../common/validation/to-request';
import { Database } from '../infrastructure/database/database';
import { EventDays } from '../modules/analytics/event-log/event-days';
import { ClickSumBuilder } from '../modules/click-statistics/breakdowns/click-sum-builder';
import { SegmentsService } from '../modules/segments/segments.service';
import { CreateWebhookRequest } from '../modules/webhooks/api/webhook-endpoints.dto';
import { WebhookEndpointsService } from '../modules/webhooks/api/webhook-endpoints.service';
import { WEBHOOKS } from './catalogue';
import { fillClicks, preparePartitions } from './clicks';
import { ALL, DAY_MS, DAYS, type Demo } from './demo';
import { fillApps, fillCampaigns, fillDomains, fillLinks } from './links';
import { fillContacts, fillMembers, fillSegments, inviteColleague } from './people';
import { fillSessions } from './sessions';

const THIS_MACHINE = '127.0.0.1';
const SETTINGS = { timeZone: 'Asia/Seoul', baseCurrency: 'KRW', defaultRegion: 'KR', brandName: 'Demo Shop' };

export interface Filling extends Pick<Demo, 'clock' | 'clicks' | 'stopping' | 'say'> {
  readonly nest: INestApplicationContext;
  readonly organizationId: number;
}

export type FillResult = 'filled' | 'filled before' | 'interrupted';

/**
 * Fills the Demo organization with three months of data. After an interruption, it is run again: named resources are
 * saved again, and everything else is written in one transaction.
 */
export async function fillDemo(filling: Filling): Promise<FillResult> {
  try {
    return (await fill(filling)) ? 'filled' : 'filled before';
  } catch (error) {
    if (filling.stopping.aborted) return 'interrupted';
    throw error;
  }
}

async function fill({ nest, organizationId, ...given }: Filling): Promise<boolean> {
  const get = <T>(service: Type<T>): T => nest.get<T>(service, { strict: false });
  const to = given.clock.now();
  const caller = await callerOf(get, organizationId);
  const demo: Demo = { ...given, caller, get, from: to - DAYS * DAY_MS, to };
  // The transaction below creates the webhook endpoints.
  const [webhooks] = await get(WebhookEndpointsService).list(caller, ALL);
  if (webhooks.some(({ url }) => url === WEBHOOKS[0].url)) return false;
  await demo.clock.at(demo.from, () =>
    get(OrganizationsService).update(caller, toRequest(UpdateOrganizationRequest, SETTINGS)),
  );
  await fillOrganization({ ...demo, caller: await callerOf(get, organizationId) });
  return true;
}

async function fillOrganization(demo: Demo): Promise<void> {
  const { caller, get, say } = demo;
  await fillMembers(demo);
  await fillDomains(demo);
  const apps = await fillApps(demo);
  const appIds = [apps.ios.id, apps.android.id];
  const targets = { appIds, campaigns: await fillCampaigns(demo, apps), links: await fillLinks(demo, apps) };
  await fillContacts(demo);
  await preparePartitions(demo);
  const { events, segments } = await get(Database).enclose(async () => {
    for (const webhook of WEBHOOKS) {
      await get(WebhookEndpointsService).create(caller, toRequest(CreateWebhookRequest, webhook));
    }
    await inviteColleague(demo);
    const made = { events: await fillSessions(demo, apps, targets), segments: await fillSegments(demo) };
    await fillClicks(demo, targets);
    return made;
  });
  say('Adding up …');
  await Promise.all(events.map((record) => record()));
  for (const id of segments) await get(SegmentsService).evaluate(caller, id);
  // Otherwise, until scheduled work builds the daily sums, the console reads every click and shows no earlier event.
  await get(ClickSumBuilder).build(DAYS);
  await get(EventDays).build();
}

/** The first user of the organization, or the platform if that user no longer exists. */
async function callerOf(get: Demo['get'], organizationId: number): Promise<Caller> {
  const found = await get(OrganizationCache).get(organizationId);
  if (!found) throw new Error('The Demo organization does not exist');
  const { organization } = found;
  const bound = { organizationId, organization, addOns: activeAddOns(found, Date.now()) };
  const asPlatform: Caller = { ...platform(THIS_MACHINE), ...bound };
  const [users] = await get(UsersService).list(asPlatform, ALL);
  const user = users.find(({ username }) => username === DEMO_USER);
  return user ? { ...callerFor(user, THIS_MACHINE), ...bound } : asPlatform;
}
