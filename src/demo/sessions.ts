import type { AppCaller } from '../access/caller';
import { toRequest } from '../common/validation/to-request';
import type { App } from '../modules/apps/app.entity';
import { Countries } from '../modules/clicks/visitor-facts';
import { TrackFunnelRequest } from '../modules/cross-platform/funnel.dto';
import { FunnelService } from '../modules/cross-platform/funnel.service';
import { RecordEventRequest } from '../modules/cross-platform/session-events.dto';
import { SessionEventsService } from '../modules/cross-platform/session-events.service';
import { CreateSessionRequest } from '../modules/cross-platform/sessions.dto';
import { SessionsService } from '../modules/cross-platform/sessions.service';
import type { Stage } from '../modules/sessions/funnel';
import { DEVICES, memberId, PRODUCTS } from './catalogue';
import type { ClickTarget } from './clicks';
import type { Demo } from './demo';
import type { DemoApps } from './links';
import { contactCount } from './people';
import { Random, Weighted } from './random';
import { homeAndAbroad, Visitors } from './visitors';

const MINUTE_MS = 60_000;

/** Stages after the click, with the share of sessions that continue to each. */
const FUNNEL: readonly (readonly [stage: Stage, rate: number])[] = [
  ['STORE_VISITED', 0.86],
  ['APP_INSTALLED', 0.55],
  ['APP_OPENED', 0.95],
  ['DEEP_LINK_RESOLVED', 0.92],
  ['CONTENT_VIEWED', 0.85],
  ['ACTION_TAKEN', 0.55],
  ['GOAL_COMPLETED', 0.5],
];
/** Share of people who already have the app and skip the store. */
const HAS_APP = 0.35;
const IS_MEMBER = 0.55;
const SIGNS_UP = 0.25;

interface Step {
  readonly at: number;
  readonly stage?: object;
  readonly event?: object;
}

/**
 * Creates sessions with stages and goals, as the shop's apps would have reported them.
 * @returns a function that records their events, which has its own transactions
 */
export async function fillSessions(
  demo: Demo,
  apps: DemoApps,
  targets: readonly ClickTarget[],
): Promise<(() => Promise<unknown>)[]> {
  const count = Math.min(2_000, Math.max(20, Math.round(demo.clicks / 500)));
  const random = new Random(3);
  const visitors = new Visitors(demo.get(Countries), demo.clicks);
  const leading = targets.filter(({ kind, appIds }) => kind === 'campaign' || appIds.length > 0);
  const weighted = new Weighted(leading.map((target) => [target.share, target] as const));
  const begun = Array.from({ length: count }, () => {
    const target = weighted.pick(random);
    const last = Math.min(target.to, demo.to) - 40 * MINUTE_MS;
    // More of them recently, because the shop grows.
    const at = Math.floor(target.from + (last - target.from) * random.next() ** 0.8);
    return { target, at: Math.max(target.from, at) };
  });
  demo.say(`${count} sessions …`);
  const events: (() => Promise<unknown>)[] = [];
  for (const [number, { target, at }] of begun.sort((a, b) => a.at - b.at).entries()) {
    demo.stopping.throwIfAborted();
    const { ip, userAgent } = visitors.pick(random, homeAndAbroad.pick(random));
    const platform = /iPhone|iPad|Macintosh/.test(userAgent) ? 'ios' : 'android';
    const caller = appCaller(demo, apps[platform], ip);
    const sessionId = `demo-session-${number + 1}`;
    const start = {
      sessionId,
      platform: platform.toUpperCase(),
      [target.kind === 'link' ? 'urlId' : 'campaignId']: target.id,
      externalUserId: random.happens(IS_MEMBER) ? memberId(random.int(contactCount(demo))) : null,
      utmSource: target.utm[0],
      utmMedium: target.utm[1],
      deviceInfo: deviceOf(platform, random),
    };
    await demo.clock.at(at, () =>
      demo.get(SessionsService).create(caller, toRequest(CreateSessionRequest, start)),
    );
    for (const step of stepsOf(demo, { number, at }, random)) {
      const work = () => report(demo, caller, sessionId, step);
      if (step.event) events.push(work);
      else await work();
    }
  }
  return events;
}

function report({ clock, get }: Demo, caller: AppCaller, sessionId: string, { at, stage, event }: Step) {
  const clientTimestamp = new Date(at).toISOString();
  const recorded = toRequest(RecordEventRequest, { sessionId, ...event, clientTimestamp });
  const tracked = toRequest(TrackFunnelRequest, { sessionId, ...stage });
  return clock.at<unknown>(at, () =>
    event ? get(SessionEventsService).record(caller, recorded) : get(FunnelService).track(caller, tracked),
  );
}

/** An app of the organization, as it reports sessions. */
function appCaller({ caller }: Demo, { id, platform, appName }: App, ip: string): AppCaller {
  const { organizationId, organization, addOns } = caller;
  return {
    ...{ organizationId, organization, addOns, ip },
    appId: id,
    appPlatform: platform,
    actor: { type: 'APP', id, name: appName },
    userId: null,
    username: null,
    permissions: new Set(),
    role: null,
  };
}

function deviceOf(platform: keyof typeof DEVICES, random: Random) {
  const { os, osVersions, models } = DEVICES[platform];
  return {
    os,
    osVersion: random.pick(osVersions),
    deviceModel: random.pick(models),
    deviceType: 'Mobile',
    appVersion: random.pick(['4.1.0', '4.2.0', '4.2.1']),
  };
}

function stepsOf({ to }: Demo, { number, at }: { number: number; at: number }, random: Random): Step[] {
  const product = random.pick(PRODUCTS)[0];
  const hasApp = random.happens(HAS_APP);
  const steps: Step[] = [{ at, stage: { stage: 'CLICKED' } }];
  let now = at;
  const later = (minutes: number) =>
    (now = Math.min(to - 1, now + Math.ceil((0.2 + random.next()) * minutes * MINUTE_MS)));
  const add = (minutes: number, step: Omit<Step, 'at'>) => steps.push({ ...step, at: later(minutes) });
  for (const [stage, rate] of FUNNEL) {
    if (hasApp && (stage === 'STORE_VISITED' || stage === 'APP_INSTALLED')) continue;
    if (!random.happens(rate)) return steps;
    if (stage === 'GOAL_COMPLETED') break;
    add(2, { stage: { stage } });
    if (stage === 'CONTENT_VIEWED') add(1, { event: { eventType: 'view_item', eventData: { product } } });
    if (stage === 'ACTION_TAKEN') {
      add(1, { event: { eventType: 'add_to_cart', eventData: { product, quantity: 1 + random.int(3) } } });
    }
  }
  if (random.happens(SIGNS_UP)) add(1, { stage: { goalType: 'signup' } });
  const dollars = random.happens(0.18);
  const amount = 12 + Math.floor(140 * random.next() ** 2);
  add(4, {
    stage: {
      goalType: 'purchase',
      goalValue: dollars ? amount + 0.9 : amount * 1_000 + 900,
      currency: dollars ? 'USD' : 'KRW',
      transactionId: `demo-order-${number + 1}`,
    },
  });
  return steps;
}
