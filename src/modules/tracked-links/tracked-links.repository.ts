import { type FindOptionsWhere, IsNull, Not, type ObjectLiteral, Raw, type Repository } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata';
import { auditEntriesOf } from '../../access/audit/audit-log';
import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../clicks/click';
import { NotFound } from '../../common/errors/errors';
import { clickTotal } from '../click-statistics/click-total.sql';
import type { CodeDomain } from '../domains/code-domain';
import { CodeDomains, foldCode } from './code-domains';
import { TRACKED_LINK_TABLES, type TrackedLinkEntity } from './tracked-link.entity';
import { freeAddresses, ownedAddresses, takeAddress } from './former-codes/addresses';
import { CodeCase } from './former-codes/code-case';
import { releaseCodes } from './former-codes/reusable-codes.sql';
import type { DomainUse, SameCodes } from '../domains/domain-uses';
import { healthOf } from './health/link-health.sql';
import type { StoredHealth } from './health/tracked-link-health';
import { OgFetches } from './open-graph/og-fetches';
import { Database, type PreparedStatement, type Tx } from '../../infrastructure/database/database';

export type NewTrackedLink<T extends TrackedLinkEntity> = Omit<
  T,
  'id' | 'codeReleased' | 'disabledReason' | 'deletedAt'
>;

/** A link or campaign with its clicks by people and the health of its destinations. */
export type Counted<T extends TrackedLinkEntity> = T & { clickCount: number; health: StoredHealth | null };

const RESOURCE_NAME: Readonly<Record<TrackedLinkKind, string>> = { link: 'Link', campaign: 'Campaign' };

/** Repository of one kind. Inserts and reads of single rows, the most frequent API calls, are prepared statements. */
export class TrackedLinksRepository<T extends TrackedLinkEntity> implements DomainUse {
  readonly table: string;
  /** Select list of a `Counted<T>`, for a query on the table whose first parameter is the organization. */
  readonly countedColumns: string;
  /** The columns of an INSERT. */
  readonly inserted: readonly { property: keyof NewTrackedLink<T>; name: string }[];
  readonly jsonColumns: ReadonlySet<PropertyKey>;
  private readonly insertStatement: PreparedStatement;
  private readonly reads: ReturnType<typeof readStatements>;

  constructor(
    readonly kind: TrackedLinkKind,
    private readonly repository: Repository<T>,
    protected readonly database: Database,
  ) {
    const { tableName, columns } = repository.metadata;
    this.table = tableName;
    this.countedColumns = countedColumnsOf(kind, tableName, columns);
    this.inserted = columns.filter(isInserted).map(({ propertyName, databaseName }) => ({
      property: propertyName as keyof NewTrackedLink<T>,
      name: databaseName,
    }));
    this.jsonColumns = new Set(
      columns.filter(({ type }) => type === 'json').map(({ propertyName }) => propertyName),
    );
    this.insertStatement = insertStatement(kind, tableName, this.inserted);
    this.reads = readStatements(tableName, this.countedColumns);
  }

  /** The organization's entity with this id. @throws NotFound, also if it is deleted */
  async get(organizationId: number, id: number, tx?: Tx): Promise<Counted<T>> {
    const [row] = await this.database.hot<Counted<T>>(this.reads.byId, [organizationId, id], tx);
    if (!row) throw new NotFound(RESOURCE_NAME[this.kind]);
    return row;
  }

  /** The organization's entity with this external id, or null if there is none or it has been deleted. */
  async findByExternalId(organizationId: number, externalId: string): Promise<Counted<T> | null> {
    const values = [organizationId, externalId];
    const [row] = await this.database.hot<Counted<T>>(this.reads.byExternalId, values);
    return row ?? null;
  }

  /** @throws NotFound */
  async getByExternalId(organizationId: number, externalId: string): Promise<Counted<T>> {
    const found = await this.findByExternalId(organizationId, externalId);
    if (!found) throw new NotFound(RESOURCE_NAME[this.kind]);
    return found;
  }

  /** The external ids among those of the drafts that other rows of the organization have. */
  async takenExternalIds(
    drafts: readonly Pick<TrackedLinkEntity, 'organizationId' | 'externalId'>[],
    tx?: Tx,
  ): Promise<Set<string>> {
    const wanted = drafts.map(({ externalId }) => externalId).filter((id) => id !== null);
    if (wanted.length === 0) return new Set();
    const values = [drafts[0]?.organizationId, wanted];
    const rows = await this.database.hot<{ id: string }>(this.reads.takenExternalIds, values, tx);
    return new Set(rows.map(({ id }) => id));
  }

