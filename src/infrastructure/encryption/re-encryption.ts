import { Injectable } from '@nestjs/common';
import { Encryption } from '../../common/crypto/encryption';
import type { EncryptedColumn } from './encrypted-columns';
import { Database } from '../database/database';

const BATCH = 500;

interface Row {
  id: number | string;
  organization_id: number;
  value: string;
}

/**
 * Re-encrypts values of older keys with the active key, in short transactions of a few rows. If interrupted,
 * the next run continues with the remaining values.
 */
@Injectable()
export class ReEncryption {
  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
  ) {}

  /**
   * Whether the database knows the active key: until then, other processes may not be able to decrypt its
   * values.
   */
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
    let last: Row | undefined;
    do {
      const rows = await this.batch(column, last);
      total += rows.length;
      last = rows.at(-1);
    } while (last);
    return total;
  }

  private batch(column: EncryptedColumn, after: Row | undefined): Promise<Row[]> {
    const { table, column: name, idType = 'bigint', byOrganization } = column;
    const key = byOrganization ? 'organization_id, id' : 'id';
    const from = byOrganization ? [after?.organization_id, after?.id] : [after?.id];
    return this.database.write(async (tx) => {
      // SKIP LOCKED, so that it never takes part in a deadlock.
      const rows = await tx.query<Row>(
        `SELECT id, organization_id, ${name} AS value FROM ${table}
          WHERE ${name} IS NOT NULL AND NOT starts_with(${name}, $1)
            ${after ? `AND (${key}) > (${from.map((_, i) => `$${i + 2}`).join(', ')})` : ''}
          ORDER BY ${key} LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED`,
        [`${this.encryption.activeKeyId}.`, ...(after ? from : [])],
      );
      const encrypted = rows.map(({ id: rowId, organization_id: organizationId, value }) => {
        const cell = { table, column: name, organizationId, rowId };
        return this.encryption.encrypt(this.encryption.decrypt(value, cell), cell);
      });
      await tx.execute(
        `UPDATE ${table} AS t SET ${name} = r.value
           FROM unnest($1::bigint[], $2::${idType}[], $3::text[]) AS r (organization_id, id, value)
          WHERE t.organization_id = r.organization_id AND t.id = r.id`,
        [rows.map((row) => row.organization_id), rows.map((row) => row.id), encrypted],
      );
      return rows;
    });
  }
}
