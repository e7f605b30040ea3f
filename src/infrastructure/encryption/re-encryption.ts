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
 * Encrypts with the active key what older ones have closed: a few rows a transaction, so that nobody waits for long.
 * Broken off, it goes on where there is still something to do.
 */
@Injectable()
export class ReEncryption {
  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
  ) {}

  /** Whether a process has been started with the active key: before, others could not read what it closes. */
  isKnown(): Promise<boolean> {
    return this.database.write(async (tx) => {
      const sql = 'SELECT 1 FROM encryption_keys WHERE id = $1';
      return (await tx.query(sql, [this.encryption.activeKeyId])).length > 0;
    });
  }

  /** @returns how many values it was */
  async run(column: EncryptedColumn): Promise<number> {
    let total = 0;
    for (;;) {
      const done = await this.pass(column);
      total += done;
      // Rows that others held were left out; the next pass finds them, or nothing.
      if (done === 0) return total;
    }
  }

  /** Once through the table, by its primary key. */
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
      // Never waiting for a row, it is part of no circle of transactions that wait for each other.
      const rows = await tx.query<Row>(
        `SELECT id, organization_id, ${name} AS value FROM ${table}
          WHERE ${name} IS NOT NULL AND NOT starts_with(${name}, $1)
            ${after ? `AND (${key}) > (${from.map((_, i) => `$${i + 2}`).join(', ')})` : ''}
          ORDER BY ${key} LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED`,
        [`${this.encryption.activeKeyId}.`, ...(after ? from : [])],
      );
      const anew = rows.map(({ id: rowId, organization_id: organizationId, value }) => {
        const cell = { table, column: name, organizationId, rowId };
        return this.encryption.encrypt(this.encryption.decrypt(value, cell), cell);
      });
      await tx.execute(
        `UPDATE ${table} AS t SET ${name} = r.value
           FROM unnest($1::bigint[], $2::${idType}[], $3::text[]) AS r (organization_id, id, value)
          WHERE t.organization_id = r.organization_id AND t.id = r.id`,
        [rows.map((row) => row.organization_id), rows.map((row) => row.id), anew],
      );
      return rows;
    });
  }
}
