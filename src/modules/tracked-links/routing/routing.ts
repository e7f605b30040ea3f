import { type Destination, destinationOf, type Leading } from '../../domains/destinations/destination';

/** Sends visitors who meet all conditions to `url`. An empty condition matches everybody. */
export interface TargetingRule {
  countries: string[];
  devices: string[];
  os: string[];
  url: string;
}

/** One of several destinations, and its share of visitors. */
export interface Variant {
  url: string;
  weight: number;
}

/** What routing depends on. Methods are expensive, and called only if needed. */
export interface Follower {
  /** ISO 3166-1 alpha-2, or Unknown. */
  country(): string;
  /** Device type and system as named in statistics, and the platform whose apps the device runs. */
  agent: { deviceType: string; os: string; platform: 'iOS' | 'Android' | null };
  /** The visitor's stable position among all visitors of this link, in [0, 1). */
  position(): number;
}

interface Rule {
  countries: ReadonlySet<string> | null;
  devices: ReadonlySet<string> | null;
  /** In lower case. */
  os: ReadonlySet<string> | null;
  destination: Destination;
}

/** Targeting and variants of a link, prepared for redirects. */
export interface Routing {
  rules: readonly Rule[];
  /** Each with the exclusive upper bound of its visitors' positions. */
  variants: readonly { upTo: number; destination: Destination }[];
}

/** Common names that differ from those in statistics. */
const OS_ALIASES: Partial<Record<string, string>> = { macos: 'mac os' };

/** @returns null if all visitors are sent to one destination */
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
  const total = (variants ?? []).reduce((all, { weight }) => all + weight, 0);
  let sum = 0;
  const shares = (variants ?? []).map(({ url, weight }) => {
    sum += weight;
    return { upTo: sum / total, destination: { ...destinationAt(url), variant: url } };
  });
  return { rules, variants: shares };
}

/** The destination of the first rule that matches the visitor; null if none does. */
export function targetedDestination(routing: Routing, visitor: Follower): Destination | null {
  return routing.rules.find((rule) => meets(rule, visitor))?.destination ?? null;
}

/** The visitor's variant; null for a link without variants. */
export function variantOf({ variants }: Routing, visitor: Follower): Destination | null {
  if (variants.length === 0) return null;
  const position = visitor.position();
  return (variants.find(({ upTo }) => position < upTo) ?? variants.at(-1))?.destination ?? null;
}

function meets({ countries, devices, os }: Rule, visitor: Follower): boolean {
  if (devices && !devices.has(visitor.agent.deviceType)) return false;
  if (os && !systemsOf(visitor).some((name) => os.has(osKey(name)))) return false;
  return !countries || countries.has(visitor.country());
}

/** HarmonyOS may also match as Android. */
function systemsOf({ agent: { os, platform } }: Follower): string[] {
  return platform === null ? [os] : [os, platform];
}

function setOf(values: readonly string[]): ReadonlySet<string> | null {
  return values.length > 0 ? new Set(values) : null;
}

function osKey(name: string): string {
  const key = name.toLowerCase();
  return OS_ALIASES[key] ?? key;
}
