import type { Click } from '../modules/clicks/click';
import { bots, referrers } from './agents';
import { CHANNELS, memberId } from './catalogue';
import type { ClickTarget } from './click-targets';
import { abroad, homeAndAbroad, type Market } from './markets';
import type { Random } from './random';
import { Weighted } from './random';
import type { Visitors } from './visitors';

const HOUR_MS = 3_600_000;
const BOT_SHARE = 0.045;
/** Clicks of a campaign that name their customer. */
const CUSTOMER_SHARE = 0.6;
const CUSTOMERS = 4_000;
const channels = new Weighted<string>(CHANNELS.map(([name, share]) => [share, name]));

export interface MadeClick {
  readonly click: Click;
  readonly isBot: boolean;
}

interface Period {
  /** Midnight, UTC, of the day. */
  readonly day: number;
  readonly isWeekend: boolean;
  readonly to: number;
}

/** Makes clicks as a redirect would have recorded them. */
export class ClickMaker {
  constructor(
    private readonly organizationId: number,
    private readonly visitors: Visitors,
    private readonly random: Random,
    private readonly ids: { take(): number },
  ) {}

  make(target: ClickTarget, period: Period): MadeClick {
    const { random } = this;
    const market = (target.isGlobal ? abroad : homeAndAbroad).pick(random);
    const isBot = random.happens(BOT_SHARE);
    const visitor = this.visitors.pick(random, market);
    const isCampaign = target.kind === 'campaign';
    const click: Click = {
      id: this.ids.take(),
      at: this.timeOf(target, period, market),
      kind: target.kind,
      trackedLinkId: target.id,
      organizationId: this.organizationId,
      appIds: /Android/.test(visitor.userAgent) ? target.appIds.toReversed() : target.appIds,
      ip: visitor.ip,
      userAgent: isBot ? bots.pick(random) : visitor.userAgent,
      referrer: referrers.pick(random),
      tracker: isCampaign ? channels.pick(random) : null,
      customId: isCampaign && !isBot && random.happens(CUSTOMER_SHARE) ? this.customer() : null,
      utm: target.utm,
      dedup: null,
      appPage: null,
      variant: this.variantOf(target),
    };
    return { click, isBot };
  }

  /** A time by the clocks of the market, while the target is open. */
  private timeOf({ from, to }: ClickTarget, { day, isWeekend, to: end }: Period, market: Market): number {
    const { random } = this;
    const hour = (isWeekend ? market.weekend : market.weekday).pick(random);
    const at = day + Math.floor((hour - market.utcOffsetHours + random.next()) * HOUR_MS);
    const last = Math.min(to, end) - 1;
    if (at >= from && at <= last) return at;
    const first = Math.max(from, day);
    return first + Math.floor(random.next() * Math.max(0, last - first));
  }

  private customer(): string {
    return memberId(Math.floor(CUSTOMERS * this.random.next() ** 2));
  }

  private variantOf({ variants }: ClickTarget): string | null {
    if (variants.length === 0) return null;
    return new Weighted(variants.map(({ url, weight }) => [weight, url] as const)).pick(this.random);
  }
}
