import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../../clicks/click';
import type { Rows } from '../../domains/code-domain';
import { partsOfKey } from '../code-domains';
import type { Tx } from '../../../infrastructure/database/database';

/**
 * Takes an address for a link or campaign, which may have it already, as a former code.
 * @param address `codeKey`
 * @returns false if another one has it
 */
export async function takeAddress(
  tx: Tx,
  kind: TrackedLinkKind,
  { id, organizationId }: { id: number; organizationId: number },
  address: string,
): Promise<boolean> {
  const taken = await tx.execute(TAKE, [address, TRACKED_LINK_KIND[kind], organizationId, id]);
  return taken > 0;
}

/** An address and the link or campaign that has it, as `reusableCodes` takes it. */
export interface OwnedAddress {
  address: string;
  id: number;
  domain: number;
  word: string;
  folded: boolean;
}

/** Those of the addresses that the organization has. @param addresses `codeKey`s */
export async function ownedAddresses(
  run: Rows,
  kind: TrackedLinkKind,
  organizationId: number,
  addresses: readonly string[],
): Promise<OwnedAddress[]> {
  const rows = await run<{ address: string; id: number }>(OWNED, [
    addresses,
    TRACKED_LINK_KIND[kind],
    organizationId,
  ]);
  return rows.map((row) => {
    const { domainId: domain, code: word, isFolded: folded } = partsOfKey(row.address);
    return { ...row, domain, word, folded };
  });
}

/** Frees addresses of an organization. @param addresses `codeKey`s */
export async function freeAddresses(
  tx: Tx,
  kind: TrackedLinkKind,
  organizationId: number,
  addresses: readonly string[],
): Promise<void> {
  if (addresses.length > 0) await tx.execute(FREE, [addresses, TRACKED_LINK_KIND[kind], organizationId]);
}

const TAKE = `
  INSERT INTO addresses AS a (address, kind, organization_id, tracked_link_id) VALUES ($1, $2, $3, $4)
  ON CONFLICT (address, kind) DO UPDATE SET tracked_link_id = excluded.tracked_link_id
   WHERE a.tracked_link_id = excluded.tracked_link_id AND a.organization_id = excluded.organization_id`;
const OWNED = `
  SELECT address, tracked_link_id AS id FROM addresses
   WHERE address = ANY ($1) AND kind = $2 AND organization_id = $3`;
const FREE = `DELETE FROM addresses WHERE address = ANY ($1) AND kind = $2 AND organization_id = $3`;
