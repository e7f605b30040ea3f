import type { Stage } from '../modules/sessions/funnel';
import { memberId, PRODUCTS } from './catalogue';
import type { ClickTarget } from './click-targets';
import type { Demo } from './demo';
import { homeAndAbroad } from './markets';
import { contactCount } from './people';
import { type Random, Weighted } from './random';
import type { Visitors } from './visitors';

const MINUTE_MS = 60_000;

/** The stages after the click, with the part of sessions that goes on to each. */
const FUNNEL: readonly (readonly [stage: Stage, rate: number])[] = [
  ['STORE_VISITED', 0.86],
  ['APP_INSTALLED', 0.55],
  ['APP_OPENED', 0.95],
  ['DEEP_LINK_RESOLVED', 0.92],
  ['CONTENT_VIEWED', 0.85],
  ['ACTION_TAKEN', 0.55],
  ['GOAL_COMPLETED', 0.5],
];
/** People who have the app already visit no store. */
const HAS_APP = 0.35;
const IS_MEMBER = 0.55;
const SIGNS_UP = 0.25;

export interface Step {
  readonly at: number;
  readonly stage?: Stage;
  readonly goal?: object;
  readonly event?: object;
}

/** A session from its click on. */
export interface Journey {
  readonly app: 'ios' | 'android';
  readonly sessionId: string;
  readonly at: number;
  readonly ip: string;
  readonly start: object;
  readonly steps: readonly Step[];
}

/** Sessions of links with apps and of campaigns, in the order in which they begin. */
export function planJourneys(
  demo: Demo,
  targets: readonly ClickTarget[],
  visitors: Visitors,
  random: Random,
): Journey[] {
  const count = Math.min(2_000, Math.max(20, Math.round(demo.clicks / 500)));
  const leading = targets.filter(({ kind, appIds }) => kind === 'campaign' || appIds.length > 0);
  const weighted = new Weighted(leading.map((target) => [target.share, target] as const));
  const journeys = Array.from({ length: count }, (_, number) => {
    const target = weighted.pick(random);
    const last = Math.min(target.to, demo.to) - 40 * MINUTE_MS;
    // More of them lately, as the shop grows.
    const at = Math.floor(target.from + (last - target.from) * random.next() ** 0.8);
    return journeyOf(demo, { target, number, at: Math.max(target.from, at) }, visitors, random);
  });
  return journeys.sort((a, b) => a.at - b.at);
}

interface Begun {
  target: ClickTarget;
  number: number;
  at: number;
}

function journeyOf(demo: Demo, { target, number, at }: Begun, visitors: Visitors, random: Random): Journey {
  const { ip, userAgent } = visitors.pick(random, homeAndAbroad.pick(random));
  const isIos = /iPhone|iPad|Macintosh/.test(userAgent);
  const sessionId = `demo-session-${number + 1}`;
  const member = random.happens(IS_MEMBER) ? memberId(random.int(contactCount(demo))) : null;
  const [source = null, medium = null] = target.utm ?? [];
  return {
    app: isIos ? 'ios' : 'android',
    sessionId,
    at,
    ip,
    start: {
      sessionId,
      platform: isIos ? 'IOS' : 'ANDROID',
      [target.kind === 'link' ? 'urlId' : 'campaignId']: target.id,
      externalUserId: member,
      utmSource: source,
      utmMedium: medium,
      deviceInfo: deviceOf(random, isIos),
    },
    steps: stepsOf(demo, { number, at }, random),
  };
}

function deviceOf(random: Random, isIos: boolean) {
  const appVersion = random.pick(['4.1.0', '4.2.0', '4.2.1']);
  if (isIos) {
    const deviceModel = random.pick(['iPhone18,1', 'iPhone17,3', 'iPhone16,2', 'iPhone15,4']);
    return {
      os: 'iOS',
      osVersion: random.pick(['26.0', '26.1', '18.6']),
      deviceModel,
      deviceType: 'Mobile',
      appVersion,
    };
  }
  const deviceModel = random.pick(['SM-S938N', 'SM-S928N', 'SM-A546S', 'SM-F956N']);
  return {
    os: 'Android',
    osVersion: random.pick(['14', '15', '16']),
    deviceModel,
    deviceType: 'Mobile',
    appVersion,
  };
}

function stepsOf({ to }: Demo, { number, at }: Omit<Begun, 'target'>, random: Random): Step[] {
  const steps: Step[] = [];
  const product = random.pick(PRODUCTS)[0];
  let now = at;
  const later = (minutes: number) =>
    (now = Math.min(to - 1, now + Math.ceil((0.2 + random.next()) * minutes * MINUTE_MS)));
  steps.push({ at: now, stage: 'CLICKED' });
  const hasApp = random.happens(HAS_APP);
  for (const [stage, rate] of FUNNEL) {
    if (hasApp && (stage === 'STORE_VISITED' || stage === 'APP_INSTALLED')) continue;
    if (!random.happens(rate)) return steps;
    if (stage === 'GOAL_COMPLETED') break;
    steps.push({ at: later(2), stage });
    if (stage === 'CONTENT_VIEWED')
      steps.push({ at: later(1), event: { eventType: 'view_item', eventData: { product } } });
    if (stage === 'ACTION_TAKEN') {
      steps.push({
        at: later(1),
        event: { eventType: 'add_to_cart', eventData: { product, quantity: 1 + random.int(3) } },
      });
    }
  }
  if (random.happens(SIGNS_UP))
    steps.push({ at: later(1), stage: 'GOAL_COMPLETED', goal: { goalType: 'signup' } });
  steps.push({ at: later(4), stage: 'GOAL_COMPLETED', goal: purchase(random, number) });
  return steps;
}

function purchase(random: Random, number: number) {
  const dollars = random.happens(0.18);
  const amount = 12 + Math.floor(140 * random.next() ** 2);
  return {
    goalType: 'purchase',
    goalValue: dollars ? amount + 0.9 : amount * 1_000 + 900,
    currency: dollars ? 'USD' : 'KRW',
    transactionId: `demo-order-${number + 1}`,
  };
}
