import { Injectable } from '@nestjs/common';
import { CoherentCache } from '../../infrastructure/caching/coherent-cache';
import { fillAtCommit } from '../../infrastructure/caching/fill-at-commit';
import { InvalidationBus } from '../../infrastructure/caching/invalidation-bus';
import { SharedCopy } from '../../infrastructure/caching/shared-copy';
import { RedisStore } from '../../infrastructure/redis/redis';
import { Database, type Tx } from '../../infrastructure/database/database';

const DELETED_TOPIC = 'access.deleted-organizations';
/** Key of the only cache entry, which holds all deleted organizations, since they are few. */
const ALL = 'all';
const MAX_AGE_MS = 5 * 60_000;

type Listener = (tx: Tx, organizationId: number) => void;

/** Deleted organizations, whose data still exists but is no longer served. */
@Injectable()
export class DeletedOrganizationCache {
  private readonly cache: CoherentCache<ReadonlySet<number>>;
  private readonly shared: SharedCopy<number[]>;
  private readonly listeners: Listener[] = [];

  constructor(
    private readonly database: Database,
    redis: RedisStore,
    bus: InvalidationBus,
  ) {
    this.shared = new SharedCopy(redis, DELETED_TOPIC);
    this.cache = new CoherentCache(bus, DELETED_TOPIC, () => this.load(), {
      maxEntries: 4,
      maxAgeMs: MAX_AGE_MS,
    });
    fillAtCommit(bus, DELETED_TOPIC, { cache: this.cache, shared: this.shared, read: () => this.read() });
  }

  /** Looks an organization up in memory; undefined if the cache is not loaded: call `has` then. */
  peek(organizationId: number): boolean | undefined {
    return this.cache.peek(ALL)?.has(organizationId);
  }

  async has(organizationId: number): Promise<boolean> {
    return (await this.all()).has(organizationId);
  }

  async all(): Promise<ReadonlySet<number>> {
    // On a failure the organization counts as existing: a link whose row could be read is served.
    return (await this.cache.get(ALL).catch(() => null)) ?? new Set();
  }

  /** Calls `listener` in the transaction of every deletion, so that other caches can be invalidated. */
  onDeletion(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Call it in the transaction of a deletion. */
  deleted(tx: Tx, organizationId: number): void {
    tx.afterCommit(() => this.cache.invalidate([ALL]));
    for (const listener of this.listeners) listener(tx, organizationId);
  }

  private async load(): Promise<ReadonlySet<number>> {
    return new Set(await this.shared.get(ALL, () => this.read()));
  }

  private async read(): Promise<number[]> {
    const rows = await this.database.lookup<{ id: number }>(
      'SELECT id FROM organizations WHERE deleted_at IS NOT NULL',
      [],
    );
    return rows.map(({ id }) => id);
  }
}
