import { Injectable } from '@nestjs/common';
import type { PageQuery } from '../../../common/pagination/page';
import { parseSort } from '../../../common/pagination/pageable';
import { Config } from '../../../config/config';
import { Database, type Tx } from '../../../infrastructure/database/database';
import { clickTotal } from '../../click-statistics/click-total.sql';
import { DEFAULT_DOMAIN_ID, type TrackedLinkEntity } from '../tracked-link.entity';
import type { Counted, TrackedLinksRepository } from '../tracked-links.repository';
import type { TrackedLinkFilter } from './tracked-link-filter';

/** Lists of an organization's links or campaigns, in a total order. */
@Injectable()
export class TrackedLinkListQuery {
  /** Start of URLs on the default domain. */
  private readonly shortBase: string;

  constructor(
    private readonly database: Database,
    { shortUrlBase }: Config,
  ) {
    this.shortBase = shortUrlBase.replace(/^https?:\/\//, '');
  }

  /** A page, and the number of all matches. */
  run<T extends TrackedLinkEntity>(
    rows: TrackedLinksRepository<T>,
    filter: TrackedLinkFilter,
    query: PageQuery & { sort: string },
  ): Promise<{ trackedLinks: Counted<T>[]; total: number }> {
    return this.database.report(filter.organizationId, (tx) => this.page(tx, rows, filter, query));
  }

  private async page<T extends TrackedLinkEntity>(
    tx: Tx,
    rows: TrackedLinksRepository<T>,
    filter: TrackedLinkFilter,
    { page, size, sort }: PageQuery & { sort: string },
  ): Promise<{ trackedLinks: Counted<T>[]; total: number }> {
    const { table } = rows;
    const { sql: condition, parameters } = filter;
    const count = `SELECT count(*) AS total FROM ${table} WHERE ${condition}`;
    const [row] = await tx.query<{ total: number }>(count, parameters);
    const total = row?.total ?? 0;
    const offset = page * size;
    if (offset >= total) return { trackedLinks: [], total };
    const hits = total > FEW ? firstOfMany : firstOfFew;
    const order = orderOf(rows, sort, this.shortBase);
    const trackedLinks = await tx.query<Counted<T>>(
      `SELECT ${rows.countedColumns}
         FROM (${hits(table, condition, order)}
               LIMIT $${parameters.length + 1} OFFSET $${parameters.length + 2}) AS hit
         JOIN ${table} ON ${table}.organization_id = $1 AND ${table}.id = hit.id
        ORDER BY ${order.key} ${order.direction}, ${table}.id ${order.direction}`,
      [...parameters, size, offset],
    );
    return { trackedLinks, total };
  }

  /** Ids of all matches, in order, encoded in eight bytes each, as there may be millions. */
  async ids<T extends TrackedLinkEntity>(
    rows: TrackedLinksRepository<T>,
    { organizationId, sql: condition, parameters }: TrackedLinkFilter,
    sort: string,
  ): Promise<Float64Array> {
    const { table } = rows;
    const { key, direction } = orderOf(rows, sort, this.shortBase);
    const [row] = await this.database.reportRows<{ ids: string | null }>(
      organizationId,
      `SELECT string_agg(id::text, ',' ORDER BY ${key} ${direction}, id ${direction}) AS ids
         FROM ${table} WHERE ${condition}`,
      parameters,
    );
    return Float64Array.from(row?.ids?.split(',') ?? [], Number);
  }

  /** The rows with these ids, except deleted ones, in the order of the ids. */
  byIds<T extends TrackedLinkEntity>(
    { table, countedColumns }: TrackedLinksRepository<T>,
    organizationId: number,
    ids: readonly number[],
  ): Promise<Counted<T>[]> {
    return this.database.reportRows<Counted<T>>(
      organizationId,
      `SELECT ${countedColumns}
         FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted (id, position)
         JOIN ${table} ON ${table}.id = wanted.id
        WHERE ${table}.organization_id = $1 AND ${table}.deleted_at IS NULL
        ORDER BY wanted.position`,
      [organizationId, ids],
    );
  }
}

interface Order {
  /** SQL expression on a row of the table. */
  key: string;
  /** With NULLS LAST for a nullable key. */
  direction: string;
}

function orderOf<T extends TrackedLinkEntity>(
  { kind, table }: TrackedLinksRepository<T>,
  sort: string,
  shortBase: string,
): Order {
  const [field, direction] = parseSort(sort);
  const nullsLast = `${direction} NULLS LAST`;
  const orders: Partial<Record<string, Order>> = {
    updatedAt: { key: `${table}.updated_at`, direction },
    expiresAt: { key: `${table}.expires_at`, direction: nullsLast },
    title: { key: `lower(${table}.title)`, direction: nullsLast },
    name: { key: kind === 'campaign' ? `${table}.folded_name` : nameOfLink(shortBase), direction },
    alias: { key: `lower(${table}.code COLLATE "C")`, direction },
    clickCount: { key: clickTotal(kind, table), direction },
  };
  return orders[field] ?? { key: `${table}.created_at`, direction };
}

/** What a list shows first of a link, in lower case: its title, or its URL without the scheme. */
function nameOfLink(shortBase: string): string {
  return `lower(coalesce(links.title,
    CASE links.domain_id WHEN ${DEFAULT_DOMAIN_ID} THEN '${shortBase.replaceAll("'", "''")}' ELSE (
      SELECT d.domain_name FROM custom_domains d
       WHERE d.id = links.domain_id AND d.organization_id = links.organization_id) END
    || coalesce((
      SELECT '/' || a.path FROM apps a
       WHERE a.id = coalesce(links.ios_app_id, links.android_app_id)
         AND a.organization_id = links.organization_id), '')
    || '/' || links.code))`;
}

/** With at most this many hits, sorting them is faster than scanning an index in order. */
const FEW = 1_000;

/** Materialized, because the planner might otherwise scan a whole index in order to find a few hits. */
const firstOfFew = (table: string, condition: string, { key, direction }: Order) => `
  WITH hits AS MATERIALIZED (SELECT id, ${key} AS key FROM ${table} WHERE ${condition})
  SELECT id FROM hits ORDER BY key ${direction}, id ${direction}`;

/** Without filters this is an index-only scan, so that rows skipped by OFFSET are not fetched. */
const firstOfMany = (table: string, condition: string, { key, direction }: Order) =>
  `SELECT id FROM ${table} WHERE ${condition} ORDER BY ${key} ${direction}, id ${direction}`;
