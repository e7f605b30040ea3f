import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { OrganizationCache } from '../../access/organizations/organization-cache';
import { Config } from '../../config/config';
import { Database, type PreparedStatement } from '../../infrastructure/database/database';
import { fillAtCommit } from '../../infrastructure/caching/fill-at-commit';
import { InvalidationBus } from '../../infrastructure/caching/invalidation-bus';
import { RedisStore } from '../../infrastructure/redis/redis';
import { APP_TOPIC } from '../apps/cache/app-cache';
import { AppLookup } from '../apps/cache/app-lookup.service';
import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../clicks/click';
import { CoherentCache } from '../../infrastructure/caching/coherent-cache';
import { SharedCopy } from '../../infrastructure/caching/shared-copy';
import type { CodeDomain } from '../domains/code-domain';
import { DOMAIN_TOPIC } from '../domains/domain-cache';
import { DomainsService } from '../domains/domains.service';
import { type Destination, destinationOf, ownDestinationOf } from '../domains/destinations/destination';
import { cachedKeysOf, codeKey, foldCode, partsOfKey } from './code-domains';
import { type Routing, routingOf } from './routing/routing';
import { type Life, LIFE_COLUMN } from './tracked-link-life';
import { DEFAULT_DOMAIN_ID, TRACKED_LINK_TABLES, type TrackedLinkEntity } from './tracked-link.entity';

/** The fields of a link or campaign that redirects need, which are the only cached ones. */
export type StoredTrackedLink = Life &
  Pick<
    TrackedLinkEntity,
    | 'id'
    | 'organizationId'
    | 'code'
    | 'originalUrl'
    | 'title'
    | 'showAdPage'
    | 'ogTitle'
    | 'ogDescription'
    | 'ogImageUrl'
    | 'iosAppId'
    | 'androidAppId'
    | 'iosDeepLinkPath'
    | 'androidDeepLinkPath'
    | 'mobileTargetUrl'
    | 'utmSource'
    | 'utmMedium'
    | 'utmTerm'
    | 'utmContent'
    | 'utmCampaign'
    | 'goalType'
    | 'deduplicationWindowMinutes'
    | 'passwordHash'
    | 'maxClicks'
    | 'targeting'
    | 'variants'
  > & {
    /** The name of a campaign; empty for a link. */
    name: string;
    /** Whether `maxClicks` was reached when the row was read; it may have been reached since. */
    usedUp: boolean;
    /** Whether the platform has disabled it. */
    disabled?: boolean;
    /** Whether the click's token is appended to the destination, with the organization's default applied. */
    appendClickId?: boolean;
    /** Milliseconds since the epoch; null: never. */
    expiresAt: number | null;
    /**
     * URL namespace of the linked app, for `/<appPath>/<code>` and `/<appPath>/c/<alias>`; null without a linked app.
     */
    appPath: string | null;
    /** Namespaces of formerly linked apps, in which published URLs must continue to work. */
    formerAppPaths?: readonly string[];
  };

/** A cached link or campaign, with everything precomputed that does not depend on the request. */
export interface CachedTrackedLink extends StoredTrackedLink {
  kind: TrackedLinkKind;
  destination: Destination;
  /** Destination for phones; null if it is the same. */
  mobileDestination: Destination | null;
  /** Null if all visitors are sent to one destination. */
  routing: Routing | null;
}

/** A row as read, before app ids are resolved to paths. */
type Row = Omit<StoredTrackedLink, 'appendClickId' | keyof Life> & {
  life: Life;
  formerAppIds: number[];
  /** Null: the organization's default applies. */
  appendClickId: boolean | null;
};

const MAX_BATCH = 100;
/** Long enough that links in occasional use are served from memory, too. */
const MAX_AGE_MS = 5 * 60_000;

@Injectable()
export class TrackedLinkCacheDependencies {
  constructor(
    readonly database: Database,
    readonly apps: AppLookup,
    readonly domains: DomainsService,
    readonly organizations: OrganizationCache,
    readonly redis: RedisStore,
    readonly bus: InvalidationBus,
    readonly config: Config,
  ) {}
}

/** Looks up one kind by domain and code: in memory, Redis, Postgres (docs/architecture.md#the-path-of-a-click). */
class TrackedLinkCache {
  private readonly cache: CoherentCache<CachedTrackedLink>;
  private readonly shared: SharedCopy<StoredTrackedLink>;
  private readonly rows = new DataLoader((keys: readonly string[]) => this.readRows(keys), {
    cache: false,
    maxBatchSize: MAX_BATCH,
    // Batches per turn of the event loop, because requests of different connections run in different ticks.
    batchScheduleFn: setImmediate,
  });
  private readonly resolveStatement: PreparedStatement;
  private readonly findStatement: PreparedStatement;

