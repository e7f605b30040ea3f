import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { CoherentCache } from '../../infrastructure/caching/coherent-cache';
import { SharedCopy } from '../../infrastructure/caching/shared-copy';
import type { Tx } from '../../infrastructure/database/transactions';
import { InvalidationBus } from '../../infrastructure/caching/invalidation-bus';
import { RedisStore } from '../../infrastructure/redis/redis';
import { AppsService } from '../apps/apps.service';
import { type Destination, destinationOf } from '../domains/destination';
import type { Link } from './link.entity';

/** What redirecting needs of a link: nothing more is cached. */
type StoredTarget = Pick<
  Link,
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
  /** Milliseconds since the epoch; null: no expiry. */
  expiresAt: number | null;
  /** URL namespace of the linked app, for `/<appPath>/<code>`; null when no app is linked. */
  appPath: string | null;
};

export type LinkTarget = StoredTarget & { kind: 'link'; destination: Destination };

/** Finds links by domain and code: memory, then Redis, then Postgres (architecture.md, "A click through the house"). */
@Injectable()
export class LinkDirectory {
  private readonly cache: CoherentCache<LinkTarget>;
  private readonly shared: SharedCopy<StoredTarget>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly apps: AppsService,
    redis: RedisStore,
    bus: InvalidationBus,
    @Inject(CONFIG) config: Config,
  ) {
    this.shared = new SharedCopy(redis, 'links');
    this.cache = new CoherentCache(bus, 'links', (key) => this.load(key), {
      maxEntries: config.redirect.cacheEntries,
    });
  }

  /** The link when memory has it, null when it knows that there is none, undefined when `find` must be asked. */
  peek(domainId: number, code: string): LinkTarget | null | undefined {
    return this.cache.peek(keyOf(domainId, code));
  }

  /** The live link of that code, or null. @throws when no store can be asked and nothing is known of it */
  find(domainId: number, code: string): Promise<LinkTarget | null> {
    return this.cache.get(keyOf(domainId, code));
  }

  /**
   * Tells every process of a change, after its commit. Call it in the transaction of every creation (misses are
   * cached, too), update and deletion.
   */
  changed(tx: Tx, links: readonly Pick<Link, 'domainId' | 'code'>[]): void {
    const keys = links.map((link) => keyOf(link.domainId, link.code));
    tx.afterCommit(() => this.cache.invalidate(keys));
  }

  private async load(key: string): Promise<LinkTarget | null> {
    const link = await this.shared.get(key, () => this.read(key));
    return link && { ...link, kind: 'link', destination: destinationOf(link) };
  }

  private async read(key: string): Promise<StoredTarget | null> {
    const slash = key.indexOf('/');
    const parameters = [key.slice(0, slash), key.slice(slash + 1)];
    const [target] = await this.dataSource.query<StoredTarget[]>(FIND, parameters);
    if (!target) return null;
    const appId = target.iosAppId ?? target.androidAppId;
    const paths = appId === null ? null : await this.apps.pathsOf(target.organizationId, [appId]);
    return { ...target, appPath: paths?.get(appId ?? 0) ?? null };
  }
}

function keyOf(domainId: number, code: string): string {
  return `${domainId}/${code}`;
}

const FIND = `
  SELECT id, organization_id AS "organizationId", code, original_url AS "originalUrl", title,
         show_ad_page AS "showAdPage", og_title AS "ogTitle", og_description AS "ogDescription",
         og_image_url AS "ogImageUrl", ios_app_id AS "iosAppId", android_app_id AS "androidAppId",
         ios_deep_link_path AS "iosDeepLinkPath", android_deep_link_path AS "androidDeepLinkPath",
         mobile_target_url AS "mobileTargetUrl", utm_source AS "utmSource", utm_medium AS "utmMedium",
         utm_term AS "utmTerm", utm_content AS "utmContent", goal_type AS "goalType",
         deduplication_window_minutes AS "deduplicationWindowMinutes",
         (extract(epoch FROM expires_at) * 1000)::float8 AS "expiresAt"
    FROM links
   WHERE domain_id = $1 AND code = $2 AND NOT code_released AND deleted_at IS NULL`;