  /** Whether the organization has deleted the row with this code, and has not reused the code. */
  isDeleted(organizationId: number, { id, caseSensitiveCodes }: CodeDomain, code: string): Promise<boolean> {
    const folded = Raw((column) => `lower(${column} COLLATE "C") = :code`, { code: foldCode(code) });
    const where = {
      organizationId,
      domainId: id,
      code: caseSensitiveCodes ? code : folded,
      codeReleased: false,
      deletedAt: Not(IsNull()),
    };
    return this.repository.existsBy(where as FindOptionsWhere<T>);
  }

  get name(): string {
    return this.table;
  }

  async countOn(tx: Tx, organizationId: number, domainId: number, now: Date): Promise<number> {
    const values = [organizationId, domainId, now];
    const [row] = await tx.query<{ count: number }>(countOnStatement(this.kind), values);
    return row?.count ?? 0;
  }

  sameCodes(tx: Tx, organizationId: number, domainId: number, limit: number): Promise<SameCodes> {
    return new CodeCase(this.kind).sameCodes(tx, organizationId, domainId, limit);
  }

  changeCase(tx: Tx, organizationId: number, domain: CodeDomain): Promise<void> {
    return new CodeCase(this.kind).change(tx, organizationId, domain);
  }

  /** Locks the entity with this id until the transaction ends. @throws NotFound */
  async lock(tx: Tx, organizationId: number, id: number): Promise<T> {
    const row = await tx.repository<T>(this.repository.target).findOne({
      where: { id, organizationId, deletedAt: IsNull() } as FindOptionsWhere<T>,
      lock: { mode: 'pessimistic_write' },
    });
    if (!row) throw new NotFound(RESOURCE_NAME[this.kind]);
    return row;
  }

  /**
   * Inserts a row and its audit entry in one statement, which is atomic even without a transaction.
   * @param entry audit entry from `AuditLog.valuesOf`
   * @param domains locked in `tx`, if the code is on a custom one
   * @returns null, without having written, if the external id is taken, or the code, even by a deleted row
   */
  async insert(
    trackedLink: NewTrackedLink<T>,
    entry: readonly unknown[],
    domains: CodeDomains,
    tx?: Tx,
  ): Promise<T | null> {
    const address = domains.keyOf(trackedLink);
    const values = this.inserted.map(({ property }) => this.toParameter(property, trackedLink[property]));
    const parameters = [...values, address, ...entry];
    // If the address was free, only the external id can have prevented the insert.
    if (trackedLink.externalId === null) {
      const [row] = await this.database.hot<Taken>(this.insertStatement, parameters, tx);
      return row?.isStored ? storedAs(trackedLink, row.id) : null;
    }
    return this.database.write(async (joined) => {
      const [row] = await this.database.hot<Taken>(this.insertStatement, parameters, joined);
      if (row?.isStored) return storedAs(trackedLink, row.id);
      if (row) await freeAddresses(joined, this.kind, trackedLink.organizationId, [address]);
      return null;
    }, tx);
  }

  /** Changes a row that the transaction has locked. */
  async update(tx: Tx, { id, organizationId }: T, fields: Partial<TrackedLinkEntity>): Promise<void> {
    await tx.repository<ObjectLiteral>(this.repository.target).update({ id, organizationId }, fields);
  }

  /** Takes the new code of a row of the transaction. @returns false if another row has it */
  async takeCode(tx: Tx, trackedLink: T, code: string): Promise<boolean> {
    const { domainId } = trackedLink;
    const domains = await CodeDomains.lock(tx, [trackedLink]);
    return takeAddress(tx, this.kind, trackedLink, domains.keyOf({ domainId, code }));
  }

  /**
   * Releases codes for reuse that the organization chose and that lead nowhere: those of its deleted rows, and former
   * ones. Only one of several concurrent calls gets a code. The alias of a disabled row stays taken, so that a disabled
   * link cannot be recreated.
   * @param codes of one organization
   * @param domains locked in `tx`
   * @returns the released keys
   */
  async releaseMany(tx: Tx, codes: readonly OwnCode[], domains: CodeDomains): Promise<Set<string>> {
    const [first] = codes;
    if (!first) return new Set();
    const { organizationId } = first;
    const keys = codes.map((code) => domains.keyOf(code));
    const owned = await ownedAddresses(
      (sql, values) => tx.query(sql, values),
      this.kind,
      organizationId,
      keys,
    );
    if (owned.length === 0) return new Set();
    const rows = await tx.query<{ address: string }>(releaseCodes(this.kind), [
      organizationId,
      JSON.stringify(owned),
    ]);
    const released = rows.map(({ address }) => address);
    await freeAddresses(tx, this.kind, organizationId, released);
    return new Set(released);
  }

