import { Injectable } from '@nestjs/common';
import type { KeyedApp, KeyedApps } from '../../../access/app-keys/keyed-apps';
import { CoherentCache } from '../../../infrastructure/caching/coherent-cache';
import { InvalidationBus } from '../../../infrastructure/caching/invalidation-bus';
import type { App } from '../app.entity';
import { AppKeys } from './app-keys';
import { Database, type Tx } from '../../../infrastructure/database/database';

const MAX_ENTRIES = 20_000;

/** Apps with their keys, in memory and Postgres only: hashes and encrypted keys are not stored in Redis. */
@Injectable()
export class AppKeyCache implements KeyedApps {
  private readonly cache: CoherentCache<KeyedApp>;

  constructor(
    private readonly database: Database,
    private readonly keys: AppKeys,
    bus: InvalidationBus,
  ) {
    this.cache = new CoherentCache(bus, 'app-keys', (id) => this.read(id), { maxEntries: MAX_ENTRIES });
  }

  find(id: number): Promise<KeyedApp | null> {
    return this.cache.get(String(id));
  }

  secretKeyOf(app: KeyedApp): string {
    return this.keys.read(app);
  }

  /**
   * Invalidates the app in every process after the commit. Call it in each transaction that changes or deletes an app.
   */
  changed(tx: Tx, { id }: Pick<App, 'id'>): void {
    tx.afterCommit(() => this.cache.invalidate([String(id)]));
  }

  private async read(id: string): Promise<KeyedApp | null> {
    const [row] = await this.database.lookup<KeyedApp>(FIND, [id]);
    return row ?? null;
  }
}

const FIND = `
  SELECT id, organization_id AS "organizationId", app_name AS name, platform, api_key_hash AS "keyHash",
         api_key AS "apiKey", publishable_key AS "publishableKey", allowed_origins AS "allowedOrigins",
         sdk_rate_per_minute AS "sdkRatePerMinute"
    FROM apps WHERE id = $1 AND deleted_at IS NULL AND api_key_hash IS NOT NULL`;
