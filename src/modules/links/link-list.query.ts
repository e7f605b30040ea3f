import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { parseDateTime } from '../../common/time/parse';
import type { ListLinksQuery } from './links.dto';
import { type CountedLink, LinksRepository } from './links.repository';

/** One page of an organization's links, newest first, and how many there are in all. */
@Injectable()
export class LinkListQuery {
  constructor(
    private readonly dataSource: DataSource,
    private readonly links: LinksRepository,
  ) {}

  async run(organizationId: number, query: ListLinksQuery): Promise<{ links: CountedLink[]; total: number }> {
    const parameters: unknown[] = [organizationId];
    const condition = conditionOf(query, parameters);
    const count = `SELECT count(*) AS total FROM links WHERE ${condition}`;
    const [row] = await this.dataSource.query<{ total: number }[]>(count, parameters);
    const total = row?.total ?? 0;
    const offset = query.page * query.size;
    if (offset >= total) return { links: [], total };
    const hits = total > FEW ? newestOfMany : newestOfFew;
    const links = await this.dataSource.query<CountedLink[]>(
      `SELECT ${this.links.countedColumns}
         FROM (${hits(condition)} ORDER BY created_at DESC, id DESC
               LIMIT $${parameters.length + 1} OFFSET $${parameters.length + 2}) AS hit
         JOIN links ON links.id = hit.id
        ORDER BY links.created_at DESC, links.id DESC`,
      [...parameters, query.size, offset],
    );
    return { links, total };
  }
}

/** So many hits are sorted sooner than their newest are found among all links. */
const FEW = 1_000;

/** Left alone, the planner may walk all links by age to find a handful of hits. */
const newestOfFew = (condition: string) => `
  WITH hits AS MATERIALIZED (SELECT id, created_at FROM links WHERE ${condition}) SELECT id FROM hits`;

/** By an index alone where there is no keyword: what OFFSET skips costs no look at the rows. */
const newestOfMany = (condition: string) => `SELECT id FROM links WHERE ${condition}`;

function conditionOf(query: ListLinksQuery, parameters: unknown[]): string {
  const conditions = ['organization_id = $1', 'deleted_at IS NULL'];
  const add = (condition: (placeholder: string) => string, value: unknown) => {
    conditions.push(condition(`$${parameters.push(value)}`));
  };
  const keyword = query.keyword?.trim();
  if (keyword) {
    const pattern = `%${keyword.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    add((placeholder) => `search_text LIKE lower(${placeholder} COLLATE "C")`, pattern);
  }
  if (query.showAdPage) conditions.push('show_ad_page');
  if (query.createdAfter) {
    add((placeholder) => `created_at >= ${placeholder}`, firstMoment(query.createdAfter));
  }
  if (query.createdBefore) {
    add((placeholder) => `created_at < ${placeholder}`, momentAfter(query.createdBefore));
  }
  return conditions.join(' AND ');
}

/** The API shows whole seconds, so its filters mean whole seconds; a date alone is its first one. */
function firstMoment(text: string): Date {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return new Date(`${text}T00:00:00Z`);
  return wholeSecond(text);
}

/** The first moment that is no longer of the second; a date alone is its last one. */
function momentAfter(text: string): Date {
  return new Date(wholeSecond(text).getTime() + 1000);
}

function wholeSecond(text: string): Date {
  const time = parseDateTime(text)?.getTime() ?? 0;
  return new Date(Math.floor(time / 1000) * 1000);
}
