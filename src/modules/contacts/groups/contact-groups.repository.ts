import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../common/errors/errors';
import type { PageQuery } from '../../../common/pagination/page';
import type { CountedGroup } from './contact-groups.dto';
import { ContactGroup } from './contact-group.entities';
import { orGroupNameTaken } from '../contacts.errors';
import { Database, type Tx } from '../../../infrastructure/database/database';

/** $1 is the organization: without the parameter in the subquery, Citus would query every node. */
const COLUMNS = `
  g.id, g.name, g.description, g.is_default AS "isDefault", g.created_at AS "createdAt", g.updated_at AS "updatedAt",
  coalesce((SELECT sum(members) FROM contact_group_counts AS c
             WHERE c.organization_id = $1 AND c.group_id = g.id), 0)::bigint AS "memberCount"`;

@Injectable()
export class ContactGroupsRepository {
  constructor(private readonly database: Database) {}

  /** The default group first, then the newest first. */
  list(organizationId: number, { page, size }: PageQuery): Promise<[CountedGroup[], total: number]> {
    return this.database.report(organizationId, async (tx) => {
      const [row] = await tx.query<{ total: number }>(
        'SELECT count(*) AS total FROM contact_groups WHERE organization_id = $1',
        [organizationId],
      );
      const groups = await tx.query<CountedGroup>(
        `SELECT ${COLUMNS} FROM contact_groups AS g WHERE organization_id = $1
          ORDER BY is_default DESC, id DESC LIMIT $2 OFFSET $3`,
        [organizationId, size, page * size],
      );
      return [groups, row?.total ?? 0];
    });
  }

  /** @throws NotFound */
  async get(organizationId: number, id: number, tx?: Tx): Promise<CountedGroup> {
    const sql = `SELECT ${COLUMNS} FROM contact_groups AS g WHERE organization_id = $1 AND id = $2`;
    const [group] = tx
      ? await tx.query<CountedGroup>(sql, [organizationId, id])
      : await this.database.read<CountedGroup>(sql, [organizationId, id]);
    if (!group) throw new NotFound('Group');
    return group;
  }

  /** Locks the group until the transaction ends. @throws NotFound */
  async lock(tx: Tx, organizationId: number, id: number): Promise<CountedGroup> {
    const lock = { mode: 'pessimistic_write' } as const;
    await tx.repository(ContactGroup).findOne({ where: { organizationId, id }, lock });
    return this.get(organizationId, id, tx);
  }

  count(tx: Tx, organizationId: number): Promise<number> {
    return tx.repository(ContactGroup).countBy({ organizationId });
  }

  async insert(
    tx: Tx,
    organizationId: number,
    { name, description, createdAt }: Pick<CountedGroup, 'name' | 'description' | 'createdAt'>,
  ): Promise<CountedGroup> {
    const group = { organizationId, name, description, createdAt, updatedAt: createdAt };
    const { identifiers } = await tx.repository(ContactGroup).insert(group).catch(orGroupNameTaken);
    return this.get(organizationId, (identifiers[0] as ContactGroup).id, tx);
  }

  /** @throws GROUP_NAME_TAKEN */
  async update(
    tx: Tx,
    organizationId: number,
    { id, name, description, updatedAt }: CountedGroup,
  ): Promise<void> {
    const changed = { name, description, updatedAt };
    await tx.repository(ContactGroup).update({ organizationId, id }, changed).catch(orGroupNameTaken);
  }

  /** Deletes the group and its memberships; the contacts are kept. */
  async remove(tx: Tx, organizationId: number, id: number): Promise<void> {
    await tx.repository(ContactGroup).delete({ organizationId, id });
    const counts = 'DELETE FROM contact_group_counts WHERE organization_id = $1 AND group_id = $2';
    await tx.execute(counts, [organizationId, id]);
  }
}
