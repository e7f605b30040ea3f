import { Injectable } from '@nestjs/common';
import type { PageQuery } from '../../../common/pagination/page';
import { parseSort } from '../../../common/pagination/pageable';
import { parseDateTime } from '../../../common/time/parse';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import type { TrackedLinkKind } from '../../clicks/click';
import { isOfHealth } from '../health/link-health.sql';
import type { HealthStatus } from '../health/tracked-link-health';
import { clickTotal } from '../../click-statistics/click-total.sql';
import type { ListTrackedLinksQuery } from '../fields/tracked-link-fields.dto';
import type { Search } from './tracked-link-search';
import type { Counted, TrackedLinksRepository } from '../tracked-links.repository';
import { Database } from '../../../infrastructure/database/database';

/** WHERE clause of a list of an organization's links or campaigns, excluding deleted ones. */
export class TrackedLinkFilter {
  readonly parameters: unknown[];
  private readonly conditions = ['organization_id = $1', 'deleted_at IS NULL'];

  constructor(
    organizationId: number,
    query: Pick<ListTrackedLinksQuery, 'archived' | 'createdAfter' | 'createdBefore'>,
    search: Search | null = null,
  ) {
    this.parameters = [organizationId];
    if (query.archived !== 'all') this.addPlain(query.archived === 'true' ? 'archived' : 'NOT archived');
    if (search) this.addSearch(search);
    if (query.createdAfter) {
      this.add((placeholder) => `created_at >= ${placeholder}`, firstMoment(query.createdAfter));
    }
    if (query.createdBefore) {
      this.add((placeholder) => `created_at < ${placeholder}`, momentAfter(query.createdBefore));
    }
  }

  add(condition: (placeholder: string) => string, value: unknown): void {
    this.conditions.push(condition(this.placeholderOf(value)));
  }

  /** Adds a condition without a parameter. */
  addPlain(condition: string): void {
    this.conditions.push(condition);
  }

  addHealth(kind: TrackedLinkKind, status: HealthStatus | undefined): void {
    if (status) this.addPlain(isOfHealth(kind, status));
  }

  /** Both conditions use the trigram index, so a search reads only the rows it finds. */
  private addSearch({ text, address }: Search): void {
    const textSql = `search_text LIKE ${this.placeholderOf(`%${escaped(text)}%`)}`;
    if (!address) {
      this.addPlain(textSql);
      return;
    }
    const codeSql = `search_text LIKE ${this.placeholderOf(`${escaped(address.code)}\n%`)}`;
    const { domainIds } = address;
    const domainSql = domainIds === null ? '' : ` AND domain_id = ANY (${this.placeholderOf(domainIds)})`;
    this.addPlain(`(${textSql} OR (${codeSql}${domainSql}))`);
  }

  private placeholderOf(value: unknown): string {
    return `$${this.parameters.push(value)}`;
  }

  get sql(): string {
    return this.conditions.join(' AND ');
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/** A page of an organization's links or campaigns, and their total. */
@Injectable()
export class TrackedLinkListQuery {
  constructor(private readonly database: Database) {}

  async run<T extends TrackedLinkEntity>(
    rows: TrackedLinksRepository<T>,
    filter: TrackedLinkFilter,
    { page, size, sort }: PageQuery & { sort: string },
  ): Promise<{ trackedLinks: Counted<T>[]; total: number }> {
    const { table } = rows;
    const { sql: condition, parameters } = filter;
    const count = `SELECT count(*) AS total FROM ${table} WHERE ${condition}`;
    const [row] = await this.database.read<{ total: number }>(count, parameters);
    const total = row?.total ?? 0;
    const offset = page * size;
    if (offset >= total) return { trackedLinks: [], total };
    const hits = total > FEW ? firstOfMany : firstOfFew;
    const order = orderOf(rows, sort);
    const trackedLinks = await this.database.read<Counted<T>>(
      `SELECT ${rows.countedColumns}
         FROM (${hits(table, condition, order)}
               LIMIT $${parameters.length + 1} OFFSET $${parameters.length + 2}) AS hit
         JOIN ${table} ON ${table}.id = hit.id
        ORDER BY ${order.key} ${order.direction}, ${table}.id ${order.direction}`,
      [...parameters, size, offset],
    );
    return { trackedLinks, total };
  }
}

interface Order {
  /** SQL expression over a row of the table. */
  key: string;
  /** Includes NULLS LAST for a nullable key. */
  direction: string;
}

function orderOf<T extends TrackedLinkEntity>(
  { kind, table }: TrackedLinksRepository<T>,
  sort: string,
): Order {
  const [field, direction] = parseSort(sort);
  if (field === 'clickCount') return { key: clickTotal(kind, table), direction };
  const column = SORT_COLUMNS[field] ?? 'created_at';
  const key = column === 'title' ? `lower(${table}.title)` : `${table}.${column}`;
  return { key, direction: column === 'title' ? `${direction} NULLS LAST` : direction };
}

const SORT_COLUMNS: Partial<Record<string, string>> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  title: 'title',
  name: 'folded_name',
};

/** Up to this many hits, sorting all of them is faster than walking an index in order. */
const FEW = 1_000;

/** Materialized, because the planner may otherwise walk a whole index in order to find a few hits. */
const firstOfFew = (table: string, condition: string, { key, direction }: Order) => `
  WITH hits AS MATERIALIZED (SELECT id, ${key} AS key FROM ${table} WHERE ${condition})
  SELECT id FROM hits ORDER BY key ${direction}, id ${direction}`;

/** Without a search this is an index-only scan, so rows skipped by OFFSET are not fetched. */
const firstOfMany = (table: string, condition: string, { key, direction }: Order) =>
  `SELECT id FROM ${table} WHERE ${condition} ORDER BY ${key} ${direction}, id ${direction}`;

/** Filters have the API's resolution of whole seconds; a date means its first second. */
function firstMoment(text: string): Date {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return new Date(`${text}T00:00:00Z`);
  return wholeSecond(text);
}

/** Exclusive upper bound of the second; a date means its last second. */
function momentAfter(text: string): Date {
  return new Date(wholeSecond(text).getTime() + 1000);
}

function wholeSecond(text: string): Date {
  const time = parseDateTime(text)?.getTime() ?? 0;
  return new Date(Math.floor(time / 1000) * 1000);
}
