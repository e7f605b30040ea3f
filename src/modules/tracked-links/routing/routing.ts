import { type Condition, type Follower, prepared, type PreparedCondition, type Property } from './conditions';
import { type Destination, destinationOf, type Leading } from '../../domains/destinations/destination';

/** Sends visitors who meet all conditions to `url`. An empty list is met by everybody. */
export interface TargetingRule {
  countries: string[];
  devices: string[];
  os: string[];
  conditions: Condition[];
  url: string;
}

/** One of several destinations, and its share of visitors. */
export interface Variant {
  url: string;
  weight: number;
}

interface Rule {
  conditions: readonly PreparedCondition[];
  destination: Destination;
}

/** Targeting and variants of a link, prepared for redirects. */
export interface Routing {
  rules: readonly Rule[];
  /** Each with the exclusive upper bound of its visitors' positions. */
  variants: readonly { upTo: number; destination: Destination }[];
}

/** @returns null if all visitors are sent to one destination */
export function routingOf(
  link: Leading & { targeting: TargetingRule[] | null; variants: Variant[] | null },
): Routing | null {
  const { targeting, variants } = link;
  if (!targeting && !variants) return null;
  const destinationAt = (url: string) => destinationOf({ ...link, originalUrl: url });
  const rules = (targeting ?? []).map((rule) => ({
    conditions: conditionsOf(rule).map(prepared),
    destination: destinationAt(rule.url),
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

/** The condition that a visitor does not meet, and what the visitor has instead. */
export interface Unmet {
  property: Property;
  value: string | null;
}

/** Why the rules before the one that matches do not. */
export function unmetBefore(routing: Routing, visitor: Follower): Unmet[] {
  const unmet: Unmet[] = [];
  for (const { conditions } of routing.rules) {
    const condition = conditions.find((each) => !each.isMetBy(visitor));
    if (!condition) break;
    unmet.push({ property: condition.property, value: condition.valueOf(visitor) });
  }
  return unmet;
}

function meets({ conditions }: Rule, visitor: Follower): boolean {
  return conditions.every((condition) => condition.isMetBy(visitor));
}

function conditionsOf({ countries, devices, os, conditions }: TargetingRule): Condition[] {
  const listed = (property: Property, values: string[]): Condition[] =>
    values.length > 0 ? [{ property, operator: 'ONE_OF', values, parameter: null, timeZone: null }] : [];
  return [...listed('device', devices), ...listed('os', os), ...listed('country', countries), ...conditions];
}
