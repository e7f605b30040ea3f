import { Injectable } from '@nestjs/common';
import { LimitReached } from '../../access/access.errors';
import type { Caller } from '../../access/caller';
import type { LinkCount } from './link-count.entity';
import { Database } from '../../infrastructure/database/database';

const USAGE = {
  name: 'link_counts.usage',
  text: 'SELECT coalesce(sum(links), 0)::float8 AS links FROM link_counts WHERE organization_id = $1',
};

/** The plan's limit on links. Concurrent calls can exceed it: see docs/importing.md#limits. */
@Injectable()
export class LinkLimit {
  constructor(private readonly database: Database) {}

  /** How many more links the plan allows, and the error when there are none. */
  async left({ organizationId, organization }: Caller): Promise<{ count: number; refusal: LimitReached }> {
    const [row] = await this.database.hot<Pick<LinkCount, 'links'>>(USAGE, [organizationId]);
    const usage = row?.links ?? 0;
    const { maxLinks } = organization;
    return { count: Math.max(0, maxLinks - usage), refusal: new LimitReached('links', maxLinks, usage) };
  }

  /** @throws LimitReached when there can be no more links */
  async check(caller: Caller): Promise<void> {
    const { count, refusal } = await this.left(caller);
    if (count === 0) throw refusal;
  }
}
