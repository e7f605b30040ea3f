import { Injectable } from '@nestjs/common';
import { CoherentCache } from '../../infrastructure/caching/coherent-cache';
import { InvalidationBus } from '../../infrastructure/caching/invalidation-bus';
import type { CallerOrganization, Plan } from '../caller';
import { type AddressRange, parseRange } from '../cidr';
import { LIMIT_NAMES, type LimitOverrides } from '../limits/limits';
import { limitsOf, PLAN_TERMS } from '../plans';
import { Database, type Tx } from '../../infrastructure/database/database';

export interface Brand {
  readonly name: string;
  readonly logoUrl: string | null;
  readonly color: string | null;
}

export interface CachedOrganization {
  readonly organization: CallerOrganization;
  readonly brand: Brand;
  readonly apiAccess: boolean;
  readonly appendClickId: boolean;
  readonly allowHttpDestinations: boolean;
  readonly serviceRatePerMinute: number;
  readonly allowList: readonly AddressRange[];
  /** Booked add-ons with their end in milliseconds since the epoch (Infinity: open-ended). */
  readonly addOns: ReadonlyMap<string, number>;
}

interface Row {
  id: number;
  brand_name: string;
  logo_url: string | null;
  brand_color: string | null;
  time_zone: string;
  time_zone_changed_at: Date | null;
  base_currency: string;
  default_region: string;
  append_click_id: boolean;
  allow_http_destinations: boolean;
  plan: Plan;
  service_rate_per_minute: number;
  max_custom_fields: number;
  max_custom_field_name: number;
  max_custom_field_value: number;
  cidrs: string[];
  add_ons: { code: string; until: number | null }[];
  limits: LimitOverrides | null;
}

const LIMITS = LIMIT_NAMES.map(
  (name) => `'${name}', ${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
);

const SELECT = `
  SELECT o.id, coalesce(o.brand_name, o.name) AS brand_name, o.logo_url, o.brand_color, o.time_zone,
    o.time_zone_changed_at, o.base_currency, o.default_region, o.append_click_id, o.allow_http_destinations, o.plan,
    o.service_rate_per_minute, o.max_custom_fields, o.max_custom_field_name, o.max_custom_field_value,
    ARRAY(SELECT cidr FROM ip_allow_list WHERE organization_id = o.id) AS cidrs,
    ARRAY(
      SELECT json_build_object('code', code, 'until', extract(epoch FROM active_until) * 1000)
      FROM add_ons WHERE organization_id = o.id
    ) AS add_ons,
    (SELECT json_build_object(${LIMITS.join(', ')}) FROM organization_limits WHERE organization_id = o.id) AS limits
  FROM organizations o
  WHERE o.id = $1 AND o.deleted_at IS NULL`;

@Injectable()
export class OrganizationCache {
  private readonly cache: CoherentCache<CachedOrganization>;

  constructor(
    bus: InvalidationBus,
    private readonly database: Database,
  ) {
    this.cache = new CoherentCache(bus, 'access.organization', (id) => this.load(id), { maxEntries: 20_000 });
  }

  /** @returns null if the organization does not exist or was deleted */
  get(organizationId: number): Promise<CachedOrganization | null> {
    return this.cache.get(String(organizationId));
  }

  /** Call it in every transaction that changes a cached field. */
  changed(tx: Tx, organizationId: number): void {
    tx.afterCommit(() => this.cache.invalidate([String(organizationId)]));
  }

  private async load(id: string): Promise<CachedOrganization | null> {
    const [row] = await this.database.lookup<Row>(SELECT, [id]);
    return row ? toSnapshot(row) : null;
  }
}

/** Codes of the add-ons that are active at `now`, in milliseconds since the epoch. */
export function activeAddOns({ addOns }: CachedOrganization, now: number): ReadonlySet<string> {
  return new Set([...addOns].filter(([, until]) => until > now).map(([code]) => code));
}

function toSnapshot(row: Row): CachedOrganization {
  const { apiAccess, deduplicationCapMinutes } = PLAN_TERMS[row.plan];
  return {
    organization: {
      id: row.id,
      timeZone: row.time_zone,
      timeZoneChangedAt: row.time_zone_changed_at,
      baseCurrency: row.base_currency,
      defaultRegion: row.default_region,
      plan: row.plan,
      customFields: {
        count: row.max_custom_fields,
        nameLength: row.max_custom_field_name,
        valueLength: row.max_custom_field_value,
      },
      deduplicationCapMinutes,
      limits: limitsOf(row.plan, row.limits),
    },
    brand: { name: row.brand_name, logoUrl: row.logo_url, color: row.brand_color },
    apiAccess,
    appendClickId: row.append_click_id,
    allowHttpDestinations: row.allow_http_destinations,
    serviceRatePerMinute: row.service_rate_per_minute,
    allowList: row.cidrs.map(parseRange).filter((range) => range !== null),
    addOns: new Map(row.add_ons.map(({ code, until }) => [code, until ?? Infinity])),
  };
}
