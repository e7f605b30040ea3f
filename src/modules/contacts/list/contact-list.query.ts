import { Injectable } from '@nestjs/common';
import { BoundedCache } from '../../../common/bounded-cache';
import type { CallerOrganization } from '../../../access/caller';
import { Clock } from '../../../common/time/clock';
import { parseDateTime } from '../../../common/time/parse';
import type { MatchingIds } from '../../../common/pagination/matching-ids';
import { ContactSegments } from './contact-segments';
import { type Bind, ContactTerms, type Term } from './contact-search-terms';
import type { ListContactsQuery } from '../contacts.dto';
import { Database, type Tx } from '../../../infrastructure/database/database';

/** With at most this many hits, sorting them is faster than reading all contacts from the newest. */
const MAX_SORTED = 5_000;
/** TTL of the number of hits, if there are more. */
const COUNT_TTL_MS = 60_000;

const FILTERS = {
  origin: 'origin',
  pushOptIn: 'push_opt_in',
  smsOptIn: 'sms_opt_in',
  emailOptIn: 'email_opt_in',
} as const satisfies Partial<Record<keyof ListContactsQuery, string>>;

/** Filters without stored counts; each has an index. */
const NARROWING = ['externalUserId', 'groupId', 'segmentId', 'tag', 'updatedAfter'] as const;

const KEY = Object.values(FILTERS).join(', ');
const NEWEST = 'ORDER BY created_at DESC, id DESC';
const ACTIVE = 'organization_id = $1 AND deactivated_at IS NULL';

/** A page of an organization's contacts, newest first, with the total. */
@Injectable()
export class ContactListQuery {
  /** Cached totals of keywords with many hits. */
  private readonly totals = new BoundedCache<string, { total: number; at: number }>(10_000);

  constructor(
    private readonly database: Database,
    private readonly terms: ContactTerms,
    private readonly segments: ContactSegments,
    private readonly clock: Clock,
  ) {}

  run(organization: CallerOrganization, query: ListContactsQuery): Promise<MatchingIds> {
    const keyword = query.keyword?.trim();
    const isNarrow = NARROWING.some((filter) => query[filter] !== undefined);
    if (!keyword && !isNarrow)
      return this.database.report(organization.id, (tx) => this.list(tx, organization.id, query));
    return this.search(organization, query, keyword ? this.terms.of(organization, keyword) : []);
  }

  /** Lists by filters with stored counts, for whose combinations there are indexes. */
  private async list(tx: Tx, organizationId: number, query: ListContactsQuery): Promise<MatchingIds> {
    const { parameters, bind } = statement(organizationId);
    const filters = filterConditions(query, bind);
    const where = ['organization_id = $1', ...filters].join(' AND ');
    const groups = await tx.query<{ key: string; total: number }>(
      `SELECT json_build_object('origin', origin, 'push_opt_in', push_opt_in, 'sms_opt_in', sms_opt_in,
                                'email_opt_in', email_opt_in)::text AS key, sum(contacts)::bigint AS total
         FROM contact_counts WHERE ${where} GROUP BY ${KEY} HAVING sum(contacts) > 0`,
      parameters,
    );
    const total = groups.reduce((sum, group) => sum + group.total, 0);
    const offset = query.page * query.size;
    if (offset >= total) return { ids: [], total };
    const page = statement(organizationId);
    const [skip, take] = [page.bind(offset), page.bind(query.size)];
    const of = (key: string) => {
      const conditions = Object.entries(JSON.parse(key) as object).map(([c, v]) => `${c} = ${page.bind(v)}`);
      return `(SELECT id, created_at FROM contacts WHERE ${[ACTIVE, ...conditions].join(' AND ')}
               ${NEWEST} LIMIT ${skip}::bigint + ${take})`;
    };
    const source =
      filters.length > 0
        ? `(${groups.map(({ key }) => of(key)).join(' UNION ALL ')}) AS hit`
        : `contacts WHERE ${ACTIVE}`;
    const rows = await tx.query<{ id: number }>(
      `SELECT id FROM ${source} ${NEWEST} OFFSET ${skip} LIMIT ${take}`,
      page.parameters,
    );
    return { ids: rows.map(({ id }) => id), total };
  }

