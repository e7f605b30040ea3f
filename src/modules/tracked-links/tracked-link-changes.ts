import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../access/audit/audit-log';
import { Clock } from '../../common/time/clock';
import type { TrackedLinkKind } from '../clicks/click';
import { type PublishedCodes, TRACKED_LINK_TABLES, type TrackedLinkEntity } from './tracked-link.entity';
import { OgFetches } from './open-graph/og-fetches';
import { ChangesOf } from './changes-of';
import { type Owned, TrackedLinkEvents } from './tracked-link-events';
import { cachedKeysOf } from './code-domains';
import type { TrackedLinksRepository } from './tracked-links.repository';
import { InvalidationBus } from '../../infrastructure/caching/invalidation-bus';
import { Database, type Tx } from '../../infrastructure/database/database';

/** Events and invalidations of changed links and campaigns, and the changes of one kind: `of`. */
@Injectable()
export class TrackedLinkChanges {
  constructor(
    readonly database: Database,
    readonly audit: AuditLog,
    readonly clock: Clock,
    readonly fetches: OgFetches,
    private readonly bus: InvalidationBus,
    readonly events: TrackedLinkEvents,
  ) {}

  of<T extends TrackedLinkEntity>(repository: TrackedLinksRepository<T>): ChangesOf<T> {
    return new ChangesOf(this, repository);
  }

  /** Stores events and invalidates caches. Call it in the transaction of every update. */
  async changed(
    tx: Tx,
    kind: TrackedLinkKind,
    trackedLinks: readonly (PublishedCodes & Owned)[],
  ): Promise<void> {
    if (trackedLinks.length === 0) return;
    await this.events.add(tx, kind, 'updated', trackedLinks);
    this.announce(tx, kind, trackedLinks);
  }

  /**
   * Invalidates the caches of every process after the commit. Call it in the transaction of every deletion, and of
   * every creation with a chosen code, whose absence may be cached.
   */
  announce(tx: Tx, kind: TrackedLinkKind, trackedLinks: readonly PublishedCodes[]): void {
    const table = TRACKED_LINK_TABLES[kind];
    const keys = trackedLinks.flatMap(({ domainId, code, formerCodes }) =>
      [code, ...formerCodes].flatMap((each) => cachedKeysOf({ domainId, code: each })),
    );
    tx.afterCommit(() => this.bus.publish(table, [...new Set(keys)]));
  }

  /**
   * Loads new rows into the caches after the commit. Generated codes need no invalidation, because nobody can have
   * requested them.
   */
  async fill(
    kind: TrackedLinkKind,
    trackedLinks: readonly PublishedCodes[],
    tx = this.database.current,
  ): Promise<void> {
    const fill = () => this.bus.fill(TRACKED_LINK_TABLES[kind], trackedLinks.flatMap(cachedKeysOf));
    if (tx) tx.afterCommit(fill);
    else await fill();
  }
}
