import type { AuditChanges } from '../../access/audit/audit-entry.entity';
import type { Link } from './link.entity';
import type { TargetingRule } from './routing/link-routing';
import type { TargetingRuleFields } from './routing/link-routing.dto';
import type { CreateLinkRequest, UpdateLinkRequest } from './links.dto';

/** What a link carries beyond the documents; the password apart, whose hash takes time. */
type Extras = Pick<Link, 'tags' | 'tagKeys' | 'maxClicks' | 'targeting' | 'variants'>;

const NO_EXTRAS: Extras = { tags: [], tagKeys: [], maxClicks: null, targeting: null, variants: null };

/** How a tag is looked for. */
export function tagKey(tag: string): string {
  return tag.trim().toLowerCase();
}

/** The extras of a new link. */
export function extrasOf(request: CreateLinkRequest): Extras {
  return { ...NO_EXTRAS, ...suppliedExtras(request) };
}

/** What an update changes of the extras that it supplies; null and an empty list clear. */
export function suppliedExtras(request: CreateLinkRequest | UpdateLinkRequest): Partial<Extras> {
  const { tags, maxClicks, targeting, variants } = request;
  return {
    ...(tags !== undefined && tagsOf(tags ?? [])),
    ...(maxClicks !== undefined && { maxClicks }),
    ...(targeting !== undefined && { targeting: emptyIsNull(targeting?.map(ruleOf)) }),
    ...(variants !== undefined && {
      variants: emptyIsNull(variants?.map(({ url, weight }) => ({ url, weight }))),
    }),
  };
}

/** Changes as the audit log may keep them: that there is a password, never which, and tags once. */
export function auditableChanges({ passwordHash, tagKeys, ...changes }: AuditChanges): AuditChanges {
  if (!passwordHash) return changes;
  const stated = (hash: unknown) => (hash === null ? null : 'set');
  return { ...changes, password: { from: stated(passwordHash.from), to: stated(passwordHash.to) } };
}

/** Of tags that differ in letter case alone, the first stays. */
function tagsOf(given: readonly string[]): Pick<Extras, 'tags' | 'tagKeys'> {
  const byKey = new Map<string, string>();
  for (const tag of given) if (!byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tag.trim());
  return { tags: [...byKey.values()], tagKeys: [...byKey.keys()] };
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
