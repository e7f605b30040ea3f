import { Injectable } from '@nestjs/common';
import { Encryption } from '../../common/crypto/encryption';
import type { EncryptedColumn } from './encrypted-columns';
import { Database } from '../database/database';
import { lockOrganization } from '../database/organization-lock';

const BATCH = 500;

interface Row {
  id: number | string;
  organization_id: number;
}

/**
 * Re-encrypts values of older keys with the active key, in short transactions of a few rows. After an interruption, the
 * next run continues.
 */
@Injectable()
export class ReEncryption {
  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
  ) {}

  /** Whether the database knows the active key; before that, other processes may be unable to decrypt its values. */
  isKnown(): Promise<boolean> {
    return this.database.write(async (tx) => {
      const sql = 'SELECT 1 FROM encryption_keys WHERE id = $1';
      return (await tx.query(sql, [this.encryption.activeKeyId])).length > 0;
    });
  }

  /** @returns the number of re-encrypted values */
  async run(column: EncryptedColumn): Promise<number> {
    let total = 0;
    for (;;) {
      const done = await this.pass(column);
      total += done;
      // Rows locked by others were skipped; the next pass finds them.
      if (done === 0) return total;
    }
  }

  /** One pass over the table in primary key order. */
  private async pass(column: EncryptedColumn): Promise<number> {
    let total = 0;
    for (let rows = await this.batch(column); rows.length > 0; rows = await this.batch(column, rows.at(-1))) {
      for (const organizationId of new Set(rows.map((row) => row.organization_id))) {
        const ids = rows.flatMap((row) => (row.organization_id === organizationId ? [row.id] : []));
        total += await this.reEncrypt(column, organizationId, ids);
      }
    }
    return total;
  }

  private batch(column: EncryptedColumn, after?: Row): Promise<Row[]> {
    const { table, column: name, byOrganization } = column;
    const key = byOrganization ? 'organization_id, id' : 'id';
    const from = byOrganization ? [after?.organization_id, after?.id] : [after?.id];
    return this.database.read<Row>(
      `SELECT id, organization_id FROM ${table}
        WHERE ${name} IS NOT NULL AND NOT starts_with(${name}, $1)
          ${after ? `AND (${key}) > (${from.map((_, i) => `$${i + 2}`).join(', ')})` : ''}
        ORDER BY ${key} LIMIT ${BATCH}`,
      [this.prefix, ...(after ? from : [])],
    );
  }

  private reEncrypt(
    { table, column: name, idType: type, lock }: EncryptedColumn,
    organizationId: number,
    ids: readonly Row['id'][],
  ): Promise<number> {
    const idType = type ?? 'bigint';
    // SKIP LOCKED avoids deadlocks with writers.
    const rowLock = lock ? '' : 'FOR NO KEY UPDATE SKIP LOCKED';
    return this.database.write(async (tx) => {
      if (lock) await lockOrganization(tx, lock, organizationId);
      const rows = await tx.query<Pick<Row, 'id'> & { value: string }>(
        `SELECT id, ${name} AS value FROM ${table}
          WHERE organization_id = $1 AND id = ANY($2::${idType}[]) AND NOT starts_with(${name}, $3) ${rowLock}`,
        [organizationId, ids, this.prefix],
      );
      const encrypted = rows.map(({ id: rowId, value }) => {
        const cell = { table, column: name, organizationId, rowId };
        return this.encryption.encrypt(this.encryption.decrypt(value, cell), cell);
      });
      return tx.execute(
        `UPDATE ${table} AS t SET ${name} = r.value
           FROM unnest($2::${idType}[], $3::text[], $4::text[]) AS r (id, before, value)
          WHERE t.organization_id = $1 AND t.id = r.id AND t.${name} = r.before`,
        [organizationId, rows.map(({ id }) => id), rows.map(({ value }) => value), encrypted],
      );
    });
  }

  /** Prefix of values encrypted with the active key. */
  private get prefix(): string {
    return `${this.encryption.activeKeyId}.`;
  }
}
