import { Weighted } from './random';

/** A country of the shop's visitors. */
export interface Market {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly utcOffsetHours: number;
  /** Clicks by local hour, on weekdays and on weekends. */
  readonly weekday: Weighted<number>;
  readonly weekend: Weighted<number>;
}

/** Commuting, lunch, and a long evening on the phone. */
const COMMUTERS = [5, 3, 2, 1, 1, 2, 5, 10, 13, 9, 8, 9, 13, 10, 7, 7, 8, 9, 11, 13, 15, 18, 17, 10];
/** Offices with desktop computers. */
const OFFICES = [2, 1, 1, 1, 1, 2, 4, 7, 11, 14, 15, 14, 13, 13, 14, 13, 12, 10, 9, 9, 9, 8, 6, 4];
const WEEKENDS = [6, 4, 2, 1, 1, 1, 2, 4, 7, 10, 13, 14, 14, 13, 13, 13, 13, 13, 13, 14, 15, 15, 13, 9];

const hours = (weights: readonly number[]) => new Weighted(weights.map((weight, hour) => [weight, hour]));

const market = (country: string, utcOffsetHours: number, weekday: readonly number[]): Market => ({
  country,
  utcOffsetHours,
  weekday: hours(weekday),
  weekend: hours(WEEKENDS),
});

/** Visitors of a Korean shop that also sells abroad. */
const MARKETS: readonly (readonly [share: number, market: Market])[] = [
  [520, market('KR', 9, COMMUTERS)],
  [130, market('JP', 9, COMMUTERS)],
  [110, market('US', -6, OFFICES)],
  [38, market('TW', 8, COMMUTERS)],
  [32, market('VN', 7, COMMUTERS)],
  [26, market('GB', 0, OFFICES)],
  [25, market('DE', 1, OFFICES)],
  [22, market('SG', 8, COMMUTERS)],
  [20, market('TH', 7, COMMUTERS)],
  [18, market('ID', 7, COMMUTERS)],
  [16, market('FR', 1, OFFICES)],
  [14, market('CA', -5, OFFICES)],
  [13, market('AU', 10, OFFICES)],
  [8, market('IN', 5.5, OFFICES)],
  [5, market('BR', -3, OFFICES)],
  [3, market('NL', 1, OFFICES)],
];

export const markets: readonly Market[] = MARKETS.map(([, each]) => each);
/** Where the visitors of most links are. */
export const homeAndAbroad = new Weighted(MARKETS);
/** Where those of links in English are. */
export const abroad = new Weighted(MARKETS.filter(([, { country }]) => country !== 'KR'));
