import { LimitReached } from '../../access/access.errors';
import type { Caller } from '../../access/caller';
import { isNearLimit, type Room } from '../../access/limits/near-limit';
import { KeyedMutex } from '../../common/keyed-mutex';
import type { Database, PreparedStatement, Tx } from '../../infrastructure/database/database';
import { lockOrganization } from '../../infrastructure/database/organization-lock';

export abstract class TrackedLinkLimit {
  /** Serializes creations near the limit before they lock, so that waiting ones hold no connection. */
  private readonly turns = new KeyedMutex();

  /** @param counted returns the `count` of an organization, excluding deleted ones */
  constructor(
    private readonly resource: 'links' | 'campaigns',
    private readonly counted: PreparedStatement,
    private readonly database: Database,
  ) {}

  /** How many an organization has, excluding deleted ones. */
  async usage(organizationId: number, tx?: Tx): Promise<number> {
    const [row] = await this.database.hot<{ count: number }>(this.counted, [organizationId], tx);
    return row?.count ?? 0;
  }

  /** What the limit currently allows. Creations must use `within` instead. */
  async room({ organizationId, organization: { limits } }: Caller, tx?: Tx): Promise<Room> {
    const usage = await this.usage(organizationId, tx);
    const limit = limits[this.resource];
    return { count: Math.max(0, limit - usage), refusal: new LimitReached(this.resource, limit, usage) };
  }

  /** Runs `create`, which may create at most `room.count`; concurrent calls cannot exceed the limit together. */
  async within<T>(
    caller: Caller,
    create: (room: Room, tx?: Tx) => Promise<T>,
    enclosing: Tx | undefined = this.database.current,
  ): Promise<T> {
    const { organizationId } = caller;
    const room = await this.room(caller, enclosing);
    if (room.count === 0 || !isNearLimit(room.count)) return create(room, enclosing);
    const inTurn = async (tx: Tx) => {
      await lockOrganization(tx, this.resource, organizationId);
      return create(await this.room(caller, tx), tx);
    };
    // An enclosing transaction may already hold the lock.
    if (enclosing) return inTurn(enclosing);
    return this.turns.run(String(organizationId), () => this.database.write(inTurn));
  }

  /**
   * Rejects a request early.
   * @param planned how many the enclosing transaction may create in several steps; near the limit, the lock is taken
   * first, because waiting for it with locks of earlier steps could deadlock
   * @throws LimitReached
   */
  async check(caller: Caller, planned = 0): Promise<void> {
    const { count, refusal } = await this.room(caller);
    if (count === 0) throw refusal;
    const tx = this.database.current;
    if (tx && planned > 0 && isNearLimit(count - planned))
      await lockOrganization(tx, this.resource, caller.organizationId);
  }
}