  /** The draft as a JSON row, for `json_populate_recordset`. */
  toRecord(draft: NewTrackedLink<T>): Record<string, unknown> {
    return Object.fromEntries(this.inserted.map(({ property, name }) => [name, draft[property]]));
  }

  private toParameter(property: PropertyKey, value: unknown): unknown {
    // Faster than pg's own serialization of dates, which uses the local time zone.
    if (value instanceof Date) return value.toISOString();
    // pg would serialize a JSON array as a Postgres array.
    return value !== null && this.jsonColumns.has(property) ? JSON.stringify(value) : value;
  }
}

/** A code on a domain, and the organization that requests it. */
export type OwnCode = Pick<TrackedLinkEntity, 'organizationId' | 'domainId' | 'code'>;

/** An address that a statement has taken. */
export interface Taken {
  /** Id of the row, whether or not it is stored. */
  id: number;
  /** False if the external id is taken. */
  isStored: boolean;
}

export function storedAs<T extends TrackedLinkEntity>(trackedLink: NewTrackedLink<T>, id: number): T {
  return { ...trackedLink, id, codeReleased: false, disabledReason: null, deletedAt: null } as unknown as T;
}

const NOT_INSERTED = new Set(['id', 'codeReleased', 'deletedAt']);

function isInserted({ isSelect, isInsert, propertyName }: ColumnMetadata): boolean {
  return isSelect && isInsert && !NOT_INSERTED.has(propertyName);
}

function countedColumnsOf(kind: TrackedLinkKind, table: string, columns: readonly ColumnMetadata[]): string {
  const selected = columns.filter(({ isSelect }) => isSelect);
  return [
    ...selected.map(({ databaseName, propertyName }) => `${table}.${databaseName} AS "${propertyName}"`),
    `${clickTotal(kind, table)} AS "clickCount"`,
    `${healthOf(kind, table)} AS health`,
  ].join(', ');
}

/** Parameters: the values of the columns, then the address, then the values of the audit entry. */
function insertStatement(
  kind: TrackedLinkKind,
  table: string,
  columns: readonly { property: PropertyKey; name: string }[],
): PreparedStatement {
  const placeholderOf = (name: string) => `$${columns.findIndex(({ property }) => property === name) + 1}`;
  const address = `$${columns.length + 1}`;
  return {
    name: `${table}.insert`,
    text: `
      WITH taken AS (
        INSERT INTO addresses (address, kind, organization_id, tracked_link_id)
        VALUES (${address}, ${TRACKED_LINK_KIND[kind]}, ${placeholderOf('organizationId')}, nextval('${table}_id_seq'))
        ON CONFLICT DO NOTHING RETURNING tracked_link_id
      ), inserted AS (
        INSERT INTO ${table} (id, ${columns.map(({ name }) => name).join(', ')}) OVERRIDING SYSTEM VALUE
        SELECT tracked_link_id, ${columns.map((_, i) => `$${i + 1}`).join(', ')} FROM taken
        ON CONFLICT DO NOTHING RETURNING id, organization_id, og_auto, created_at
      ), audited AS (${auditEntriesOf('inserted', columns.length + 2)}),
      due AS (${OgFetches.ofNew('inserted', kind)})
      SELECT tracked_link_id AS id, inserted.id IS NOT NULL AS "isStored"
        FROM taken LEFT JOIN inserted ON inserted.id = tracked_link_id`,
  };
}

function readStatements(table: string, countedColumns: string) {
  const ofExternalIds = (ids: string) =>
    `FROM ${table} WHERE organization_id = $1 AND external_id ${ids} AND deleted_at IS NULL`;
  return {
    byId: {
      name: `${table}.find`,
      text: `SELECT ${countedColumns} FROM ${table} WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL`,
    },
    byExternalId: {
      name: `${table}.find external id`,
      text: `SELECT ${countedColumns} ${ofExternalIds('= $2')}`,
    },
    takenExternalIds: {
      name: `${table}.taken external ids`,
      text: `SELECT external_id AS id ${ofExternalIds('= ANY ($2)')}`,
    },
  } satisfies Record<string, PreparedStatement>;
}

function countOnStatement(kind: TrackedLinkKind): string {
  const table = TRACKED_LINK_TABLES[kind];
  return `
    SELECT count(*) AS count FROM ${table}
     WHERE organization_id = $1 AND domain_id = $2 AND NOT code_released AND deleted_at IS NULL
       AND (expires_at IS NULL OR expires_at > $3)`;
}
