import type { Database, Tx } from '../../infrastructure/database/database';
import { lockOrganization } from '../../infrastructure/database/organization-lock';
import { TRACKED_LINK_KIND } from '../clicks/click';
import type { CodeDomains } from './code-domains';
import { freeAddresses, ownedAddresses } from './former-codes/addresses';
import { reusableCodes } from './former-codes/reusable-codes.sql';
import { OgFetches } from './open-graph/og-fetches';
import type { TrackedLinkEntity } from './tracked-link.entity';
import {
  type NewTrackedLink,
  type OwnCode,
  storedAs,
  type Taken,
  type TrackedLinksRepository,
} from './tracked-links.repository';

/** Writes many rows of one kind and organization, in one statement each. */
export class TrackedLinkBulkRows<T extends TrackedLinkEntity> {
  private readonly insertStatement: string;
  private readonly takenStatement: string;

  constructor(private readonly repository: TrackedLinksRepository<T>) {
    const { kind, table } = repository;
    const names = repository.inserted.map(({ name }) => name).join(', ');
    this.insertStatement = `
      WITH draft AS (
        SELECT nextval('${table}_id_seq') AS id, ${names} FROM json_populate_recordset(NULL::${table}, $1::json)
      ), taken AS (
        INSERT INTO addresses (address, kind, organization_id, tracked_link_id)
        SELECT domain_id || CASE WHEN domain_id = ANY ($2) THEN '~' || lower(code COLLATE "C") ELSE '/' || code END,
               ${TRACKED_LINK_KIND[kind]}, organization_id, id FROM draft ORDER BY id
        ON CONFLICT DO NOTHING RETURNING address, tracked_link_id
      ), inserted AS (
        INSERT INTO ${table} (id, ${names}) OVERRIDING SYSTEM VALUE
        SELECT id, ${names} FROM draft WHERE id IN (SELECT tracked_link_id FROM taken) ORDER BY id
        ON CONFLICT DO NOTHING RETURNING id, organization_id, og_auto, created_at
      ), due AS (${OgFetches.ofNew('inserted', kind)})
      SELECT address, tracked_link_id AS id, inserted.id IS NOT NULL AS "isStored"
        FROM taken LEFT JOIN inserted ON inserted.id = tracked_link_id`;
    this.takenStatement = `
      SELECT address, organization_id AS "organizationId" FROM addresses
       WHERE address = ANY ($1) AND kind = ${TRACKED_LINK_KIND[kind]}`;
  }

  /**
   * Inserts rows without audit entries. To avoid deadlocks, rows with chosen codes come first, sorted by key, and
   * batches with external ids run one after the other.
   * @param chosen keys of codes that have not just been generated
   * @param domains locked in `tx`
   * @returns the rows whose code and external id were free
   */
  async insert(
    tx: Tx,
    trackedLinks: readonly NewTrackedLink<T>[],
    chosen: ReadonlySet<string>,
    domains: CodeDomains,
  ): Promise<T[]> {
    const identified = trackedLinks.find(({ externalId }) => externalId !== null);
    if (identified) await lockOrganization(tx, 'external_ids', identified.organizationId);
    const byKey = new Map(trackedLinks.map((trackedLink) => [domains.keyOf(trackedLink), trackedLink]));
    const records = [...byKey.entries()]
      .sort(([a], [b]) => {
        if (chosen.has(a) !== chosen.has(b)) return chosen.has(a) ? -1 : 1;
        return chosen.has(a) ? (a < b ? -1 : 1) : 0;
      })
      .map(([, trackedLink]) => this.repository.toRecord(trackedLink));
    const taken = await tx.query<Taken & { address: string }>(this.insertStatement, [
      JSON.stringify(records),
      [...domains.folding],
    ]);
    const unused = taken.filter(({ isStored }) => !isStored).map(({ address }) => address);
    const [organizationId = 0] = trackedLinks.map((trackedLink) => trackedLink.organizationId);
    await freeAddresses(tx, this.repository.kind, organizationId, unused);
    return taken.flatMap(({ address, id, isStored }) => {
      const trackedLink = byKey.get(address);
      return trackedLink && isStored ? [storedAs<T>(trackedLink, id)] : [];
    });
  }

  /** Keys that `insert` would refuse even after `releaseMany`. */
  async taken(
    database: Database,
    trackedLinks: readonly (OwnCode & Pick<TrackedLinkEntity, 'isAlias'>)[],
    domains: CodeDomains,
  ): Promise<Set<string>> {
    const [organizationId] = trackedLinks.map((trackedLink) => trackedLink.organizationId);
    if (organizationId === undefined) return new Set();
    const keys = trackedLinks.map((trackedLink) => domains.keyOf(trackedLink));
    const found = await database.read<{ address: string; organizationId: number }>(this.takenStatement, [
      keys,
    ]);
    const owners = new Map(found.map((row) => [row.address, row.organizationId]));
    const aliases = trackedLinks.filter(({ isAlias }) => isAlias).map((row) => domains.keyOf(row));
    const own = aliases.filter((key) => owners.get(key) === organizationId);
    if (own.length > 0) {
      const { kind } = this.repository;
      const owned = await ownedAddresses(
        (sql, values) => database.read(sql, values),
        kind,
        organizationId,
        own,
      );
      const parameters = [organizationId, JSON.stringify(owned)];
      const reusable = await database.read<{ address: string }>(reusableCodes(kind), parameters);
      for (const { address } of reusable) owners.delete(address);
    }
    return new Set(owners.keys());
  }
}
