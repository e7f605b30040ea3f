import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { LimitReached } from '../../access/access.errors';
import type { Caller } from '../../access/caller';
import { isNearLimit } from '../../access/limits/near-limit';
import { KeyedMutex } from '../../common/keyed-mutex';
import { Database } from '../../infrastructure/database/database';
import { lockOrganization } from '../../infrastructure/database/organization-lock';
import type { Tx } from '../../infrastructure/database/tx';
import { DomainUses } from '../domains/domain-uses';
import { type Counted, TrackedLinksRepository } from '../tracked-links/tracked-links.repository';
import { Link } from './link.entity';

export type CountedLink = Counted<Link>;

const USAGE = {
  name: 'link_counts.usage',
  text: 'SELECT coalesce(sum(links), 0)::float8 AS links FROM link_counts WHERE organization_id = $1',
};

/** How many more links the limit allows, and the error for links beyond. */
export interface LinkRoom {
  readonly count: number;
  readonly refusal: LimitReached;
}

/** Repository of links, which also knows their limit. */
@Injectable()
export class LinksRepository extends TrackedLinksRepository<Link> {
  /** Queues creations near the limit before their lock, so that those that wait hold no connection. */
  private readonly turns = new KeyedMutex();

  constructor(@InjectRepository(Link) links: Repository<Link>, database: Database, uses: DomainUses) {
    super('link', links, database);
    uses.register(this);
  }

  /** Links of an organization, not counting deleted ones. */
  async usage(organizationId: number, tx?: Tx): Promise<number> {
    const [row] = await this.database.hot<{ links: number }>(USAGE, [organizationId], tx);
    return row?.links ?? 0;
  }

  /** What the limit leaves at the moment; creations go through `withinLimit`. */
  async room({ organizationId, organization: { limits } }: Caller, tx?: Tx): Promise<LinkRoom> {
    const usage = await this.usage(organizationId, tx);
    return {
      count: Math.max(0, limits.links - usage),
      refusal: new LimitReached('links', limits.links, usage),
    };
  }

  /** Runs `create`, which creates at most `room.count` links, so that concurrent calls never pass the limit together. */
  async withinLimit<T>(
    caller: Caller,
    create: (room: LinkRoom, tx?: Tx) => Promise<T>,
    enclosing: Tx | undefined = this.database.current,
  ): Promise<T> {
    const { organizationId } = caller;
    const room = await this.room(caller, enclosing);
    if (room.count === 0 || !isNearLimit(room.count)) return create(room, enclosing);
    const inTurn = async (tx: Tx) => {
      await lockOrganization(tx, 'links', organizationId);
      return create(await this.room(caller, tx), tx);
    };
    // An enclosing transaction may have the turn already.
    if (enclosing) return inTurn(enclosing);
    return this.turns.run(String(organizationId), () => this.database.write(inTurn));
  }

  /**
   * Refuses a call before its work.
   * @param planned links that the enclosing transaction may create in several steps; near the limit it takes its turn
   * first, because it would wait for it with locks of earlier steps
   * @throws LimitReached
   */
  async checkLimit(caller: Caller, planned = 0): Promise<void> {
    const { count, refusal } = await this.room(caller);
    if (count === 0) throw refusal;
    const tx = this.database.current;
    if (tx && planned > 0 && isNearLimit(count - planned))
      await lockOrganization(tx, 'links', caller.organizationId);
  }
}
