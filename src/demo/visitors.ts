import type { Countries } from '../modules/clicks/visitor-facts';
import { browsers } from './agents';
import { type Market, markets } from './markets';
import { Random } from './random';

/** A browser that follows links, again and again. */
export interface Visitor {
  readonly ip: string;
  readonly userAgent: string;
}

/** Networks that are tried until every market has some; the list of countries may be the operator's own. */
const TRIES = 60_000;
const NETWORKS = 400;
/** Clicks by an average visitor. */
const CLICKS_EACH = 3.2;

/** Visitors by country. Some come far more often than others. */
export class Visitors {
  private readonly networks = new Map<string, string[]>();
  private readonly known = new Map<string, Visitor[]>();
  private readonly size: number;

  constructor(countries: Countries, clicks: number) {
    this.size = Math.max(50, Math.round(clicks / CLICKS_EACH / 3));
    const random = new Random(7);
    const wanted = new Set(markets.map(({ country }) => country));
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
