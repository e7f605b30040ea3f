import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { LimitReached } from '../../access/access.errors';
import type { Caller } from '../../access/caller';
import { Database } from '../../infrastructure/database/database';
import type { Tx } from '../../infrastructure/database/tx';
import { DomainUses } from '../domains/domain-uses';
import { type Counted, TrackedLinksRepository } from '../tracked-links/tracked-links.repository';
import { Link } from './link.entity';
import type { LinkCount } from './link-count.entity';

export type CountedLink = Counted<Link>;

const USAGE = {
  name: 'link_counts.usage',
  text: 'SELECT coalesce(sum(links), 0)::float8 AS links FROM link_counts WHERE organization_id = $1',
};

/** Repository of links, which also knows the plan's limit. */
@Injectable()
export class LinksRepository extends TrackedLinksRepository<Link> {
  constructor(@InjectRepository(Link) links: Repository<Link>, database: Database, uses: DomainUses) {
    super('link', links, database);
    uses.register(this);
  }

  /**
   * How many more links the plan allows, and the error for links beyond. Concurrent calls can exceed the limit: see
   * docs/importing.md#limits.
   */
  async left(
    { organizationId, organization }: Caller,
    tx?: Tx,
  ): Promise<{ count: number; refusal: LimitReached }> {
    const [row] = await this.database.hot<Pick<LinkCount, 'links'>>(USAGE, [organizationId], tx);
    const usage = row?.links ?? 0;
    const { maxLinks } = organization;
    return { count: Math.max(0, maxLinks - usage), refusal: new LimitReached('links', maxLinks, usage) };
  }

  /** @throws LimitReached when the plan allows no more links */
  async checkLimit(caller: Caller, tx?: Tx): Promise<void> {
    const { count, refusal } = await this.left(caller, tx);
    if (count === 0) throw refusal;
  }
}
