import type { App } from '../modules/apps/app.entity';
import { CreateAppRequest } from '../modules/apps/apps.dto';
import { AppsRepository } from '../modules/apps/apps.repository';
import { AppsService } from '../modules/apps/apps.service';
import { CustomDomainsRepository } from '../modules/domains/custom-domains.repository';
import { CustomDomainsService } from '../modules/domains/custom-domains.service';
import { toRequest } from '../common/validation/to-request';
import { type Demo, momentOf } from './demo';
import { orTaken } from './members';

export interface DemoApps {
  readonly ios: App;
  readonly android: App;
}

const ALL = { page: 0, size: 100 };
const IOS = {
  platform: 'iOS',
  appName: 'Demo Shop for iPhone',
  bundleId: 'com.example.demoshop',
  scheme: 'demoshop://',
  teamId: 'DEMO123456',
  storeUrl: 'https://apps.apple.com/app/id1234567890',
};
const ANDROID = {
  platform: 'Android',
  appName: 'Demo Shop for Android',
  bundleId: 'com.example.demoshop.android',
  scheme: 'demoshop://',
  storeUrl: 'https://play.google.com/store/apps/details?id=com.example.demoshop.android',
};
/** Nobody can own a name below `.example`, so these wait for their DNS records as long as they exist. */
const DOMAINS = ['go.demo-shop.example', 'links.demo-shop.example'];

export async function fillApps(demo: Demo): Promise<DemoApps> {
  return { ios: await app(demo, IOS), android: await app(demo, ANDROID) };
}

async function app(demo: Demo, fields: { bundleId: string }): Promise<App> {
  const { caller, clock } = demo;
  const [known] = await demo.get(AppsRepository).list(caller.organizationId, ALL);
  const found = known.find(({ bundleId }) => bundleId === fields.bundleId);
  const request = toRequest(CreateAppRequest, fields);
  return found ?? clock.at(momentOf(demo, 0), () => demo.get(AppsService).create(caller, request));
}

export async function fillDomains({ caller, get }: Demo): Promise<void> {
  const [known] = await get(CustomDomainsRepository).list(caller.organizationId, ALL, { id: 'ASC' });
  for (const name of DOMAINS) {
    if (known.some(({ domainName }) => domainName === name)) continue;
    await orTaken(get(CustomDomainsService).create(caller, name));
  }
}
