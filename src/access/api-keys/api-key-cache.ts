import { Injectable } from '@nestjs/common';
import { CoherentCache } from '../../infrastructure/caching/coherent-cache';
import { InvalidationBus } from '../../infrastructure/caching/invalidation-bus';
import { Database } from '../../infrastructure/database/database';
import type { Tx } from '../../infrastructure/database/tx';

/** What an API key stands for. */
export interface CachedApiKey {
  readonly id: number;
  readonly hash: Buffer;
  readonly name: string;
  readonly organizationId: number;
  readonly userId: number;
  readonly username: string;
  readonly permissions: ReadonlySet<string>;
}

type Row = Omit<CachedApiKey, 'permissions'> & { permissions: string[] };

const SELECT = `
  SELECT k.id, k.hash, k.name, k.organization_id AS "organizationId", k.user_id AS "userId",
    u.username, u.permissions
  FROM api_keys k JOIN users u ON u.id = k.user_id
  WHERE k.hash = $1`;

/** API keys by their hash, from memory: a call costs no query. */
@Injectable()
export class ApiKeyCache {
  private readonly cache: CoherentCache<CachedApiKey>;

  constructor(
    bus: InvalidationBus,
    private readonly database: Database,
  ) {
    this.cache = new CoherentCache(bus, 'access.key', (hash) => this.load(hash), { maxEntries: 50_000 });
  }

  /** @returns null when there is no such key */
  get(hash: Buffer): Promise<CachedApiKey | null> {
    return this.cache.get(hash.toString('hex'));
  }

  /** To be called in every transaction that removes keys. */
  removed(tx: Tx, hashes: readonly Buffer[]): void {
    tx.afterCommit(() => this.cache.invalidate(hashes.map((hash) => hash.toString('hex'))));
  }

  /**
   * To be called in every transaction that changes a user. The user's keys are read after the commit: one that is
   * made meanwhile is either read here, or loaded with what was committed.
   */
  userChanged(tx: Tx, userId: number): void {
    tx.afterCommit(async () => {
      const keys = await this.database.lookup<{ hash: Buffer }>(
        'SELECT hash FROM api_keys WHERE user_id = $1',
        [userId],
      );
      await this.cache.invalidate(keys.map(({ hash }) => hash.toString('hex')));
    });
  }

  private async load(hash: string): Promise<CachedApiKey | null> {
    const [row] = await this.database.lookup<Row>(SELECT, [Buffer.from(hash, 'hex')]);
    return row ? { ...row, permissions: new Set(row.permissions) } : null;
  }
}
