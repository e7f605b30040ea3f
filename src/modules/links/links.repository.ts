import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { auditEntriesOf } from '../../access/audit/audit-log';
import { NotFound } from '../../common/errors/errors';
import {
  type PreparedStatement,
  PreparedStatements,
} from '../../infrastructure/database/prepared-statements';
import type { Tx } from '../../infrastructure/database/transactions';
import { clickTotal } from '../statistics/click-total.sql';
import { Link } from './link.entity';

/** A link that is not stored yet. */
export type NewLink = Omit<Link, 'id' | 'codeReleased' | 'deletedAt'>;

/** A link and what people clicked it so far. */
export type CountedLink = Link & { clickCount: number };

/** The rows of `links`. Making one and reading one, the calls that clients make most, are prepared statements. */
@Injectable()
export class LinksRepository {
  /** Columns of a CountedLink, for a query on `links`. */
  readonly countedColumns: string;
  private readonly inserted: (keyof NewLink)[];
  private readonly insertStatement: PreparedStatement;
  private readonly findStatement: PreparedStatement;

  constructor(
    @InjectRepository(Link) private readonly links: Repository<Link>,
    private readonly statements: PreparedStatements,
  ) {
    const columns = links.metadata.columns.map((column) => ({
      property: column.propertyName,
      name: column.databaseName,
    }));
    this.countedColumns = [
      ...columns.map(({ name, property }) => `links.${name} AS "${property}"`),
      `${clickTotal('link', 'links')} AS "clickCount"`,
    ].join(', ');
    const written = columns.filter(({ property }) => !NOT_INSERTED.has(property));
    this.inserted = written.map(({ property }) => property as keyof NewLink);
    this.insertStatement = {
      name: 'links.insert',
      text: `
        WITH made AS (
          INSERT INTO links (${written.map(({ name }) => name).join(', ')})
          VALUES (${written.map((_, i) => `$${i + 1}`).join(', ')})
          ON CONFLICT (domain_id, code) WHERE NOT code_released DO NOTHING
          RETURNING id
        ), noted AS (${auditEntriesOf('made', written.length + 1)})
        SELECT id FROM made`,
    };
    this.findStatement = {
      name: 'links.find',
      text: `
        SELECT ${this.countedColumns}
          FROM links WHERE id = $1 AND organization_id = $2 AND deleted_at IS NULL`,
    };
  }

  /** The organization's live link of that id and its clicks. @throws NotFound */
  async get(organizationId: number, id: number): Promise<CountedLink> {
    const [link] = await this.statements.run<CountedLink>(this.findStatement, [id, organizationId]);
    if (!link) throw new NotFound('Link');
    return link;
  }

  /** The link, locked until the transaction ends, or null. */
  findForUpdate(tx: Tx, organizationId: number, id: number): Promise<Link | null> {
    return tx.repository(Link).findOne({
      where: { id, organizationId, deletedAt: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /**
   * Adds a link and its audit entry in one statement, which is a transaction by itself outside of one.
   * @param entry of the audit log, by `AuditLog.valuesOf`
   * @returns null when the code is taken on that domain, be it by a deleted link; nothing is written then
   */
  async insert(link: NewLink, entry: readonly unknown[]): Promise<Link | null> {
    const values = this.inserted.map((property) => toParameter(link[property]));
    const [row] = await this.statements.run<{ id: number }>(this.insertStatement, [...values, ...entry]);
    return row ? { ...link, id: row.id, codeReleased: false, deletedAt: null } : null;
  }

  async update(tx: Tx, id: number, fields: Partial<Link>): Promise<void> {
    await tx.repository(Link).update({ id }, fields);
  }

  /**
   * Takes an alias from the organization's own deleted link, so that it can be given again. Of several at once, one
   * succeeds.
   * @returns false when there is no such link
   */
  async release(tx: Tx, { organizationId, domainId, code }: NewLink): Promise<boolean> {
    const { affected } = await tx
      .repository(Link)
      .createQueryBuilder()
      .update({ codeReleased: true })
      .where('domain_id = :domainId AND code = :code AND NOT code_released', { domainId, code })
      .andWhere('organization_id = :organizationId AND is_alias AND deleted_at IS NOT NULL', {
        organizationId,
      })
      .execute();
    return affected === 1;
  }
}

/** pg writes a Date in the zone of the process, piece by piece; this is the same moment for a tenth of the time. */
function toParameter(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}

const NOT_INSERTED = new Set(['id', 'codeReleased', 'deletedAt']);
