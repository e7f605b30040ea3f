import { Injectable } from '@nestjs/common';
import { CoherentCache } from '../../../infrastructure/caching/coherent-cache';
import { fillAtCommit } from '../../../infrastructure/caching/fill-at-commit';
import { InvalidationBus } from '../../../infrastructure/caching/invalidation-bus';
import { SharedCopy } from '../../../infrastructure/caching/shared-copy';
import { RedisStore } from '../../../infrastructure/redis/redis';
import type { App } from '../app.entity';
import { Database, type Tx } from '../../../infrastructure/database/database';

const MAX_ENTRIES = 20_000;
export const APP_TOPIC = 'apps';

/** The fields of an app that a redirect needs, which must not include its key. */
export type KnownApp = Pick<
  App,
  | 'id'
  | 'organizationId'
  | 'platform'
  | 'appName'
  | 'bundleId'
  | 'path'
  | 'scheme'
  | 'teamId'
  | 'storeUrl'
  | 'appIconUrl'
>;

/** Apps of all organizations by id, except deleted ones: in memory, Redis, Postgres. */
@Injectable()
export class AppCache {
  private readonly cache: CoherentCache<KnownApp>;

  constructor(
    private readonly database: Database,
    redis: RedisStore,
    bus: InvalidationBus,
  ) {
    const shared = new SharedCopy<KnownApp>(redis, APP_TOPIC);
    this.cache = new CoherentCache(bus, APP_TOPIC, (id) => shared.get(id, () => this.read(id)), {
      maxEntries: MAX_ENTRIES,
    });
    fillAtCommit(bus, APP_TOPIC, { cache: this.cache, shared, read: (id) => this.read(id) });
  }

  /** Looks an app up in memory: null if it is known not to exist, undefined if `find` must be called. */
  peek(id: number): KnownApp | null | undefined {
    return this.cache.peek(String(id));
  }

  /**
   * The app with that id, or null if there is none or it has been deleted. @throws if no store is reachable and memory
   * has no entry
   */
  find(id: number): Promise<KnownApp | null> {
    return this.cache.get(String(id));
  }

  /**
   * Invalidates the app in every process after the commit. Call it in each transaction that changes or deletes an app.
   */
  changed(tx: Tx, { id }: Pick<App, 'id'>): void {
    tx.afterCommit(() => this.cache.invalidate([String(id)]));
  }

  private async read(id: string): Promise<KnownApp | null> {
    const [row] = await this.database.lookup<KnownApp>(FIND, [id]);
    return row ?? null;
  }
}

const FIND = `
  SELECT id, organization_id AS "organizationId", platform, app_name AS "appName", bundle_id AS "bundleId", path,
         scheme, team_id AS "teamId", store_url AS "storeUrl", app_icon_url AS "appIconUrl"
    FROM apps WHERE id = $1 AND deleted_at IS NULL`;
