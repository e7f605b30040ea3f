import { Injectable } from '@nestjs/common';
import { DeletedOrganizationCache } from '../../access/organizations/deleted-organizations';
import { CoherentCache } from '../../infrastructure/caching/coherent-cache';
import { InvalidationBus } from '../../infrastructure/caching/invalidation-bus';
import type { CustomDomain } from './custom-domain.entity';
import { Database } from '../../infrastructure/database/database';
import type { Tx } from '../../infrastructure/database/tx';

const MAX_ENTRIES = 50_000;

/** What answering on a custom domain needs of it. */
export type KnownDomain = Pick<
  CustomDomain,
  'id' | 'organizationId' | 'activationToken' | 'rootUrl' | 'notFoundUrl' | 'expiredUrl'
> & {
  /** Whether the platform has disabled it or deleted its organization: it answers nothing but a page that says so. */
  disabled: boolean;
};

/** Custom domains that short links answer on: those that are VERIFIED or ACTIVE (docs/concepts/redirects.md#hosts). */
@Injectable()
export class DomainCache {
  private readonly cache: CoherentCache<KnownDomain>;

  constructor(
    private readonly database: Database,
    private readonly deleted: DeletedOrganizationCache,
    bus: InvalidationBus,
  ) {
    this.cache = new CoherentCache(bus, 'domains', (name) => this.read(name), { maxEntries: MAX_ENTRIES });
    deleted.onDeletion((tx, organizationId) => tx.afterCommit(() => this.forget(organizationId)));
  }

  /** The usable domain when memory has it, null when it knows of none, undefined when `find` must be asked. */
  peek(name: string): KnownDomain | null | undefined {
    return this.cache.peek(name);
  }

  /** @param name lower-case host name @throws when no store can be asked and nothing is known of it */
  find(name: string): Promise<KnownDomain | null> {
    return this.cache.get(name);
  }

  /** Tells every process of a change, after its commit: links start or stop to answer on these names. */
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
              disabled_reason IS NOT NULL AS disabled
         FROM custom_domains
        WHERE domain_name = $1 AND status IN ('VERIFIED', 'ACTIVE') AND deleted_at IS NULL`,
      [name],
    );
    if (!row) return null;
    return { ...row, disabled: row.disabled || (await this.deleted.has(row.organizationId)) };
  }
}