  /** @param terms a hit matches at least one of them; if there are none, everything matches */
  private async search(
    organization: CallerOrganization,
    query: ListContactsQuery,
    terms: readonly Term[],
  ): Promise<MatchingIds> {
    const { page: _, size: _size, ...filters } = query;
    const key = JSON.stringify([organization.id, filters]);
    const known = this.totals.get(key);
    const isFresh = known !== undefined && this.clock.now() - known.at < COUNT_TTL_MS;
    const few = isFresh ? null : await this.few(organization.id, query, terms);
    if (few) return few;
    const { parameters, bind } = statement(organization.id);
    const any = terms.map((term) => term.plain(bind)).join(' OR ');
    const conditions = [...filterConditions(query, bind), ...this.narrowConditions(query, bind)];
    const where = [ACTIVE, ...conditions, ...(any ? [`(${any})`] : [])].join(' AND ');
    const total = isFresh ? known.total : await this.countMany(organization.id, key, where, [...parameters]);
    const skip = bind(query.page * query.size);
    const page = `SELECT id FROM contacts WHERE ${where} ${NEWEST} OFFSET ${skip} LIMIT ${bind(query.size)}`;
    const rows = await this.database.reportRows<{ id: number }>(organization.id, page, parameters);
    return { ids: rows.map(({ id }) => id), total };
  }

  /** Finds all hits by index, then sorts them; null if there are too many. */
  private async few(
    organizationId: number,
    query: ListContactsQuery,
    terms: readonly Term[],
  ): Promise<MatchingIds | null> {
    const { parameters, bind } = statement(organizationId);
    const conditions = [...filterConditions(query, bind), ...this.narrowConditions(query, bind)];
    const filters = [ACTIVE, ...conditions].join(' AND ');
    const wanted = terms.length > 0 ? terms.map((term) => ` AND ${term.indexed(bind)}`) : [''];
    const arms = wanted.map(
      (term) => `(SELECT id, created_at FROM contacts WHERE ${filters}${term} LIMIT ${MAX_SORTED + 1})`,
    );
    const page = `SELECT * FROM hits ${NEWEST} OFFSET ${bind(query.page * query.size)} LIMIT ${bind(query.size)}`;
    const [row] = await this.database.reportRows<{ total: number; ids: number[] | null }>(
      organizationId,
      `WITH hits AS MATERIALIZED (SELECT * FROM (${arms.join(' UNION ')}) AS arm LIMIT ${MAX_SORTED + 1})
       SELECT (SELECT count(*) FROM hits) AS total,
              (SELECT array_agg(id ${NEWEST}) FROM (${page}) AS page) AS ids`,
      parameters,
    );
    const { total = 0, ids } = row ?? {};
    return total > MAX_SORTED ? null : { ids: (ids ?? []).map(Number), total };
  }

  /** Cached for a minute, because counting hundreds of thousands is slow and the number hardly changes. */
  private async countMany(
    organizationId: number,
    key: string,
    where: string,
    parameters: unknown[],
  ): Promise<number> {
    const sql = `SELECT count(*) AS total FROM contacts WHERE ${where}`;
    const [row] = await this.database.reportRows<{ total: number }>(organizationId, sql, parameters);
    const total = row?.total ?? 0;
    this.totals.set(key, { total, at: this.clock.now() });
    return total;
  }

  private narrowConditions(
    { externalUserId, groupId, segmentId, tag, updatedAfter }: ListContactsQuery,
    bind: Bind,
  ): string[] {
    const conditions: string[] = [];
    if (externalUserId !== undefined) conditions.push(`external_user_id = ${bind(externalUserId)}`);
    if (groupId !== undefined) {
      conditions.push(`id IN (SELECT contact_id FROM contact_group_members
                               WHERE organization_id = $1 AND group_id = ${bind(groupId)})`);
    }
    if (segmentId !== undefined) {
      conditions.push(`id IN (${this.segments.registered.memberIds('$1', bind(segmentId))})`);
    }
    if (tag !== undefined) {
      const bound = `${bind(tag.trim())}::text`;
      conditions.push(`tags <> '{}' AND tags @> ARRAY[${bound}]
                       AND contact_tag_terms(organization_id, tags) @> ARRAY[hashtextextended(${bound}, $1::bigint)]`);
    }
    if (updatedAfter !== undefined) conditions.push(`updated_at > ${bind(parseDateTime(updatedAfter))}`);
    return conditions;
  }
}

function statement(organizationId: number): { parameters: unknown[]; bind: Bind } {
  const parameters: unknown[] = [organizationId];
  return { parameters, bind: (value) => `$${parameters.push(value)}` };
}

function filterConditions(query: ListContactsQuery, bind: Bind): string[] {
  return Object.entries(FILTERS).flatMap(([filter, column]) => {
    const value = query[filter as keyof typeof FILTERS];
    return value === undefined ? [] : [`${column} = ${bind(value)}`];
  });
}
