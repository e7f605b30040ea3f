import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND, trackedLinkKindOf } from '../../clicks/click';
import { type Cell, Encryption } from '../../../common/crypto/encryption';
import { BlindIndexes } from '../../../infrastructure/encryption/blind-indexes';
import { type EncryptedColumn, EncryptedColumns } from '../../../infrastructure/encryption/encrypted-columns';
import type { TrackedLinkRef } from '../../sessions/rollups/funnel-sums';
import { Database, type Tx } from '../../../infrastructure/database/database';

export const LINK_ASSOCIATION_COLUMN: EncryptedColumn = {
  table: 'link_associations',
  column: 'sealed',
  byOrganization: true,
};

/** A user's push token associated with a link or campaign. */
export interface LinkAssociation {
  organizationId: number;
  appId: number;
  trackedLink: TrackedLinkRef;
  tokenidx: string;
  identify: string;
  associatedAt: Date;
}

/** Identifiers by which a person's associations are found. */
interface Known {
  /** The customer's member id and push identifiers. */
  identifies: readonly string[];
  tokenidx: string | null;
}

interface Row {
  id: number;
  appId: number;
  kind: number;
  trackedLinkId: number;
  sealed: string;
  associatedAt: Date;
}

/** Reads and writes `link_associations`: one row per link or campaign and push token. */
@Injectable()
export class LinkAssociationsRepository {
  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
    private readonly indexes: BlindIndexes,
    columns: EncryptedColumns,
  ) {
    columns.register(LINK_ASSOCIATION_COLUMN);
  }

  /** Adds an association, or reassigns the existing one to its current user. */
  async upsert(tx: Tx, association: LinkAssociation): Promise<void> {
    const { organizationId, trackedLink, tokenidx } = association;
    const key = [
      organizationId,
      this.tokenKey(organizationId, tokenidx),
      TRACKED_LINK_KIND[trackedLink.kind],
      trackedLink.id,
    ] as const;
    for (;;) {
      const [next] = await tx.query<{ id: number }>(NEXT_ID);
      const added = await tx.query(INSERT, [...key, ...this.valuesOf(association, next?.id ?? 0)]);
      if (added.length > 0) return;
      // The id is read first, because the ciphertext is bound to it; the row may have been deleted meanwhile.
      const [known] = await tx.query<{ id: number }>(LOCK, key);
      if (!known) continue;
      await tx.query(UPDATE, [organizationId, ...this.valuesOf(association, known.id)]);
      return;
    }
  }

  /** The associations of a person, oldest first. */
  async of(organizationId: number, known: Known): Promise<LinkAssociation[]> {
    const rows = await this.database.read<Row>(FIND, this.keysOf(organizationId, known));
    return rows.map(({ id, appId, kind, trackedLinkId, sealed, associatedAt }) => {
      const text = this.encryption.decrypt(sealed, cellOf(organizationId, id));
      const [tokenidx, identify] = JSON.parse(text) as [string, string];
      const trackedLink = { kind: trackedLinkKindOf(kind), id: trackedLinkId };
      return { organizationId, appId, trackedLink, tokenidx, identify, associatedAt };
    });
  }

  async forget(tx: Tx, organizationId: number, known: Known): Promise<void> {
    await tx.query(FORGET, this.keysOf(organizationId, known));
  }

  private valuesOf({ organizationId, appId, tokenidx, identify, associatedAt }: LinkAssociation, id: number) {
    const sealed = this.encryption.encrypt(JSON.stringify([tokenidx, identify]), cellOf(organizationId, id));
    return [id, appId, this.userKey(organizationId, identify), sealed, associatedAt];
  }

  private keysOf(organizationId: number, { identifies, tokenidx }: Known): unknown[] {
    const userKeys = identifies.map((identify) => this.userKey(organizationId, identify));
    return [organizationId, userKeys, tokenidx === null ? null : this.tokenKey(organizationId, tokenidx)];
  }

  private tokenKey(organizationId: number, tokenidx: string): Buffer {
    return this.indexes.of(organizationId, 'association.token', tokenidx);
  }

  private userKey(organizationId: number, identify: string): Buffer {
    return this.indexes.of(organizationId, 'association.user', identify);
  }
}

function cellOf(organizationId: number, rowId: number): Cell {
  return { ...LINK_ASSOCIATION_COLUMN, organizationId, rowId };
}

const NEXT_ID = `SELECT nextval(pg_get_serial_sequence('link_associations', 'id')) AS id`;

const INSERT = `
  INSERT INTO link_associations (organization_id, token_key, kind, tracked_link_id, id, app_id, user_key, sealed,
                                 associated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (organization_id, token_key, kind, tracked_link_id) DO NOTHING
  RETURNING id`;

const LOCK = `
  SELECT id FROM link_associations
   WHERE organization_id = $1 AND token_key = $2 AND kind = $3 AND tracked_link_id = $4 FOR UPDATE`;

const UPDATE = `
  UPDATE link_associations SET app_id = $3, user_key = $4, sealed = $5, associated_at = $6
   WHERE organization_id = $1 AND id = $2`;

const OF_PERSON = 'organization_id = $1 AND (user_key = ANY($2::bytea[]) OR token_key = $3)';

const FIND = `
  SELECT id, app_id AS "appId", kind, tracked_link_id AS "trackedLinkId", sealed,
         associated_at AS "associatedAt"
    FROM link_associations WHERE ${OF_PERSON} ORDER BY id`;

const FORGET = `DELETE FROM link_associations WHERE ${OF_PERSON}`;
