import { Injectable } from '@nestjs/common';
import { LimitReached } from '../../access/access.errors';
import type { CallerOrganization } from '../../access/caller';
import { isNearLimit, type Room } from '../../access/limits/near-limit';
import { Database, type Tx } from '../../infrastructure/database/database';
import { lockOrganization } from '../../infrastructure/database/organization-lock';

const USAGE = {
  name: 'contact_counts.usage',
  text: 'SELECT coalesce(sum(contacts), 0)::float8 AS contacts FROM contact_counts WHERE organization_id = $1',
};

/**
 * The transaction must be repeated with the organization's lock, which it has to take before it locks contacts, to
 * avoid deadlocks.
 */
class TurnNeeded extends Error {}

/** The number of active contacts of an organization, and its limit. */
@Injectable()
export class ContactLimit {
  constructor(private readonly database: Database) {}

  async usage(organizationId: number, tx?: Tx): Promise<number> {
    const [row] = await this.database.hot<{ contacts: number }>(USAGE, [organizationId], tx);
    return row?.contacts ?? 0;
  }

  /**
   * Runs `work`, which must undo everything on an error and may then run again: near the limit, creations run one after
   * the other, so that concurrent ones cannot exceed it together.
   */
  async within<T>(
    tx: Tx,
    { id, limits: { contacts: limit } }: Pick<CallerOrganization, 'id' | 'limits'>,
    work: (room: () => Promise<Room>) => Promise<T>,
  ): Promise<T> {
    const room = async (hasTurn: boolean): Promise<Room> => {
      const usage = await this.usage(id, tx);
      const count = Math.max(0, limit - usage);
      if (!hasTurn && count > 0 && isNearLimit(count)) throw new TurnNeeded();
      return { count, refusal: new LimitReached('contacts', limit, usage) };
    };
    try {
      return await work(() => room(false));
    } catch (error) {
      if (!(error instanceof TurnNeeded)) throw error;
      await lockOrganization(tx, 'contacts', id);
      return await work(() => room(true));
    }
  }
}
