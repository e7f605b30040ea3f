import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PageQuery } from '../../common/pagination/page';
import { parseDateTime } from '../../common/time/parse';
import type { TargetEntity } from '../../common/target.entity';
import type { ListTargetsQuery } from './target-fields.dto';
import type { Counted, TargetRows } from './target-rows';

/** Which of an organization's live links or campaigns a list holds. */
export class TargetFilter {
  readonly parameters: unknown[];
  private readonly conditions = ['organization_id = $1', 'deleted_at IS NULL'];

  /** @param text to look for in the table's `search_text`, folded as that is */
  constructor(
    organizationId: number,
    query: Pick<ListTargetsQuery, 'createdAfter' | 'createdBefore'>,
    text?: string,
  ) {
    this.parameters = [organizationId];
    const wanted = text?.trim();
    if (wanted) {
      const pattern = `%${wanted.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
      this.add((placeholder) => `search_text LIKE ${placeholder}`, pattern);
    }
    if (query.createdAfter) {
      this.add((placeholder) => `created_at >= ${placeholder}`, firstMoment(query.createdAfter));
    }
    if (query.createdBefore) {
      this.add((placeholder) => `created_at < ${placeholder}`, momentAfter(query.createdBefore));
    }
  }

  /** Narrows it further. */
  add(condition: (placeholder: string) => string, value: unknown): void {
    this.conditions.push(condition(`$${this.parameters.push(value)}`));
  }

  /** Narrows it by a condition without a value. */
  addPlain(condition: string): void {
    this.conditions.push(condition);
  }

  get sql(): string {
    return this.conditions.join(' AND ');
  }
}

/** One page of an organization's links or campaigns, newest first, and how many there are in all. */
@Injectable()
export class TargetListQuery {
  constructor(private readonly dataSource: DataSource) {}

  async run<T extends TargetEntity>(
    rows: TargetRows<T>,
    filter: TargetFilter,
    { page, size }: PageQuery,
  ): Promise<{ targets: Counted<T>[]; total: number }> {
    const { table } = rows;
    const { sql: condition, parameters } = filter;
    const count = `SELECT count(*) AS total FROM ${table} WHERE ${condition}`;
    const [row] = await this.dataSource.query<{ total: number }[]>(count, parameters);
    const total = row?.total ?? 0;
    const offset = page * size;
    if (offset >= total) return { targets: [], total };
    const hits = total > FEW ? newestOfMany : newestOfFew;
    const targets = await this.dataSource.query<Counted<T>[]>(
      `SELECT ${rows.countedColumns}
         FROM (${hits(table, condition)} ORDER BY created_at DESC, id DESC
               LIMIT $${parameters.length + 1} OFFSET $${parameters.length + 2}) AS hit
         JOIN ${table} ON ${table}.id = hit.id
        ORDER BY ${table}.created_at DESC, ${table}.id DESC`,
      [...parameters, size, offset],
    );
    return { targets, total };
  }
}

/** So many hits are sorted sooner than their newest are found among all rows. */
const FEW = 1_000;

/** Left alone, the planner may walk all rows by age to find a handful of hits. */
const newestOfFew = (table: string, condition: string) => `
  WITH hits AS MATERIALIZED (SELECT id, created_at FROM ${table} WHERE ${condition}) SELECT id FROM hits`;

/** By an index alone where there is nothing to look for: what OFFSET skips costs no look at the rows. */
const newestOfMany = (table: string, condition: string) => `SELECT id FROM ${table} WHERE ${condition}`;

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
