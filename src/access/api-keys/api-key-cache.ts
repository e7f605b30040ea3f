import { Injectable } from '@nestjs/common';
import { CoherentCache } from '../../infrastructure/caching/coherent-cache';
import { InvalidationBus } from '../../infrastructure/caching/invalidation-bus';
import type { Role } from '../roles';
import { Database, type Tx } from '../../infrastructure/database/database';

export interface CachedApiKey {
  readonly id: number;
  readonly name: string;
  readonly organizationId: number;
  readonly userId: number;
  readonly username: string;
  readonly permissions: ReadonlySet<string>;
  readonly role: Role;
  readonly scopes: ReadonlySet<string>;
  /** Expiry of the key, or end of its overlap if that is earlier; null: never. */
  readonly validUntil: Date | null;
}

type Row = Omit<CachedApiKey, 'permissions' | 'scopes'> & { permissions: string[]; scopes: string[] };

const SELECT = `
  SELECT k.id, k.name, k.organization_id AS "organizationId", k.user_id AS "userId",
    u.username, u.permissions, u.role, k.scopes,
    least(k.expires_at, CASE WHEN k.previous_hash = $1 THEN k.previous_expires_at END) AS "validUntil"
  FROM api_keys k JOIN users u ON u.id = k.user_id
  WHERE k.hash = $1 OR k.previous_hash = $1`;

@Injectable()
export class ApiKeyCache {
  private readonly cache: CoherentCache<CachedApiKey>;

  constructor(
    bus: InvalidationBus,
    private readonly database: Database,
  ) {
    this.cache = new CoherentCache(bus, 'access.key', (hash) => this.load(hash), { maxEntries: 50_000 });
  }

  get(hash: Buffer): Promise<CachedApiKey | null> {
    return this.cache.get(hash.toString('hex'));
  }

  /** Call it in every transaction that changes or deletes keys, with the hashes before the change. */
  changed(tx: Tx, hashes: readonly Buffer[]): void {
    tx.afterCommit(() => this.cache.invalidate(hashes.map((hash) => hash.toString('hex'))));
  }

  /**
   * Call it in every transaction that changes a user. The user's keys are read after the commit: a key
   * created concurrently is either found here, or loaded with the committed user.
   */
  userChanged(tx: Tx, userId: number): void {
    tx.afterCommit(async () => {
      const keys = await this.database.lookup<{ hash: Buffer }>(
        `SELECT unnest(array_remove(ARRAY[hash, previous_hash], NULL)) AS hash
         FROM api_keys WHERE user_id = $1`,
        [userId],
      );
      await this.cache.invalidate(keys.map(({ hash }) => hash.toString('hex')));
    });
  }

  private async load(hash: string): Promise<CachedApiKey | null> {
    const [row] = await this.database.lookup<Row>(SELECT, [Buffer.from(hash, 'hex')]);
    return row ? { ...row, permissions: new Set(row.permissions), scopes: new Set(row.scopes) } : null;
  }
}
