import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../../common/errors/errors';
import { Clock } from '../../../common/time/clock';
import { ContactGroup } from './contact-group.entities';
import { Database, type Tx } from '../../../infrastructure/database/database';

/** Group ids by contact id. */
export type GroupIds = ReadonlyMap<number, readonly number[]>;

interface Row {
  contactId: number;
  groupIds: number[];
}

@Injectable()
export class ContactMemberships {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The groups of these contacts; contacts without groups are omitted. */
  async of(organizationId: number, contactIds: readonly number[], tx?: Tx): Promise<GroupIds> {
    if (contactIds.length === 0) return new Map();
    const sql = `
      SELECT contact_id AS "contactId", array_agg(group_id ORDER BY group_id) AS "groupIds"
        FROM contact_group_members WHERE organization_id = $1 AND contact_id = ANY ($2) GROUP BY contact_id`;
    const parameters = [organizationId, contactIds];
    const rows = tx ? await tx.query<Row>(sql, parameters) : await this.database.read<Row>(sql, parameters);
    return new Map(rows.map(({ contactId, groupIds }) => [contactId, groupIds.map(Number)]));
  }

  /** @returns the number of new memberships */
  async add(
    tx: Tx,
    organizationId: number,
    pairs: readonly (readonly [groupId: number, contactId: number])[],
  ) {
    if (pairs.length === 0) return 0;
    const [row] = await tx.query<{ added: number }>(
      `WITH made AS (
         INSERT INTO contact_group_members (organization_id, group_id, contact_id)
         SELECT $1, pair.group_id, pair.contact_id
           FROM unnest($2::bigint[], $3::bigint[]) AS pair (group_id, contact_id)
          ORDER BY 2, 3
         ON CONFLICT DO NOTHING RETURNING 1)
       SELECT count(*) AS added FROM made`,
      [organizationId, pairs.map(([groupId]) => groupId), pairs.map(([, contactId]) => contactId)],
    );
    return row?.added ?? 0;
  }

  async removeAll(tx: Tx, organizationId: number, contactId: number): Promise<void> {
    const sql = 'DELETE FROM contact_group_members WHERE organization_id = $1 AND contact_id = $2';
    await tx.execute(sql, [organizationId, contactId]);
  }

  async hasGroup(organizationId: number, groupId: number): Promise<boolean> {
    const sql = 'SELECT 1 FROM contact_groups WHERE organization_id = $1 AND id = $2';
    return (await this.database.read(sql, [organizationId, groupId])).length > 0;
  }

  /** The groups of a contact, by name. */
  groupsOf(organizationId: number, contactId: number): Promise<{ id: number; name: string }[]> {
    return this.database.read<{ id: number; name: string }>(
      `SELECT g.id, g.name FROM contact_group_members AS m
         JOIN contact_groups AS g ON g.organization_id = m.organization_id AND g.id = m.group_id
        WHERE m.organization_id = $1 AND m.contact_id = $2 ORDER BY g.id`,
      [organizationId, contactId],
    );
  }

  /** A page of the group's contacts, newest first. */
  async membersOf(
    tx: Tx,
    organizationId: number,
    groupId: number,
    { page, size }: { page: number; size: number },
  ): Promise<number[]> {
    const rows = await tx.query<{ id: number }>(
      `SELECT contact_id AS id FROM contact_group_members WHERE organization_id = $1 AND group_id = $2
        ORDER BY contact_id DESC LIMIT $3 OFFSET $4`,
      [organizationId, groupId, size, page * size],
    );
    return rows.map(({ id }) => id);
  }

  /** @returns the number of removed memberships */
  async remove(
    tx: Tx,
    organizationId: number,
    groupId: number,
    contactIds: readonly number[],
  ): Promise<number> {
    const [row] = await tx.query<{ removed: number }>(
      `WITH gone AS (
         DELETE FROM contact_group_members
          WHERE organization_id = $1 AND group_id = $2 AND contact_id = ANY ($3) RETURNING 1)
       SELECT count(*) AS removed FROM gone`,
      [organizationId, groupId, contactIds],
    );
    return row?.removed ?? 0;
  }

  /** Locks the active contacts among the ids against deactivation, until the transaction ends. */
  async lockContacts(tx: Tx, organizationId: number, ids: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await tx.query<{ id: number }>(
      `SELECT id FROM contacts WHERE organization_id = $1 AND id = ANY ($2) AND deactivated_at IS NULL
        ORDER BY id FOR SHARE`,
      [organizationId, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Locks the organization's groups among the ids against deletion, until the transaction ends. */
  async lockGroups(tx: Tx, organizationId: number, ids: readonly number[]): Promise<ReadonlySet<number>> {
    if (ids.length === 0) return new Set();
    const rows = await tx.query<{ id: number }>(
      `SELECT id FROM contact_groups WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR KEY SHARE`,
      [organizationId, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Locks the group of a request, if it has one. @throws ValidationFailed if it is not the organization's */
  async lockGroup(tx: Tx, organizationId: number, groupId: number | null): Promise<void> {
    if (groupId === null) return;
    const known = await this.lockGroups(tx, organizationId, [groupId]);
    if (!known.has(groupId)) throw ValidationFailed.field('groupId', 'must be a group of the organization');
  }

  /** The organization's default group, created if missing. */
  async defaultGroup(tx: Tx, organizationId: number): Promise<number> {
    const groups = tx.repository(ContactGroup);
    const find = () => groups.findOneBy({ organizationId, isDefault: true });
    let group = await find();
    if (!group) {
      await tx.execute(
        `INSERT INTO contact_groups (organization_id, name, is_default, created_at, updated_at)
         VALUES ($1, 'Default', true, $2, $2) ON CONFLICT DO NOTHING`,
        [organizationId, this.clock.date()],
      );
      group = await find();
      // Also created by a GET, for which WrittenInterceptor records nothing.
      tx.afterCommit(() => this.database.wrote(organizationId));
    }
    if (!group) throw new Error(`Organization ${organizationId} has no default group`);
    return group.id;
  }
}
