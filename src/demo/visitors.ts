import type { Countries } from '../modules/clicks/visitor-facts';
import { browsers } from './catalogue';
import { Random, Weighted } from './random';

/** A country of the shop's visitors. */
export interface Market {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly utcOffsetHours: number;
}

/** Clicks by local hour: peaks at commuting time, lunch, and in the evening. */
const WEEKDAY = hours([5, 3, 2, 1, 1, 2, 5, 10, 13, 9, 8, 9, 13, 10, 7, 7, 8, 9, 11, 13, 15, 18, 17, 10]);
const WEEKEND = hours([6, 4, 2, 1, 1, 1, 2, 4, 7, 10, 13, 14, 14, 13, 13, 13, 13, 13, 13, 14, 15, 15, 13, 9]);

function hours(weights: readonly number[]): Weighted<number> {
  return new Weighted(weights.map((weight, hour) => [weight, hour]));
}

export const hourOf = (random: Random, isWeekend: boolean): number =>
  (isWeekend ? WEEKEND : WEEKDAY).pick(random);

/** Markets of a Korean shop that also sells abroad. */
const MARKETS: readonly (readonly [share: number, market: Market])[] = [
  [520, { country: 'KR', utcOffsetHours: 9 }],
  [130, { country: 'JP', utcOffsetHours: 9 }],
  [110, { country: 'US', utcOffsetHours: -6 }],
  [38, { country: 'TW', utcOffsetHours: 8 }],
  [32, { country: 'VN', utcOffsetHours: 7 }],
  [26, { country: 'GB', utcOffsetHours: 0 }],
  [25, { country: 'DE', utcOffsetHours: 1 }],
  [22, { country: 'SG', utcOffsetHours: 8 }],
  [20, { country: 'TH', utcOffsetHours: 7 }],
  [18, { country: 'ID', utcOffsetHours: 7 }],
  [16, { country: 'FR', utcOffsetHours: 1 }],
  [14, { country: 'CA', utcOffsetHours: -5 }],
  [13, { country: 'AU', utcOffsetHours: 10 }],
  [8, { country: 'IN', utcOffsetHours: 5.5 }],
  [5, { country: 'BR', utcOffsetHours: -3 }],
  [3, { country: 'NL', utcOffsetHours: 1 }],
];

/** Markets of most links. */
export const homeAndAbroad = new Weighted(MARKETS);
/** Markets of links in English. */
export const abroad = new Weighted(MARKETS.filter(([, { country }]) => country !== 'KR'));

/** A browser that follows links repeatedly. */
interface Visitor {
  readonly ip: string;
  readonly userAgent: string;
}

/** Random networks tried to find some in every market; the country database may be the operator's own. */
const TRIES = 60_000;
const NETWORKS = 400;
/** Average number of clicks per visitor. */
const CLICKS_EACH = 3.2;

/** Visitors by country, some of whom come far more often than others. */
export class Visitors {
  private readonly networks = new Map<string, string[]>();
  private readonly known = new Map<string, Visitor[]>();
  private readonly size: number;

  constructor(countries: Countries, clicks: number) {
    this.size = Math.max(50, Math.round(clicks / CLICKS_EACH / 3));
    const random = new Random(7);
    const wanted = new Set(MARKETS.map(([, { country }]) => country));
    for (let i = 0; i < TRIES; i++) {
      const network = `${1 + random.int(222)}.${random.int(256)}.${random.int(256)}`;
      const country = countries.of(`${network}.1`);
      const list = this.networks.get(country) ?? [];
      if (!wanted.has(country) || list.length >= NETWORKS) continue;
      this.networks.set(country, [...list, network]);
    }
  }

  pick(random: Random, { country }: Market): Visitor {
    const known = this.known.get(country) ?? [];
    this.known.set(country, known);
    const number = Math.floor(this.size * random.next() ** 2.2);
    return (known[number] ??= this.create(random, country));
  }

  private create(random: Random, country: string): Visitor {
    const networks = this.networks.get(country) ?? ['203.0.113'];
    return { ip: `${random.pick(networks)}.${1 + random.int(254)}`, userAgent: browsers.pick(random) };
  }
}
