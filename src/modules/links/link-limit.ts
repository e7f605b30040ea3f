import { Injectable } from '@nestjs/common';
import { LimitReached } from '../../access/access.errors';
import type { Caller } from '../../access/caller';
import { Database } from '../../infrastructure/database/database';

const USAGE = {
  name: 'link_counts.usage',
  text: 'SELECT coalesce(sum(links), 0)::float8 AS links FROM link_counts WHERE organization_id = $1',
};

/**
 * The number of links that a plan includes. Calls that run at the same time may each fill what is left, so that an
 * organization can end above its limit by what they make: docs/importing.md#limits.
 */
@Injectable()
export class LinkLimit {
  constructor(private readonly database: Database) {}

  /** Why there can be no more links, and how many more there can be. */
  async left({ organizationId, organization }: Caller): Promise<{ count: number; refusal: LimitReached }> {
    const [row] = await this.database.hot<{ links: number }>(USAGE, [organizationId]);
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
