import { ValidationFailed } from '../../../common/errors/errors';
import type { TargetingRule, Variant } from './routing';
import type { TargetingRuleFields, VariantFields } from './routing.dto';

/** Targeting and variants in a request. */
export interface RoutingFields {
  targeting?: TargetingRuleFields[] | null;
  variants?: VariantFields[] | null;
}

/** @throws ValidationFailed for a rule without conditions, and for a single variant */
export function checkRouting({ targeting, variants }: RoutingFields): void {
  for (const [i, { countries, devices, os }] of (targeting ?? []).entries()) {
    if (!countries?.length && !devices?.length && !os?.length) {
      throw ValidationFailed.field(`targeting[${i}]`, 'must name countries, devices or os');
    }
  }
  if (variants?.length === 1) throw ValidationFailed.field('variants', 'must have 2 to 10 items, or none');
}

/** The supplied ones as they are stored; null and an empty list clear them. */
export function suppliedRouting({ targeting, variants }: RoutingFields): {
  targeting?: TargetingRule[] | null;
  variants?: Variant[] | null;
} {
  return {
    ...(targeting !== undefined && { targeting: emptyIsNull(targeting?.map(ruleOf)) }),
    ...(variants !== undefined && {
      variants: emptyIsNull(variants?.map(({ url, weight }) => ({ url, weight }))),
    }),
  };
}

function ruleOf({ countries, devices, os, url }: TargetingRuleFields): TargetingRule {
  return {
    countries: countries ?? [],
    devices: devices ?? [],
    os: (os ?? []).map((name) => name.trim()),
    url,
  };
}

function emptyIsNull<T>(items: T[] | undefined): T[] | null {
  return items && items.length > 0 ? items : null;
}
