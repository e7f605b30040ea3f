import { Injectable } from '@nestjs/common';
import type { OrganizationLock } from '../database/organization-lock';

/**
 * A column of values encrypted by `Encryption`, in a table with `id` and `organization_id`. Names are used as SQL
 * identifiers, so they must never come from input.
 */
export interface EncryptedColumn {
  readonly table: string;
  readonly column: string;
  /** Rows expire within a day, so they are never re-encrypted. */
  readonly shortLived?: true;
  /** Type of `id`; default bigint. */
  readonly idType?: 'uuid';
  /** Whether the primary key starts with `organization_id`. */
  readonly byOrganization?: true;
  /**
   * Lock that writers of the organization hold instead of row locks, for tables in which one row lock locks the whole
   * table on Citus.
   */
  readonly lock?: OrganizationLock;
}

/** Every encrypted column, registered by the module that owns it, for key rotation. */
@Injectable()
export class EncryptedColumns {
  private readonly columns: EncryptedColumn[] = [];

  register(...columns: readonly EncryptedColumn[]): void {
    this.columns.push(...columns);
  }

  all(): readonly EncryptedColumn[] {
    return this.columns;
  }
}
