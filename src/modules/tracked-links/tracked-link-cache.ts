import { Inject, Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { OrganizationCache } from '../../access/organizations/organization-cache';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { Database } from '../../infrastructure/database/database';
import { InvalidationBus } from '../../infrastructure/caching/invalidation-bus';
import { RedisStore } from '../../infrastructure/redis/redis';
import { AppLookup } from '../apps/cache/app-lookup.service';
import type { TrackedLinkKind } from '../clicks/click';
import { CoherentCache } from '../../infrastructure/caching/coherent-cache';
import { SharedCopy } from '../../infrastructure/caching/shared-copy';
import type { PreparedStatement } from '../../infrastructure/database/tx';
import { type Destination, destinationOf, ownDestinationOf } from '../domains/destinations/destination';
import { codeKey, TRACKED_LINK_TABLES, type TrackedLinkEntity } from './tracked-link.entity';

/** What redirecting needs of a link or campaign: nothing more is cached. */
export type StoredTrackedLink = Pick<
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
  | 'goalType'
  | 'deduplicationWindowMinutes'
> & {
  /** Whether the platform has disabled it. A copy in Redis by a version before does not say. */
  disabled?: boolean;
  /** Whether the destination gets the click's token, by its own setting or the organization's. */
  appendClickId?: boolean;
  /** Milliseconds since the epoch; null: no expiry. */
  expiresAt: number | null;
  /**
   * URL namespace of the linked app, for `/<appPath>/<code>` and `/<appPath>/c/<alias>`; null when no app is linked.
   */
  appPath: string | null;
  /** Those of apps that it was tied to: printed addresses go on leading to it. */
  formerAppPaths?: readonly string[];
};

/** Prepared for answering: everything that does not depend on the request. */
export type CachedTrackedLink<
  K extends TrackedLinkKind,
  S extends StoredTrackedLink = StoredTrackedLink,
> = S & {
  kind: K;
  destination: Destination;
  /** Where phones go; null when that is no other place. */
  mobileDestination: Destination | null;
};

/** A row as it is read: what it says of apps has yet to become paths. */
type Row<S extends StoredTrackedLink> = Omit<S, 'appendClickId'> & {
  formerAppIds: number[];
  /** Null: as the organization has set it. */
  appendClickId: boolean | null;
};

const MAX_BATCH = 100;
/** Most links are followed now and then: their visitors need not wait either. */
const MAX_AGE_MS = 5 * 60_000;

/** What one kind adds to the cache. */
interface CacheSource<K extends TrackedLinkKind, S extends StoredTrackedLink, P extends object> {
  kind: K;
  /** Columns that only this kind has, as `column AS "property"`. */
  more?: readonly string[];
  /** Computes further values that answering needs. */
  prepare?: (stored: S) => P;
}

/** What the caches of links and campaigns load from, and hear changes by. */
@Injectable()
export class TrackedLinkStores {
  constructor(
    readonly database: Database,
    readonly apps: AppLookup,
    readonly organizations: OrganizationCache,
    readonly redis: RedisStore,
    readonly bus: InvalidationBus,
    @Inject(CONFIG) readonly config: Config,
  ) {}
}

/** Finds one kind by domain and code: memory, then Redis, then Postgres (docs/architecture.md#the-path-of-a-click). */
export class TrackedLinkCache<
  K extends TrackedLinkKind,
  S extends StoredTrackedLink = StoredTrackedLink,
  P extends object = object,
> {
  private readonly cache: CoherentCache<CachedTrackedLink<K, S> & P>;
  private readonly shared: SharedCopy<S>;
  /** What is asked for side by side is read in one statement. */
  private readonly rows = new DataLoader((keys: readonly string[]) => this.readRows(keys), {
    cache: false,
    maxBatchSize: MAX_BATCH,
    // A turn of the event loop: each connection's request is a tick of its own.
    batchScheduleFn: setImmediate,
  });
  private readonly findStatement: PreparedStatement;

  constructor(
    private readonly source: CacheSource<K, S, P>,
    private readonly stores: TrackedLinkStores,
  ) {
    const { kind, more = [] } = source;
    const { table, code } = TRACKED_LINK_TABLES[kind];
    this.shared = new SharedCopy(stores.redis, table);
    this.cache = new CoherentCache(stores.bus, table, (key) => this.load(key), {
      maxEntries: stores.config.redirect.cacheEntries,
      maxAgeMs: MAX_AGE_MS,
    });
    // Each key by the index, and not the table from end to end, however small it is: hence the OFFSET.
    this.findStatement = {
      name: `${table}.by code`,
      text: `
      SELECT wanted.place - 1 AS place, found.*
        FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS wanted (domain_id, code, place)
       CROSS JOIN LATERAL (
             SELECT ${[`${code} AS code`, ...COLUMNS, ...more].join(', ')}
               FROM ${table}
              WHERE domain_id = wanted.domain_id AND ${code} = wanted.code
                AND NOT ${code}_released AND deleted_at IS NULL
             OFFSET 0) AS found`,
    };
  }

  /** The live one when memory has it, null when it knows that there is none, undefined when `find` must be asked. */
  peek(domainId: number, code: string): (CachedTrackedLink<K, S> & P) | null | undefined {
    return this.cache.peek(codeKey(domainId, code));
  }

  /** The live one of that code, or null. @throws when no store can be asked and nothing is known of it */
  find(domainId: number, code: string): Promise<(CachedTrackedLink<K, S> & P) | null> {
    return this.cache.get(codeKey(domainId, code));
  }

  private async load(key: string): Promise<(CachedTrackedLink<K, S> & P) | null> {
    const trackedLink = await this.shared.get(key, () => this.read(key));
    if (!trackedLink) return null;
    const { mobileTargetUrl } = trackedLink;
    return {
      ...trackedLink,
      ...(this.source.prepare?.(trackedLink) as P),
      kind: this.source.kind,
      destination: ownDestinationOf(trackedLink),
      mobileDestination: mobileTargetUrl
        ? destinationOf({ ...trackedLink, originalUrl: mobileTargetUrl })
        : null,
    };
  }

  private async read(key: string): Promise<S | null> {
    const row = await this.rows.load(key);
    if (!row) return null;
    const { formerAppIds, appendClickId, ...trackedLink } = row;
    const appId = row.iosAppId ?? row.androidAppId;
    const ids = appId === null ? formerAppIds : [appId, ...formerAppIds];
    const paths = ids.length === 0 ? null : await this.stores.apps.pathsOf(row.organizationId, ids);
    const formerAppPaths = formerAppIds.map((id) => paths?.get(id)).filter((path) => path !== undefined);
    return {
      ...(trackedLink as unknown as S),
      appendClickId: appendClickId ?? (await this.organizationAppends(row.organizationId)),
      appPath: paths?.get(appId ?? 0) ?? null,
      ...(formerAppPaths.length > 0 && { formerAppPaths }),
    };
  }

  private async organizationAppends(organizationId: number): Promise<boolean> {
    const snapshot = await this.stores.organizations.get(organizationId);
    return snapshot?.appendClickId ?? false;
  }

  private async readRows(keys: readonly string[]): Promise<(Row<S> | null)[]> {
    const slashes = keys.map((key) => key.indexOf('/'));
    const found = await this.stores.database.lookup<Row<S> & { place: number }>(this.findStatement, [
      keys.map((key, i) => key.slice(0, slashes[i])),
      keys.map((key, i) => key.slice((slashes[i] ?? 0) + 1)),
    ]);
    const rows = keys.map((): Row<S> | null => null);
    for (const { place, ...row } of found) rows[place] = row as unknown as Row<S>;
    return rows;
  }
}

/** A tracked link under an app path is that app's, or was: under another app's it does not exist. */
export function underAppPath<T extends Pick<StoredTrackedLink, 'appPath' | 'formerAppPaths'>>(
  trackedLink: T | null,
  appPath: string | null,
): T | null {
  if (appPath === null || trackedLink?.appPath === appPath) return trackedLink;
  return trackedLink?.formerAppPaths?.includes(appPath) ? trackedLink : null;
}

const COLUMNS = [
  'id',
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
  'goal_type AS "goalType"',
  'deduplication_window_minutes AS "deduplicationWindowMinutes"',
  'disabled_reason IS NOT NULL AS disabled',
  'append_click_id AS "appendClickId"',
  '(extract(epoch FROM expires_at) * 1000)::float8 AS "expiresAt"',
  'array_to_json(former_app_ids) AS "formerAppIds"',
];
