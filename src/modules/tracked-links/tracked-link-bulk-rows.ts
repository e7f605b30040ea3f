import type { Database } from '../../infrastructure/database/database';
import type { Tx } from '../../infrastructure/database/tx';
import { OgFetches } from './open-graph/og-fetches';
import { TRACKED_LINK_TABLES, type TrackedLinkEntity } from './tracked-link.entity';
import {
  type Coded,
  keyOf,
  type NewTrackedLink,
  storedAs,
  type TrackedLinksRepository,
} from './tracked-links.repository';

/** Writes many rows of one kind, all of one organization, in one statement each. */
export class TrackedLinkBulkRows<T extends TrackedLinkEntity> {
  private readonly insertStatement: string;
  private readonly releaseStatement: string;
  private readonly takenStatement: string;

  constructor(private readonly repository: TrackedLinksRepository<T>) {
    const { kind, table } = repository;
    const { code } = TRACKED_LINK_TABLES[kind];
    const released = `${code}_released`;
    const names = repository.inserted.map(({ name }) => name).join(', ');
    this.insertStatement = `
      WITH inserted AS (
        INSERT INTO ${table} (${names})
        SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1::json)
        ON CONFLICT DO NOTHING RETURNING *
      ), due AS (${OgFetches.ofNew('inserted', kind)})
      SELECT id, domain_id AS "domainId", ${code} AS code FROM inserted`;
    this.releaseStatement = `
      WITH own AS (
        SELECT id FROM ${table} JOIN unnest($2::bigint[], $3::text[]) AS wanted (domain, alias)
                          ON domain_id = wanted.domain AND ${code} = wanted.alias
         WHERE organization_id = $1 AND NOT ${released} AND is_alias AND deleted_at IS NOT NULL
           AND disabled_reason IS NULL
         ORDER BY domain_id, ${code} FOR UPDATE OF ${table}
      )
      UPDATE ${table} SET ${released} = true FROM own WHERE ${table}.id = own.id
      RETURNING domain_id AS "domainId", ${code} AS code`;
    this.takenStatement = `
      SELECT domain_id AS "domainId", ${table}.${code} AS code
        FROM ${table} JOIN json_to_recordset($2::json) AS wanted (domain bigint, code text, chosen boolean)
                        ON domain_id = wanted.domain AND ${table}.${code} = wanted.code
       WHERE NOT ${released}
         AND NOT (wanted.chosen AND is_alias AND organization_id = $1 AND deleted_at IS NOT NULL)`;
  }

  /**
   * Inserts rows without audit entries. Rows with chosen codes come first, sorted by key, and batches with external ids
   * run one after the other, to avoid deadlocks.
   * @param chosen keys whose codes were not just generated
   * @returns the rows whose code and external id were free
   */
  async insert(
    tx: Tx,
    trackedLinks: readonly NewTrackedLink<T>[],
    chosen: ReadonlySet<string>,
  ): Promise<T[]> {
    const identified = trackedLinks.find(({ externalId }) => externalId !== null);
    if (identified) {
      const lock = `SELECT pg_advisory_xact_lock(hashtextextended('external_ids', $1))`;
      await tx.query(lock, [identified.organizationId]);
    }
    const byKey = new Map(trackedLinks.map((trackedLink) => [keyOf(trackedLink), trackedLink]));
    const records = [...byKey.entries()]
      .sort(([a], [b]) => {
        if (chosen.has(a) !== chosen.has(b)) return chosen.has(a) ? -1 : 1;
        return chosen.has(a) ? (a < b ? -1 : 1) : 0;
      })
      .map(([, trackedLink]) =>
        Object.fromEntries(
          this.repository.inserted.map(({ property, name }) => [name, trackedLink[property]]),
        ),
      );
    const stored = await tx.query<Coded & { id: number }>(this.insertStatement, [JSON.stringify(records)]);
    return stored.flatMap((row) => {
      const trackedLink = byKey.get(keyOf(row));
      return trackedLink ? [storedAs<T>(trackedLink, row.id)] : [];
    });
  }

  /** `TrackedLinksRepository.release` for many drafts. @returns the released keys */
  async release(tx: Tx, trackedLinks: readonly NewTrackedLink<T>[]): Promise<Set<string>> {
    const [first] = trackedLinks;
    if (!first) return new Set();
    const [domains, codes] = [
      trackedLinks.map(({ domainId }) => domainId),
      trackedLinks.map(({ code }) => code),
    ];
    const rows = await tx.query<Coded>(this.releaseStatement, [first.organizationId, domains, codes]);
    return new Set(rows.map((row) => keyOf(row)));
  }

  /** Keys that `insert` and `release` would refuse. The organization's own deleted aliases can be reused. */
  async taken(database: Database, trackedLinks: readonly NewTrackedLink<T>[]): Promise<Set<string>> {
    const [first] = trackedLinks;
    if (!first) return new Set();
    const codes = trackedLinks.map(({ domainId, code, isAlias }) => ({
      domain: domainId,
      code,
      chosen: isAlias,
    }));
    const values = [first.organizationId, JSON.stringify(codes)];
    return new Set((await database.read<Coded>(this.takenStatement, values)).map((row) => keyOf(row)));
  }
}
