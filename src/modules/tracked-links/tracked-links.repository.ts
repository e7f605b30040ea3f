import { type FindOptionsWhere, IsNull, Not, type ObjectLiteral, type Repository } from 'typeorm';
import { auditEntriesOf } from '../../access/audit/audit-log';
import type { TrackedLinkKind } from '../clicks/click';
import { NotFound } from '../../common/errors/errors';
import { clickTotal } from '../click-statistics/click-total.sql';
import { codeKey, type TrackedLinkEntity } from './tracked-link.entity';
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
  private readonly inserted: readonly { property: keyof NewTrackedLink<T>; name: string }[];
  private readonly insertStatement: PreparedStatement;
  private readonly insertManyStatement: string;
  private readonly releaseManyStatement: string;
  private readonly takenStatement: string;
  private readonly findStatement: PreparedStatement;
  private readonly jsonColumns = new Set<PropertyKey>();

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
    const named = new Map(columns.map(({ property, name }) => [property, name]));
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
    const names = written.map(({ name }) => name).join(', ');
    const [code, released] = [named.get('code'), named.get('codeReleased')];
    const unlessTaken = `ON CONFLICT (domain_id, ${code}) WHERE NOT ${released} DO NOTHING`;
    this.insertStatement = {
      name: `${table}.insert`,
      text: `
        WITH inserted AS (
          INSERT INTO ${table} (${names})
          VALUES (${written.map((_, i) => `$${i + 1}`).join(', ')})
          ${unlessTaken}
          RETURNING id, organization_id, og_auto, created_at
        ), audited AS (${auditEntriesOf('inserted', written.length + 1)}),
        due AS (${OgFetches.ofNew('inserted', kind)})
        SELECT id FROM inserted`,
    };
    this.insertManyStatement = `
      WITH inserted AS (
        INSERT INTO ${table} (${names})
        SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1::json)
        ${unlessTaken} RETURNING *
      ), due AS (${OgFetches.ofNew('inserted', kind)})
      SELECT id, domain_id AS "domainId", ${code} AS code FROM inserted`;
    this.releaseManyStatement = `
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
    this.countOnStatement = `
      SELECT count(*) AS count FROM ${table}
       WHERE domain_id = $1 AND NOT ${released} AND deleted_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`;
    this.findStatement = {
      name: `${table}.find`,
      text: `
        SELECT ${this.countedColumns}
          FROM ${table} WHERE id = $1 AND organization_id = $2 AND deleted_at IS NULL`,
    };
  }

  /** The organization's entity with this id and its clicks. @throws NotFound, also when it is deleted */
  async get(organizationId: number, id: number): Promise<Counted<T>> {
    const [row] = await this.database.hot<Counted<T>>(this.findStatement, [id, organizationId]);
    if (!row) throw new NotFound(RESOURCE_NAME[this.kind]);
    return row;
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
   * @returns null when the code is taken on that domain, even by a deleted row; nothing is written then
   */
  async insert(trackedLink: NewTrackedLink<T>, entry: readonly unknown[], tx?: Tx): Promise<T | null> {
    const values = this.inserted.map(({ property }) => this.toParameter(property, trackedLink[property]));
    const [row] = await this.database.hot<{ id: number }>(this.insertStatement, [...values, ...entry], tx);
    return row ? storedAs(trackedLink, row.id) : null;
  }

  async update(tx: Tx, id: number, fields: Partial<TrackedLinkEntity>): Promise<void> {
    await tx.repository<ObjectLiteral>(this.repository.target).update({ id }, fields);
  }

  /**
   * Releases the alias of the organization's own deleted row for reuse; one of several concurrent calls succeeds. The
   * alias of a disabled row stays taken, so that a disabled link can't be recreated.
   * @returns false when there is no such row
   */
  async release(tx: Tx, { organizationId, domainId, code }: NewTrackedLink<T>): Promise<boolean> {
    const { affected } = await tx.repository<ObjectLiteral>(this.repository.target).update(
      {
        domainId,
        code,
        organizationId,
        codeReleased: false,
        isAlias: true,
        deletedAt: Not(IsNull()),
        disabledReason: IsNull(),
      },
      { codeReleased: true },
    );
    return affected === 1;
  }

  /**
   * Inserts many rows in one statement, without audit entries. Rows with chosen codes come first, sorted by key to
   * avoid deadlocks.
   * @param chosen keys whose codes were not just generated
   * @returns the rows whose code was free
   */
  async insertMany(
    tx: Tx,
    trackedLinks: readonly NewTrackedLink<T>[],
    chosen: ReadonlySet<string>,
  ): Promise<T[]> {
    const byKey = new Map(trackedLinks.map((trackedLink) => [keyOf(trackedLink), trackedLink]));
    const records = [...byKey.entries()]
      .sort(([a], [b]) => {
        if (chosen.has(a) !== chosen.has(b)) return chosen.has(a) ? -1 : 1;
        return chosen.has(a) ? (a < b ? -1 : 1) : 0;
      })
      .map(([, trackedLink]) =>
        Object.fromEntries(this.inserted.map(({ property, name }) => [name, trackedLink[property]])),
      );
    const stored = await tx.query<Coded & { id: number }>(this.insertManyStatement, [
      JSON.stringify(records),
    ]);
    return stored.flatMap((row) => {
      const trackedLink = byKey.get(keyOf(row));
      return trackedLink ? [storedAs<T>(trackedLink, row.id)] : [];
    });
  }

  /** `release` for many drafts of one organization. @returns the released keys */
  async releaseMany(tx: Tx, trackedLinks: readonly NewTrackedLink<T>[]): Promise<Set<string>> {
    const [first] = trackedLinks;
    if (!first) return new Set();
    const domains = trackedLinks.map(({ domainId }) => domainId);
    const codes = trackedLinks.map(({ code }) => code);
    const rows = await tx.query<Coded>(this.releaseManyStatement, [first.organizationId, domains, codes]);
    return new Set(rows.map((row) => keyOf(row)));
  }

  /** Keys that `insertMany` and `releaseMany` would refuse. The organization's own deleted aliases can be reused. */
  async takenOf(trackedLinks: readonly NewTrackedLink<T>[]): Promise<Set<string>> {
    const [first] = trackedLinks;
    if (!first) return new Set();
    const codes = trackedLinks.map(({ domainId, code, isAlias }) => ({
      domain: domainId,
      code,
      chosen: isAlias,
    }));
    const values = [first.organizationId, JSON.stringify(codes)];
    const rows = await this.repository.query<Coded[]>(this.takenStatement, values);
    return new Set(rows.map((row) => keyOf(row)));
  }

  private toParameter(property: PropertyKey, value: unknown): unknown {
    // Faster than pg's own serialization of dates, which uses the local time zone.
    if (value instanceof Date) return value.toISOString();
    // pg would serialize a JSON array as a Postgres array.
    return value !== null && this.jsonColumns.has(property) ? JSON.stringify(value) : value;
  }
}

export type Coded = Pick<TrackedLinkEntity, 'domainId' | 'code'>;

export function keyOf({ domainId, code }: Coded): string {
  return codeKey(domainId, code);
}

function storedAs<T extends TrackedLinkEntity>(trackedLink: NewTrackedLink<T>, id: number): T {
  return { ...trackedLink, id, codeReleased: false, disabledReason: null, deletedAt: null } as unknown as T;
}

const NOT_INSERTED = new Set(['id', 'codeReleased', 'deletedAt']);