  constructor(
    private readonly kind: TrackedLinkKind,
    private readonly dependencies: TrackedLinkCacheDependencies,
  ) {
    const table = TRACKED_LINK_TABLES[kind];
    this.shared = new SharedCopy(dependencies.redis, table);
    this.cache = new CoherentCache(dependencies.bus, table, (key) => this.load(key), {
      maxEntries: dependencies.config.redirect.cacheEntries,
      maxAgeMs: MAX_AGE_MS,
    });
    fillAtCommit(dependencies.bus, table, {
      cache: this.cache,
      shared: this.shared,
      read: (key) => this.read(key),
      isFilled: (key) => !partsOfKey(key).isFolded,
      also: (filled) => this.fillAround(filled),
    });
    const columns = [...COLUMNS, kind === 'campaign' ? 'name' : `'' AS name`].join(', ');
    this.resolveStatement = {
      name: `${table}.resolve code`,
      text: `
      SELECT address, organization_id AS "organizationId", tracked_link_id AS id FROM addresses
       WHERE address = ANY ($1) AND kind = ${TRACKED_LINK_KIND[kind]}`,
    };
    this.findStatement = {
      name: `${table}.by id`,
      text: `
      SELECT ${columns}, former_codes AS "formerCodes" FROM ${table}
       WHERE organization_id = ANY ($1) AND id = ANY ($2) AND deleted_at IS NULL`,
    };
  }

  /** Looks a code up in memory: null if it is known not to exist, undefined if `find` must be called. */
  peek(domain: CodeDomain, code: string): CachedTrackedLink | null | undefined {
    const known = this.cache.peek(codeKey(domain, code));
    return known !== null || domain.caseSensitiveCodes ? known : this.cache.peek(exactKey(domain, code));
  }

  /**
   * The link or campaign with this code, or null if there is none or it has been deleted. Where case does not count, the
   * code is also looked up as it is written, in case it counts again by now and this process has not heard. @throws if no store is
   * available and nothing is cached
   */
  async find(domain: CodeDomain, code: string): Promise<CachedTrackedLink | null> {
    const found = await this.cache.get(codeKey(domain, code));
    return found || domain.caseSensitiveCodes ? found : this.cache.get(exactKey(domain, code));
  }

  private async load(key: string): Promise<CachedTrackedLink | null> {
    const trackedLink = await this.shared.get(key, () => this.read(key));
    if (!trackedLink) return null;
    const { mobileTargetUrl } = trackedLink;
    return {
      ...trackedLink,
      kind: this.kind,
      destination: ownDestinationOf(trackedLink),
      mobileDestination: mobileTargetUrl
        ? destinationOf({ ...trackedLink, originalUrl: mobileTargetUrl })
        : null,
      routing: routingOf(trackedLink),
    };
  }

  private async read(key: string): Promise<StoredTrackedLink | null> {
    const row = await this.rows.load(key);
    if (!row) return null;
    const { formerAppIds, appendClickId, life, ...trackedLink } = row;
    const appId = row.iosAppId ?? row.androidAppId;
    const ids = appId === null ? formerAppIds : [appId, ...formerAppIds];
    const paths = ids.length === 0 ? null : await this.dependencies.apps.pathsOf(row.organizationId, ids);
    const formerAppPaths = formerAppIds.map((id) => paths?.get(id)).filter((path) => path !== undefined);
    return {
      ...trackedLink,
      ...life,
      appendClickId: appendClickId ?? (await this.organizationAppends(row.organizationId)),
      appPath: paths?.get(appId ?? 0) ?? null,
      ...(formerAppPaths.length > 0 && { formerAppPaths }),
    };
  }

  /** Loads the domains and apps of newly cached values, which their redirects need as well. */
  private async fillAround(filled: ReadonlyMap<string, StoredTrackedLink>): Promise<void> {
    const { bus, domains } = this.dependencies;
    const apps = new Set<string>();
    const names = new Set<string>();
    for (const [key, { organizationId, iosAppId, androidAppId }] of filled) {
      for (const id of [iosAppId, androidAppId]) if (id !== null) apps.add(String(id));
      const { domainId } = partsOfKey(key);
      if (domainId === DEFAULT_DOMAIN_ID) continue;
      for (const name of (await domains.namesOf(organizationId, [domainId])).values()) names.add(name);
    }
    await Promise.all([bus.fill(APP_TOPIC, [...apps]), bus.fill(DOMAIN_TOPIC, [...names])]);
  }

