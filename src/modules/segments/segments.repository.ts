import { Injectable } from '@nestjs/common';
import type { FindOptionsSelect } from 'typeorm';
import { Encryption } from '../../common/crypto/encryption';
import { NotFound } from '../../common/errors/errors';
import { type EncryptedColumn, EncryptedColumns } from '../../infrastructure/encryption/encrypted-columns';
import type { Segment, SegmentDefinition, SegmentSummary } from './segment';
import type { ConditionGroup } from './segment-condition';
import { SegmentRow } from './segment.entities';
import { Database, type Tx } from '../../infrastructure/database/database';
import { lockOrganization } from '../../infrastructure/database/organization-lock';

/** Conditions are encrypted, because they may contain a person's number, address or name. */
export const SEGMENT_COLUMN: EncryptedColumn = {
  table: 'segments',
  column: 'conditions',
  byOrganization: true,
};

/** Columns of a list: all except `conditions`. */
const SUMMARY: FindOptionsSelect<SegmentRow> = {
  organizationId: true,
  id: true,
  name: true,
  description: true,
  isActive: true,
  memberCount: true,
  conditionGroupCount: true,
  lastEvaluatedAt: true,
  lastUsedAt: true,
  createdAt: true,
  updatedAt: true,
};

export interface ActiveSegment {
  readonly organizationId: number;
  readonly id: number;
  /** Time of the last evaluation, or of the creation if there was none. */
  readonly since: Date;
}

@Injectable()
export class SegmentsRepository {
  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
    columns: EncryptedColumns,
  ) {
    columns.register(SEGMENT_COLUMN);
  }

  /** Sorted by name. */
  list(organizationId: number, page: number, size: number): Promise<[SegmentSummary[], total: number]> {
    return this.database.report(organizationId, (tx) =>
      tx.repository(SegmentRow).findAndCount({
        select: SUMMARY,
        where: { organizationId },
        order: { name: 'ASC', id: 'ASC' },
        skip: page * size,
        take: size,
      }),
    );
  }

  active(): Promise<ActiveSegment[]> {
    return this.database.read<ActiveSegment>(
      `SELECT organization_id AS "organizationId", id, coalesce(last_evaluated_at, created_at) AS since
         FROM segments WHERE is_active ORDER BY organization_id, id`,
    );
  }

  /** @throws NotFound */
  async get(organizationId: number, id: number): Promise<Segment> {
    return this.open(await this.database.repository(SegmentRow).findOneBy({ organizationId, id }));
  }

  /** Locks the segment against changes and evaluations until the transaction ends. @throws NotFound */
  async lock(tx: Tx, organizationId: number, id: number): Promise<Segment> {
    const lock = { mode: 'for_no_key_update' } as const;
    return this.open(await tx.repository(SegmentRow).findOne({ where: { organizationId, id }, lock }));
  }

  /** @returns the id; null if the organization already has `max` segments */
  async insert(
    tx: Tx,
    organizationId: number,
    definition: SegmentDefinition,
    { at, max }: { at: Date; max: number },
  ): Promise<number | null> {
    // Serializes concurrent inserts, so that each counts the others.
    await lockOrganization(tx, 'segments', organizationId);
    if ((await tx.repository(SegmentRow).countBy({ organizationId })) >= max) return null;
    // Queried separately, because on Citus the sequence is only on the coordinator.
    const [row] = await tx.query<{ id: number }>(`SELECT nextval('segment_ids') AS id`);
    const id = row?.id;
    if (id === undefined) return null;
    await tx.repository(SegmentRow).insert({
      organizationId,
      id,
      ...this.toColumns(organizationId, id, definition),
      createdAt: at,
      updatedAt: at,
    });
    return id;
  }

  async update(
    tx: Tx,
    { organizationId, id }: Segment,
    definition: SegmentDefinition,
    at: Date,
  ): Promise<void> {
    const changed = { ...this.toColumns(organizationId, id, definition), updatedAt: at };
    await tx.repository(SegmentRow).update({ organizationId, id }, changed);
  }

  async remove(tx: Tx, { organizationId, id }: Segment): Promise<void> {
    const members = 'DELETE FROM segment_members WHERE organization_id = $1 AND segment_id = $2';
    await tx.execute(members, [organizationId, id]);
    await tx.repository(SegmentRow).delete({ organizationId, id });
  }

  private open(row: SegmentRow | null): Segment {
    if (!row) throw new NotFound('Segment');
    const { conditions, conditionGroupCount: _, ...segment } = row;
    const text = this.encryption.decrypt(conditions, cellOf(row.organizationId, row.id));
    return { ...segment, conditionGroups: JSON.parse(text) as ConditionGroup[] };
  }

  private toColumns(organizationId: number, id: number, definition: SegmentDefinition) {
    const { conditionGroups, ...plain } = definition;
    const conditions = this.encryption.encrypt(JSON.stringify(conditionGroups), cellOf(organizationId, id));
    return { ...plain, conditionGroupCount: conditionGroups.length, conditions };
  }
}

function cellOf(organizationId: number, rowId: number) {
  const { table, column } = SEGMENT_COLUMN;
  return { table, column, organizationId, rowId };
}
