import { Database } from '../infrastructure/database/database';
import { ClickIngest } from '../modules/click-statistics/counting/click-ingest';
import { ClickPartitions } from '../modules/click-statistics/counting/click-partitions';
import type { Click, TrackedLinkKind, Utm } from '../modules/clicks/click';
import { ClickIds } from '../modules/clicks/click-recorder';
import { Countries } from '../modules/clicks/visitor-facts';
import { bots, CHANNELS, memberId, referrers } from './catalogue';
import { DAY_MS, DAYS, type Demo } from './demo';
import { Random, Weighted } from './random';
import { abroad, homeAndAbroad, hourOf, type Market, Visitors } from './visitors';

const BATCH = 40_000;
const HOUR_MS = 3_600_000;
/** Factors by weekday, from Monday. */
const WEEKDAYS = [1, 1.02, 1.04, 1.06, 1.15, 0.88, 0.92];
/** Clicks on the last day as a multiple of those on the first. */
const GROWTH = 2.1;
const BOT_SHARE = 0.045;
/** Share of a campaign's clicks with a customId. */
const CUSTOMER_SHARE = 0.6;
const CUSTOMERS = 4_000;
const channels = new Weighted<string>(CHANNELS.map(([name, share]) => [share, name]));

/** A link or campaign that visitors click. */
export interface ClickTarget {
  readonly kind: TrackedLinkKind;
  readonly id: number;
  readonly appIds: readonly number[];
  /** When it gets clicks, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** Clicks relative to other targets. */
  readonly share: number;
  /** Factor for the first day of its life, which decreases over `days`. */
  readonly launch: { readonly factor: number; readonly days: number };
  readonly utm: Utm;
  readonly variants: readonly { readonly url: string; readonly weight: number }[];
  readonly isGlobal: boolean;
}

interface ClickDay {
  /** Midnight, UTC. */
  readonly day: number;
  readonly isWeekend: boolean;
  readonly count: number;
  readonly targets: Weighted<ClickTarget>;
}

/** Creates partitions beforehand: each needs its own transaction, which would wait for one that has written clicks. */
export async function preparePartitions(demo: Demo): Promise<void> {
  const days = daysOf(demo).map((day) => new Date(day).toISOString().slice(0, 10));
  await demo.get(ClickPartitions).ensure(new Set(days));
}

/** Counts the demo's clicks like those of visitors. */
export async function fillClicks(demo: Demo, targets: readonly ClickTarget[]): Promise<void> {
  const { clicks, get, say, stopping } = demo;
  const ingest = get(ClickIngest);
  let done = 0;
  for (const batch of batches(demo, targets)) {
    stopping.throwIfAborted();
    const prepared = await ingest.prepare(batch);
    await get(Database).write((tx) => ingest.ingest(tx, prepared));
    done += batch.length;
    say(`${done.toLocaleString('en')} of ${clicks.toLocaleString('en')} clicks`);
  }
}

function* batches(demo: Demo, targets: readonly ClickTarget[]): Generator<Click[]> {
  const random = new Random(4);
  const visitors = new Visitors(demo.get(Countries), demo.clicks);
  let batch: Click[] = [];
  for (const day of schedule(demo, targets, random)) {
    for (let i = 0; i < day.count; i++) {
      batch.push(clickOn(demo, day, visitors, random));
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

function daysOf({ from, to }: Demo): number[] {
  const first = from - (from % DAY_MS);
  return Array.from({ length: DAYS + 1 }, (_, i) => first + i * DAY_MS).filter((day) => day < to);
}

/**
 * Distributes clicks over days and targets, by growth, weekdays, launches, and chance. The counts add up to `clicks`.
 */
function schedule(demo: Demo, targets: readonly ClickTarget[], random: Random): ClickDay[] {
  const open = daysOf(demo).map((day, i) => {
    const weekday = (new Date(day).getUTCDay() + 6) % 7;
    const part = Math.min(1, (demo.to - day) / DAY_MS);
    const trend = 1 + ((GROWTH - 1) * i) / DAYS;
    const factor = part * trend * (WEEKDAYS[weekday] ?? 1) * (0.9 + 0.2 * random.next());
    const ofDay = new Weighted(targets.map((target) => [shareOn(target, day), target] as const));
    return { day, isWeekend: weekday >= 5, weight: factor * ofDay.total, targets: ofDay };
  });
  const whole = open.reduce((sum, { weight }) => sum + weight, 0);
  let [weighed, given] = [0, 0];
  return open.map(({ weight, ...day }) => {
    weighed += weight;
    const count = Math.round((demo.clicks * weighed) / whole) - given;
    given += count;
    return { ...day, count };
  });
}

function shareOn({ from, to, share, launch }: ClickTarget, day: number): number {
  if (day + DAY_MS <= from || day >= to) return 0;
  const age = Math.max(0, (day - from) / DAY_MS);
  return share * (1 + launch.factor * Math.exp(-age / launch.days));
}

/** A click as a redirect would have recorded it. */
function clickOn(demo: Demo, day: ClickDay, visitors: Visitors, random: Random): Click {
  const target = day.targets.pick(random);
  const { kind, id, appIds, utm, variants } = target;
  const market = (target.isGlobal ? abroad : homeAndAbroad).pick(random);
  const isBot = random.happens(BOT_SHARE);
  const { ip, userAgent } = visitors.pick(random, market);
  const isCampaign = kind === 'campaign';
  const variant = new Weighted(variants.map(({ url, weight }) => [weight, url] as const));
  return {
    ...{ kind, ip, utm, dedup: null, appPage: null, trackedLinkId: id },
    id: demo.get(ClickIds).take(),
    at: timeOf(demo, target, day, market, random),
    organizationId: demo.caller.organizationId,
    appIds: /Android/.test(userAgent) ? appIds.toReversed() : appIds,
    userAgent: isBot ? bots.pick(random) : userAgent,
    referrer: referrers.pick(random),
    tracker: isCampaign ? channels.pick(random) : null,
    customId:
      isCampaign && !isBot && random.happens(CUSTOMER_SHARE)
        ? memberId(Math.floor(CUSTOMERS * random.next() ** 2))
        : null,
    variant: variants.length > 0 ? variant.pick(random) : null,
  };
}

/** A time of the day by the market's hours, while the target is open. */
function timeOf(demo: Demo, target: ClickTarget, day: ClickDay, market: Market, random: Random): number {
  const at =
    day.day + Math.floor((hourOf(random, day.isWeekend) - market.utcOffsetHours + random.next()) * HOUR_MS);
  const last = Math.min(target.to, demo.to) - 1;
  if (at >= target.from && at <= last) return at;
  const first = Math.max(target.from, day.day);
  return first + Math.floor(random.next() * Math.max(0, last - first));
}
