import { type Destination, destinationOf, type Leading } from '../../domains/destinations/destination';

/** Sends those who meet all of its conditions to an address of their own; an empty condition holds for all. */
export interface TargetingRule {
  countries: string[];
  devices: string[];
  os: string[];
  url: string;
}

/** One of several destinations, and its share of the visitors. */
export interface Variant {
  url: string;
  weight: number;
}

/** What a routed link asks of a visitor; what takes time is found out only when it asks. */
export interface Follower {
  /** ISO 3166-1 alpha-2, or Unknown. */
  country(): string;
  /** As statistics name them. */
  agent: { deviceType: string; os: string };
  /** Where he stands among all visitors of this link, from 0 up to 1; the same each time. */
  place(): number;
}

interface Rule {
  countries: ReadonlySet<string> | null;
  devices: ReadonlySet<string> | null;
  /** In lower case. */
  os: ReadonlySet<string> | null;
  destination: Destination;
}

/** Where a link leads whom, prepared once; null for a link that leads everybody to one place. */
export interface Routing {
  rules: readonly Rule[];
  /** Each with the place up to which visitors are its own. */
  variants: readonly { upTo: number; destination: Destination }[];
}

/** The names that people use where statistics say something else. */
const OS_ALIASES: Partial<Record<string, string>> = { macos: 'mac os' };

export function routingOf(
  link: Leading & { targeting: TargetingRule[] | null; variants: Variant[] | null },
): Routing | null {
  const { targeting, variants } = link;
  if (!targeting && !variants) return null;
  const destinationAt = (url: string) => destinationOf({ ...link, originalUrl: url });
  const rules = (targeting ?? []).map(({ countries, devices, os, url }) => ({
    countries: setOf(countries),
    devices: setOf(devices),
    os: setOf(os.map((name) => osKey(name))),
    destination: destinationAt(url),
  }));
  const total = (variants ?? []).reduce((sum, { weight }) => sum + weight, 0);
  let passed = 0;
  const shares = (variants ?? []).map(({ url, weight }) => {
    passed += weight;
    return { upTo: passed / total, destination: destinationAt(url) };
  });
  return { rules, variants: shares };
}

/** The destination of the first rule that the visitor meets; null when he meets none. */
export function targetedDestination(routing: Routing, visitor: Follower): Destination | null {
  return routing.rules.find((rule) => meets(rule, visitor))?.destination ?? null;
}

/** The visitor's own of several destinations; null when there are none. */
export function variantOf({ variants }: Routing, visitor: Follower): Destination | null {
  if (variants.length === 0) return null;
  const place = visitor.place();
  return (variants.find(({ upTo }) => place < upTo) ?? variants.at(-1))?.destination ?? null;
}

function meets({ countries, devices, os }: Rule, visitor: Follower): boolean {
  if (devices && !devices.has(visitor.agent.deviceType)) return false;
  if (os && !os.has(osKey(visitor.agent.os))) return false;
  return !countries || countries.has(visitor.country());
}

function setOf(values: readonly string[]): ReadonlySet<string> | null {
  return values.length > 0 ? new Set(values) : null;
}

function osKey(name: string): string {
  const key = name.toLowerCase();
  return OS_ALIASES[key] ?? key;
}
