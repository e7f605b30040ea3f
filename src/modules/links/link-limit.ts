import { Injectable } from '@nestjs/common';
import { LimitReached } from '../../access/access.errors';
import type { Caller } from '../../access/caller';
import { isNearLimit } from '../../access/limits/near-limit';
import { KeyedMutex } from '../../common/keyed-mutex';
import { Database } from '../../infrastructure/database/database';
import { lockOrganization } from '../../infrastructure/database/organization-lock';
import type { Tx } from '../../infrastructure/database/tx';

const USAGE = {
  name: 'link_counts.usage',
  text: 'SELECT coalesce(sum(links), 0)::float8 AS links FROM link_counts WHERE organization_id = $1',
};

/** How many more links the limit allows, and the error for further ones. */
export interface LinkRoom {
  readonly count: number;
  readonly refusal: LimitReached;
}

/** The number of links of an organization, and its limit. */
@Injectable()
export class LinkLimit {
  /** Serializes creations near the limit before they lock, so that waiting ones hold no connection. */
  private readonly turns = new KeyedMutex();

  constructor(private readonly database: Database) {}

  /** Number of an organization's links, excluding deleted ones. */
  async usage(organizationId: number, tx?: Tx): Promise<number> {
    const [row] = await this.database.hot<{ links: number }>(USAGE, [organizationId], tx);
    return row?.links ?? 0;
  }

  /** What the limit currently allows. Creations must use `within` instead. */
  async room({ organizationId, organization: { limits } }: Caller, tx?: Tx): Promise<LinkRoom> {
    const usage = await this.usage(organizationId, tx);
    return {
      count: Math.max(0, limits.links - usage),
      refusal: new LimitReached('links', limits.links, usage),
    };
  }

  /** Runs `create`, which may create at most `room.count` links; concurrent calls cannot exceed the limit together. */
  async within<T>(
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
    // An enclosing transaction may already hold the lock.
    if (enclosing) return inTurn(enclosing);
    return this.turns.run(String(organizationId), () => this.database.write(inTurn));
  }

  /**
   * Rejects a request early.
   * @param planned links that the enclosing transaction may create in several steps; near the limit, the lock is taken
   * first, because waiting for it with locks of earlier steps could deadlock
   * @throws LimitReached
   */
  async check(caller: Caller, planned = 0): Promise<void> {
    const { count, refusal } = await this.room(caller);
    if (count === 0) throw refusal;
    const tx = this.database.current;
    if (tx && planned > 0 && isNearLimit(count - planned))
      await lockOrganization(tx, 'links', caller.organizationId);
  }
}
