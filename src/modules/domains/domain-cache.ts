import { Injectable } from '@nestjs/common';
import { DeletedOrganizationCache } from '../../access/organizations/deleted-organizations';
import { CoherentCache } from '../../infrastructure/caching/coherent-cache';
import { fillAtCommit } from '../../infrastructure/caching/fill-at-commit';
import { InvalidationBus } from '../../infrastructure/caching/invalidation-bus';
import { SharedCopy } from '../../infrastructure/caching/shared-copy';
import { RedisStore } from '../../infrastructure/redis/redis';
import type { CustomDomain } from './custom-domain.entity';
import { Database, type Tx } from '../../infrastructure/database/database';

const MAX_ENTRIES = 50_000;
export const DOMAIN_TOPIC = 'domains';

export type KnownDomain = Pick<
  CustomDomain,
  | 'id'
  | 'organizationId'
  | 'activationToken'
  | 'rootUrl'
  | 'notFoundUrl'
  | 'expiredUrl'
  | 'caseSensitiveCodes'
> & {
  /**
   * Whether the platform has disabled the domain or its organization has been deleted; every request then gets a page
   * that says so.
   */
  disabled: boolean;
};

/**
 * Custom domains that serve links, which are VERIFIED or ACTIVE (docs/concepts/redirects.md#hosts): in memory, Redis,
 * Postgres.
 */
@Injectable()
export class DomainCache {
  private readonly cache: CoherentCache<KnownDomain>;

  constructor(
    private readonly database: Database,
    private readonly deleted: DeletedOrganizationCache,
    redis: RedisStore,
    bus: InvalidationBus,
  ) {
    const shared = new SharedCopy<KnownDomain>(redis, DOMAIN_TOPIC);
    const read = (name: string) => this.read(name);
    this.cache = new CoherentCache(bus, DOMAIN_TOPIC, (name) => shared.get(name, () => read(name)), {
      maxEntries: MAX_ENTRIES,
    });
    fillAtCommit(bus, DOMAIN_TOPIC, { cache: this.cache, shared, read });
    deleted.onDeletion((tx, organizationId) => tx.afterCommit(() => this.forget(organizationId)));
  }

  /** Looks a domain up in memory: null if it is known not to be usable, undefined if `find` must be called. */
  peek(name: string): KnownDomain | null | undefined {
    return this.cache.peek(name);
  }

  /** @param name lower-case host name @throws if no store is reachable and nothing is cached */
  find(name: string): Promise<KnownDomain | null> {
    return this.cache.get(name);
  }

  /** Announces a change to every process after the commit: domains with these names become usable or unusable. */
  changed(tx: Tx, names: readonly string[]): void {
    tx.afterCommit(() => this.cache.invalidate(names));
  }

  private async forget(organizationId: number): Promise<void> {
    const rows = await this.database.lookup<{ name: string }>(
      'SELECT domain_name AS name FROM custom_domains WHERE organization_id = $1 AND deleted_at IS NULL',
      [organizationId],
    );
    await this.cache.invalidate(rows.map(({ name }) => name));
  }

  private async read(name: string): Promise<KnownDomain | null> {
    const [row] = await this.database.lookup<KnownDomain>(
      `SELECT id, organization_id AS "organizationId", activation_token AS "activationToken",
              root_url AS "rootUrl", not_found_url AS "notFoundUrl", expired_url AS "expiredUrl",
              case_sensitive_codes AS "caseSensitiveCodes",
              disabled_reason IS NOT NULL AS disabled
         FROM custom_domains
        WHERE domain_name = $1 AND status IN ('VERIFIED', 'ACTIVE') AND deleted_at IS NULL`,
      [name],
    );
    if (!row) return null;
    return { ...row, disabled: row.disabled || (await this.deleted.has(row.organizationId)) };
  }
}
