import { type FindOptionsWhere, IsNull, type ObjectLiteral, type Repository } from 'typeorm';
import { auditEntriesOf } from '../../access/audit/audit-log';
import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../clicks/click';
import { NotFound } from '../../common/errors/errors';
import { clickTotal } from '../click-statistics/click-total.sql';
import { codeKey, TRACKED_LINK_TABLES, type TrackedLinkEntity } from './tracked-link.entity';
import type { DomainUse } from '../domains/domain-uses';
import { healthOf } from './health/link-health.sql';
import type { StoredHealth } from './health/tracked-link-health';
import { OgFetches } from './open-graph/og-fetches';
import { Database } from '../../infrastructure/database/database';
import type { PreparedStatement, Tx } from '../../infrastructure/database/tx';

/** A link or campaign that is not stored yet. */
export type NewTrackedLink<T extends TrackedLinkEntity> = Omit<
  T,
  'id' | 'codeReleased' | 'disabledReason' | 'deletedAt'
>;

/** A link or campaign with the number of clicks by people and the health of its destinations. */
export type Counted<T extends TrackedLinkEntity> = T & { clickCount: number; health: StoredHealth | null };

const RESOURCE_NAME: Readonly<Record<TrackedLinkKind, string>> = { link: 'Link', campaign: 'Campaign' };

/** Repository of one kind. Inserts and reads of single rows, the most frequent API calls, are prepared statements. */
export class TrackedLinksRepository<T extends TrackedLinkEntity> implements DomainUse {
  /** Select list of a `Counted<T>`, for a query on the table. */
  readonly countedColumns: string;
  readonly table: string;
  private readonly countOnStatement: string;
  /** The columns of an INSERT. */
  readonly inserted: readonly { property: keyof NewTrackedLink<T>; name: string }[];
  private readonly insertStatement: PreparedStatement;
  private readonly releaseStatement: string;
  private readonly findStatement: PreparedStatement;
  private readonly findExternalIdStatement: PreparedStatement;
  private readonly takenExternalIdsStatement: PreparedStatement;
  readonly jsonColumns = new Set<PropertyKey>();

  constructor(
    readonly kind: TrackedLinkKind,
    private readonly repository: Repository<T>,
    protected readonly database: Database,
  ) {
    this.table = repository.metadata.tableName;
    const { table } = this;
    const columns = repository.metadata.columns
      .filter((column) => column.isSelect)
      .map((column) => ({
        property: column.propertyName,
        name: column.databaseName,
        inserted: column.isInsert,
      }));
    for (const column of repository.metadata.columns) {
      if (column.type === 'json') this.jsonColumns.add(column.propertyName);
    }
    this.countedColumns = [
      ...columns.map(({ name, property }) => `${table}.${name} AS "${property}"`),
      `${clickTotal(kind, table)} AS "clickCount"`,
      `${healthOf(kind, table)} AS health`,
    ].join(', ');
    const written = columns.filter(({ property, inserted }) => inserted && !NOT_INSERTED.has(property));
    this.inserted = written.map(({ property, name }) => ({
      property: property as keyof NewTrackedLink<T>,
      name,
    }));
    const placeholderOf = (property: string) =>
      `$${written.findIndex((column) => column.property === property) + 1}`;
    const names = written.map(({ name }) => name).join(', ');
    this.insertStatement = {
      name: `${table}.insert`,
      text: `
        WITH inserted AS (
          INSERT INTO ${table} (${names})
          SELECT ${written.map((_, i) => `$${i + 1}`).join(', ')}
           WHERE ${unlessFormer(kind, placeholderOf('domainId'), placeholderOf('code'))}
          ON CONFLICT DO NOTHING
          RETURNING id, organization_id, og_auto, created_at
        ), audited AS (${auditEntriesOf('inserted', written.length + 1)}),
        due AS (${OgFetches.ofNew('inserted', kind)})
        SELECT id FROM inserted`,
    };
    this.countOnStatement = `
      SELECT count(*) AS count FROM ${table}
       WHERE domain_id = $1 AND NOT ${TRACKED_LINK_TABLES[kind].code}_released AND deleted_at IS NULL
         AND (expires_at IS NULL OR expires_at > $2)`;
    const { code } = TRACKED_LINK_TABLES[kind];
    const released = `${code}_released`;
    this.releaseStatement = `
      WITH wanted AS (SELECT * FROM unnest($2::bigint[], $3::text[]) AS wanted (domain, word)),
      own AS (
        SELECT id FROM ${table} JOIN wanted ON domain_id = wanted.domain AND ${code} = wanted.word
         WHERE organization_id = $1 AND NOT ${released} AND is_alias AND deleted_at IS NOT NULL
           AND disabled_reason IS NULL
         ORDER BY domain_id, ${code} FOR UPDATE OF ${table}
      ), freed AS (
        UPDATE ${table} SET ${released} = true FROM own WHERE ${table}.id = own.id
        RETURNING domain_id, ${code} AS code
      ), former AS (
        SELECT f.domain_id, f.code FROM wanted JOIN former_codes AS f
            ON f.target_kind = ${TRACKED_LINK_KIND[kind]} AND f.domain_id = wanted.domain AND f.code = wanted.word
         WHERE ${reusableFormer(table, '$1')}
         ORDER BY f.domain_id, f.code FOR UPDATE OF f
      ), forgotten AS (
        DELETE FROM former_codes AS f USING former
         WHERE f.target_kind = ${TRACKED_LINK_KIND[kind]} AND f.domain_id = former.domain_id AND f.code = former.code
        RETURNING f.domain_id, f.code
      )
      SELECT domain_id AS "domainId", code FROM freed UNION ALL SELECT domain_id, code FROM forgotten`;
    this.findStatement = {
      name: `${table}.find`,
      text: `
        SELECT ${this.countedColumns}
          FROM ${table} WHERE id = $1 AND organization_id = $2 AND deleted_at IS NULL`,
    };
    const ofExternalIds = (ids: string) =>
      `FROM ${table} WHERE organization_id = $1 AND external_id ${ids} AND deleted_at IS NULL`;
    this.findExternalIdStatement = {
      name: `${table}.find external id`,
      text: `SELECT ${this.countedColumns} ${ofExternalIds('= $2')}`,
    };
    this.takenExternalIdsStatement = {
      name: `${table}.taken external ids`,
      text: `SELECT external_id AS id ${ofExternalIds('= ANY ($2)')}`,
    };
  }

