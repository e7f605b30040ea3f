import type { AppCaller } from '../access/caller';
import { toRequest } from '../common/validation/to-request';
import type { App } from '../modules/apps/app.entity';
import { TrackFunnelRequest } from '../modules/cross-platform/funnel.dto';
import { FunnelService } from '../modules/cross-platform/funnel.service';
import { RecordEventRequest } from '../modules/cross-platform/session-events.dto';
import { SessionEventsService } from '../modules/cross-platform/session-events.service';
import { CreateSessionRequest } from '../modules/cross-platform/sessions.dto';
import { SessionsService } from '../modules/cross-platform/sessions.service';
import { memberId, PRODUCTS } from './catalogue';
import type { Demo } from './demo';
import type { DemoApps, Targets } from './links';
import { contactCount } from './people';
import { happens, int, pick, skewed } from './random';
import { pickOpen, pickVisitor, visitTimes } from './visits';

const MINUTE_MS = 60_000;

/** Stages after the click, with the share of sessions that continue to each, and the event that follows. */
const FUNNEL: readonly (readonly [stage: string, rate: number, eventType?: string])[] = [
  ['STORE_VISITED', 0.86],
  ['APP_INSTALLED', 0.55],
  ['APP_OPENED', 0.95],
  ['DEEP_LINK_RESOLVED', 0.92],
  ['CONTENT_VIEWED', 0.85, 'view_item'],
  ['ACTION_TAKEN', 0.55, 'add_to_cart'],
];

const IPHONE = { os: 'iOS', osVersion: '26.1', deviceModel: 'iPhone18,1', deviceType: 'Mobile' };
const GALAXY = { os: 'Android', osVersion: '16', deviceModel: 'SM-S938N', deviceType: 'Mobile' };

/**
 * Creates sessions with stages and goals, as the shop's apps would have reported them.
 * @returns a function for each event that records it, which has its own transaction
 */
export async function fillSessions(
  demo: Demo,
  apps: DemoApps,
  targets: Targets,
): Promise<(() => Promise<unknown>)[]> {
  const { clock, get } = demo;
  const count = Math.min(2_000, Math.max(20, Math.round(demo.clicks / 500)));
  demo.say(`${count} sessions …`);
  const events: (() => Promise<unknown>)[] = [];
  for (const [number, begin] of visitTimes(demo, count).entries()) {
    demo.stopping.throwIfAborted();
    const caller = appCaller(demo, happens(0.5) ? apps.ios : apps.android);
    const sessionId = `demo-session-${number + 1}`;
    const start = toRequest(CreateSessionRequest, { sessionId, ...startOf(demo, caller, targets, begin) });
    await clock.at(begin, () => get(SessionsService).create(caller, start));
    let at = begin;
    for (const step of stepsOf(number)) {
      at = Math.min(demo.to - 1, at + int(3 * MINUTE_MS));
      const time = at;
      const fields = { sessionId, ...step };
      if ('eventType' in step) {
        const request = toRequest(RecordEventRequest, fields);
        events.push(() => clock.at(time, () => get(SessionEventsService).record(caller, request)));
      } else {
        const request = toRequest(TrackFunnelRequest, fields);
        await clock.at(time, () => get(FunnelService).track(caller, request));
      }
    }
  }
  return events;
}

function appCaller({ caller }: Demo, { id, platform, appName }: App): AppCaller {
  const { organizationId, organization, addOns } = caller;
  return {
    ...{ organizationId, organization, addOns, ip: pickVisitor().ip },
    appId: id,
    key: 'secret',
    appPlatform: platform,
    actor: { type: 'APP', id, name: appName },
    userId: null,
    username: null,
    permissions: new Set(),
    role: null,
  };
}

function startOf(demo: Demo, { appPlatform }: AppCaller, targets: Targets, at: number): object {
  const { id, kind, utm } = pickOpen(targets, at);
  const deviceInfo = appPlatform === 'iOS' ? IPHONE : GALAXY;
  return {
    platform: appPlatform.toUpperCase(),
    [kind === 'link' ? 'urlId' : 'campaignId']: id,
    externalUserId: happens(0.55) ? memberId(int(contactCount(demo))) : null,
    utmSource: utm[0],
    utmMedium: utm[1],
    deviceInfo,
  };
}

function stepsOf(number: number): object[] {
  const { product } = pick(PRODUCTS);
  const hasApp = happens(0.35);
  const steps: object[] = [{ stage: 'CLICKED' }];
  for (const [stage, rate, eventType] of hasApp ? FUNNEL.slice(2) : FUNNEL) {
    if (!happens(rate)) return steps;
    steps.push({ stage });
    if (eventType !== undefined) steps.push({ eventType, eventData: { product } });
  }
  if (happens(0.12)) steps.push({ goalType: 'signup' });
  if (happens(0.5)) {
    const [currency, unit] = happens(0.2) ? ['USD', 1] : ['KRW', 1_000];
    const goalValue = (12 + skewed(140)) * unit;
    steps.push({ goalType: 'purchase', goalValue, currency, transactionId: `demo-order-${number + 1}` });
  }
  return steps;
}