  private async organizationAppends(organizationId: number): Promise<boolean> {
    const snapshot = await this.dependencies.organizations.get(organizationId);
    return snapshot?.appendClickId ?? false;
  }

  private async readRows(keys: readonly string[]): Promise<(Row | null)[]> {
    const { database } = this.dependencies;
    const wanted = new Set(keys.flatMap(addressesOf));
    const addresses = await database.lookup<Resolved>(this.resolveStatement, [[...wanted]]);
    if (addresses.length === 0) return keys.map(() => null);
    const found = await database.lookup<Row & { formerCodes: string[] }>(this.findStatement, [
      [...new Set(addresses.map(({ organizationId }) => organizationId))],
      addresses.map(({ id }) => id),
    ]);
    const byId = new Map(found.map((row) => [row.id, row]));
    const owners = new Map(addresses.map((owner) => [owner.address, owner]));
    return keys.map((key) => {
      const { code, isFolded } = partsOfKey(key);
      const leads = (each: string) => (isFolded ? foldCode(each) : each) === code;
      for (const address of addressesOf(key)) {
        const owner = owners.get(address);
        const present = owner && byId.get(owner.id);
        if (!present || present.organizationId !== owner.organizationId) continue;
        const { formerCodes, ...row } = present;
        // A released code leads nowhere, but stays taken.
        if (leads(row.code) || formerCodes.some(leads)) return row;
      }
      return null;
    });
  }
}

function exactKey({ id }: CodeDomain, code: string): string {
  return codeKey({ id, caseSensitiveCodes: true }, code);
}

/**
 * The addresses under which the code of a key may be stored. One as it is written may be stored without case, while this
 * process has not heard that case does not count.
 */
function addressesOf(key: string): string[] {
  const { domainId, code, isFolded } = partsOfKey(key);
  return isFolded ? [key] : cachedKeysOf({ domainId, code });
}

@Injectable()
export class LinkCache extends TrackedLinkCache {
  constructor(dependencies: TrackedLinkCacheDependencies) {
    super('link', dependencies);
  }
}

@Injectable()
export class CampaignCache extends TrackedLinkCache {
  constructor(dependencies: TrackedLinkCacheDependencies) {
    super('campaign', dependencies);
  }
}

/** The owner of an address. */
interface Resolved {
  address: string;
  organizationId: number;
  id: number;
}

/** The tracked link if its URL may have this app path: none, or that of its current or a former app; else null. */
export function underAppPath<T extends Pick<StoredTrackedLink, 'appPath' | 'formerAppPaths'>>(
  trackedLink: T | null,
  appPath: string | null,
): T | null {
  if (appPath === null || trackedLink?.appPath === appPath) return trackedLink;
  return trackedLink?.formerAppPaths?.includes(appPath) ? trackedLink : null;
}

const COLUMNS = [
  'id',
  'code',
  'organization_id AS "organizationId"',
  'original_url AS "originalUrl"',
  'title',
  'show_ad_page AS "showAdPage"',
  'og_title AS "ogTitle"',
  'og_description AS "ogDescription"',
  'og_image_url AS "ogImageUrl"',
  'ios_app_id AS "iosAppId"',
  'android_app_id AS "androidAppId"',
  'ios_deep_link_path AS "iosDeepLinkPath"',
  'android_deep_link_path AS "androidDeepLinkPath"',
  'mobile_target_url AS "mobileTargetUrl"',
  'utm_source AS "utmSource"',
  'utm_medium AS "utmMedium"',
  'utm_term AS "utmTerm"',
  'utm_content AS "utmContent"',
  'utm_campaign AS "utmCampaign"',
  'goal_type AS "goalType"',
  'deduplication_window_minutes AS "deduplicationWindowMinutes"',
  'disabled_reason IS NOT NULL AS disabled',
  'append_click_id AS "appendClickId"',
  '(extract(epoch FROM expires_at) * 1000)::float8 AS "expiresAt"',
  'password_hash AS "passwordHash"',
  'max_clicks AS "maxClicks"',
  'coalesce(used_clicks >= max_clicks, false) AS "usedUp"',
  'targeting',
  'variants',
  'array_to_json(former_app_ids) AS "formerAppIds"',
  LIFE_COLUMN,
];