  /** The organization's entity with this id and its clicks. @throws NotFound, also when it is deleted */
  async get(organizationId: number, id: number): Promise<Counted<T>> {
    const [row] = await this.database.hot<Counted<T>>(this.findStatement, [id, organizationId]);
    if (!row) throw new NotFound(RESOURCE_NAME[this.kind]);
    return row;
  }

  /** The organization's entity with this external id, or null; excludes deleted ones. */
  async findByExternalId(organizationId: number, externalId: string): Promise<Counted<T> | null> {
    const values = [organizationId, externalId];
    const [row] = await this.database.hot<Counted<T>>(this.findExternalIdStatement, values);
    return row ?? null;
  }

  /** @throws NotFound */
  async getByExternalId(organizationId: number, externalId: string): Promise<Counted<T>> {
    const found = await this.findByExternalId(organizationId, externalId);
    if (!found) throw new NotFound(RESOURCE_NAME[this.kind]);
    return found;
  }

  /** The external ids among these drafts' that something else of their organization has. */
  async takenExternalIds(drafts: readonly NewTrackedLink<T>[], tx?: Tx): Promise<Set<string>> {
    const wanted = drafts.map(({ externalId }) => externalId).filter((id) => id !== null);
    if (wanted.length === 0) return new Set();
    const values = [drafts[0]?.organizationId, wanted];
    const rows = await this.database.hot<{ id: string }>(this.takenExternalIdsStatement, values, tx);
    return new Set(rows.map(({ id }) => id));
  }

  get name(): string {
    return this.table;
  }

  async countOn(tx: Tx, domainId: number, now: Date): Promise<number> {
    const [row] = await tx.query<{ count: number }>(this.countOnStatement, [domainId, now]);
    return row?.count ?? 0;
  }

  /** The entity with this id, locked until the transaction ends. @throws NotFound */
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
   * @returns null when the code is taken on that domain, even by a deleted row, or the external id; nothing is written
   * then
   */
  async insert(trackedLink: NewTrackedLink<T>, entry: readonly unknown[], tx?: Tx): Promise<T | null> {
    const values = this.inserted.map(({ property }) => this.toParameter(property, trackedLink[property]));
    const [row] = await this.database.hot<{ id: number }>(this.insertStatement, [...values, ...entry], tx);
    return row ? storedAs(trackedLink, row.id) : null;
  }

  /** Changes a row that the transaction has locked. */
  async update(tx: Tx, { id, organizationId }: T, fields: Partial<TrackedLinkEntity>): Promise<void> {
    await tx.repository<ObjectLiteral>(this.repository.target).update({ id, organizationId }, fields);
  }

  /**
   * Releases codes for reuse that the organization chose and that lead nowhere: those of its deleted rows, and former
   * ones. Each goes to one of several concurrent calls. The alias of a disabled row stays taken, so that a disabled link
   * can't be recreated.
   * @param codes all of one organization
   * @returns the released keys
   */
  async releaseMany(tx: Tx, codes: readonly OwnCode[]): Promise<Set<string>> {
    const [first] = codes;
    if (!first) return new Set();
    const [domains, aliases] = [codes.map(({ domainId }) => domainId), codes.map(({ code }) => code)];
    const rows = await tx.query<Coded>(this.releaseStatement, [first.organizationId, domains, aliases]);
    return new Set(rows.map((row) => keyOf(row)));
  }

  /** The draft as a row in JSON, for `json_populate_recordset`. */
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

/** Condition of rows whose code is nobody's former one. @param domain, code SQL expressions */
export function unlessFormer(kind: TrackedLinkKind, domain: string, code: string): string {
  return `NOT EXISTS (
    SELECT FROM former_codes AS f
     WHERE f.target_kind = ${TRACKED_LINK_KIND[kind]} AND f.domain_id = ${domain} AND f.code = ${code})`;
}

/** Condition of rows `f` of former_codes that lead nowhere, and that the organization may use again. */
export function reusableFormer(table: string, organization: string): string {
  return `
    f.is_alias AND f.organization_id = ${organization} AND EXISTS (
      SELECT FROM ${table} AS target
       WHERE target.id = f.target_id AND target.disabled_reason IS NULL
         AND (NOT f.leads OR target.deleted_at IS NOT NULL))`;
}

/** A code on a domain, and the organization that wants it. */
export type OwnCode = Pick<TrackedLinkEntity, 'organizationId' | 'domainId' | 'code'>;
export type Coded = Pick<TrackedLinkEntity, 'domainId' | 'code'>;

export function keyOf({ domainId, code }: Coded): string {
  return codeKey(domainId, code);
}

/** A draft as stored. */
export function storedAs<T extends TrackedLinkEntity>(trackedLink: NewTrackedLink<T>, id: number): T {
  return { ...trackedLink, id, codeReleased: false, disabledReason: null, deletedAt: null } as unknown as T;
}

const NOT_INSERTED = new Set(['id', 'codeReleased', 'deletedAt']);
