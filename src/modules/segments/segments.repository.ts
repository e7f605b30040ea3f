import { Injectable } from '@nestjs/common';
import { Encryption } from '../../common/crypto/encryption';
import { NotFound } from '../../common/errors/errors';
import { type EncryptedColumn, EncryptedColumns } from '../../infrastructure/encryption/encrypted-columns';
import type { Segment, SegmentDefinition, SegmentSummary } from './segment';
import type { ConditionGroup } from './segment-condition';
import { Database } from '../../infrastructure/database/database';
import type { Tx } from '../../infrastructure/database/tx';

/** Conditions are encrypted, because they may contain a person's number, address or name. */
export const SEGMENT_COLUMN: EncryptedColumn = {
  table: 'segments',
  column: 'conditions',
  byOrganization: true,
};

type Row = SegmentSummary & { readonly conditions: string };

const SUMMARY = `
  organization_id AS "organizationId", id, name, description, is_active AS "isActive", member_count AS "memberCount",
  condition_group_count AS "conditionGroupCount", last_evaluated_at AS "lastEvaluatedAt",
  last_used_at AS "lastUsedAt", created_at AS "createdAt", updated_at AS "updatedAt"`;
const ONE = `SELECT ${SUMMARY}, conditions FROM segments WHERE organization_id = $1 AND id = $2`;

/** A segment with daily evaluation. */
export interface ActiveSegment {
  readonly organizationId: number;
  readonly id: number;
  /** Last evaluation, or the creation if there was none. */
  readonly since: Date;
}

/** Reads and writes `segments` and `segment_members`. */
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
  async list(organizationId: number, page: number, size: number): Promise<[SegmentSummary[], total: number]> {
    const rows = await this.database.read<SegmentSummary>(
      `SELECT ${SUMMARY} FROM segments WHERE organization_id = $1 ORDER BY name, id LIMIT $2 OFFSET $3`,
      [organizationId, size, page * size],
    );
    const count = await this.database.single<{ total: number }>(
      'SELECT count(*) AS total FROM segments WHERE organization_id = $1',
      [organizationId],
    );
    return [rows, count.total];
  }

  /** The active segments of all organizations. */
  active(): Promise<ActiveSegment[]> {
    return this.database.read<ActiveSegment>(
      `SELECT organization_id AS "organizationId", id, coalesce(last_evaluated_at, created_at) AS since
         FROM segments WHERE is_active ORDER BY organization_id, id`,
    );
  }

  /** @throws NotFound */
  async get(organizationId: number, id: number): Promise<Segment> {
    const [row] = await this.database.read<Row>(ONE, [organizationId, id]);
    return this.open(row);
  }

  /** Locks the segment against changes and evaluations until the transaction ends. @throws NotFound */
  async lock(tx: Tx, organizationId: number, id: number): Promise<Segment> {
    const [row] = await tx.query<Row>(`${ONE} FOR NO KEY UPDATE`, [organizationId, id]);
    return this.open(row);
  }

  /** @returns its id; null if the organization already has `max` segments */
  async insert(
    tx: Tx,
    organizationId: number,
    definition: SegmentDefinition,
    { at, max }: { at: Date; max: number },
  ): Promise<number | null> {
    // Serializes concurrent inserts, so that each counts the others.
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('segments', $1))`, [organizationId]);
    const rows = await tx.query<{ id: number }>(
      `SELECT nextval('segment_ids') AS id
        WHERE (SELECT count(*) FROM segments WHERE organization_id = $1) < $2`,
      [organizationId, max],
    );
    const id = rows[0]?.id;
    if (id === undefined) return null;
    await tx.execute(
      `INSERT INTO segments (organization_id, id, name, description, is_active, condition_group_count, conditions,
                             created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
      [...this.toColumns(organizationId, id, definition), at],
    );
    return id;
  }

  async update(
    tx: Tx,
    { organizationId, id }: Segment,
    definition: SegmentDefinition,
    at: Date,
  ): Promise<void> {
    await tx.execute(
      `UPDATE segments SET name = $3, description = $4, is_active = $5, condition_group_count = $6, conditions = $7,
                           updated_at = $8
        WHERE organization_id = $1 AND id = $2`,
      [...this.toColumns(organizationId, id, definition), at],
    );
  }

  async remove(tx: Tx, { organizationId, id }: Segment): Promise<void> {
    await tx.execute('DELETE FROM segment_members WHERE organization_id = $1 AND segment_id = $2', [
      organizationId,
      id,
    ]);
    await tx.execute('DELETE FROM segments WHERE organization_id = $1 AND id = $2', [organizationId, id]);
  }

  private open(row: Row | undefined): Segment {
    if (!row) throw new NotFound('Segment');
    const { conditions, conditionGroupCount: _, ...segment } = row;
    const text = this.encryption.decrypt(conditions, cellOf(row.organizationId, row.id));
    return { ...segment, conditionGroups: JSON.parse(text) as ConditionGroup[] };
  }

  /** The key and the definition, in the order of the SQL parameters. */
  private toColumns(organizationId: number, id: number, definition: SegmentDefinition): unknown[] {
    const { name, description, isActive, conditionGroups } = definition;
    const sealed = this.encryption.encrypt(JSON.stringify(conditionGroups), cellOf(organizationId, id));
    return [organizationId, id, name, description, isActive, conditionGroups.length, sealed];
  }
}

function cellOf(organizationId: number, rowId: number) {
  const { table, column } = SEGMENT_COLUMN;
  return { table, column, organizationId, rowId };
}
