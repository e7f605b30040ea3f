import { Injectable } from '@nestjs/common';
import { CoherentCache } from '../../infrastructure/caching/coherent-cache';
import { InvalidationBus } from '../../infrastructure/caching/invalidation-bus';
import { SharedCopy } from '../../infrastructure/caching/shared-copy';
import { RedisStore } from '../../infrastructure/redis/redis';
import { Database } from '../../infrastructure/database/database';
import type { Tx } from '../../infrastructure/database/tx';

const TOPIC = 'access.deleted-organizations';
/** They are few, so one entry holds them all: a redirect asks for no organization by itself. */
const ALL = 'all';
const MAX_AGE_MS = 5 * 60_000;

type Listener = (tx: Tx, organizationId: number) => void;

/** Organizations that were deleted: what is theirs stays in the tables, and answers nobody. */
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
    this.shared = new SharedCopy(redis, TOPIC);
    this.cache = new CoherentCache(bus, TOPIC, () => this.load(), { maxEntries: 4, maxAgeMs: MAX_AGE_MS });
  }

  /** Whether that one was deleted, when memory knows; undefined when `has` must be asked. */
  peek(organizationId: number): boolean | undefined {
    return this.cache.peek(ALL)?.has(organizationId);
  }

  async has(organizationId: number): Promise<boolean> {
    return (await this.all()).has(organizationId);
  }

  async all(): Promise<ReadonlySet<number>> {
    // A link whose row could be read must be answered, even if this could not.
    return (await this.cache.get(ALL).catch(() => null)) ?? new Set();
  }

  /** Calls `listener` in the transaction of every deletion, for those who keep more in memory. */
  onDeletion(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** To be called in the transaction of a deletion. */
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
