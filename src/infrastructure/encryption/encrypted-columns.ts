import { Injectable } from '@nestjs/common';

/** A column of values by `Encryption`, of a table with `id` and `organization_id`. Names are of the code, never given. */
export interface EncryptedColumn {
  readonly table: string;
  readonly column: string;
  /** Its rows go within a day, so nobody encrypts them anew. */
  readonly shortLived?: true;
  /** Type of `id`; default bigint. */
  readonly idType?: 'uuid';
  /** The primary key begins with the organization. */
  readonly byOrganization?: true;
}

/** Every encrypted column, registered by the module that it belongs to: what a rotation of keys goes through. */
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
