import { Injectable } from '@nestjs/common';
import type { OrganizationLock } from '../database/organization-lock';

/**
 * A column of values encrypted by `Encryption`, in a table with `id` and `organization_id`. Names come from
 * code, never from input.
 */
export interface EncryptedColumn {
  readonly table: string;
  readonly column: string;
  /** Its rows expire within a day, so they are never re-encrypted. */
  readonly shortLived?: true;
  /** Type of `id`; default bigint. */
  readonly idType?: 'uuid';
  /** The primary key starts with the organization. */
  readonly byOrganization?: true;
  /** Lock of the organization that writers hold, for tables in which locking a row locks the whole table on Citus. */
  readonly lock?: OrganizationLock;
}

/** Every encrypted column, registered by the module that owns it; key rotation goes through them. */
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
