import { parseDateTime } from '../../../common/time/parse';
import type { TrackedLinkKind } from '../../clicks/click';
import { isOfHealth } from '../health/link-health.sql';
import { tagKey } from '../fields/tags';
import { DEFAULT_DOMAIN_ID } from '../tracked-link.entity';
import { ON_DEFAULT_DOMAIN, type TrackedLinkFilters } from './tracked-link-list.dto';
import type { PartOfAddress, Search } from './tracked-link-search';

type Placeholder = (placeholder: string) => string;

interface Listed {
  kind: TrackedLinkKind;
  organizationId: number;
  /** The query's text, as interpreted by `TrackedLinkSearch`. */
  search: Search | null;
  now: Date;
}

/** WHERE clause of a list of an organization's links or campaigns, without deleted ones. */
export class TrackedLinkFilter {
  readonly organizationId: number;
  readonly parameters: unknown[];
  private readonly conditions = ['organization_id = $1', 'deleted_at IS NULL'];

  constructor({ kind, organizationId, search, now }: Listed, query: TrackedLinkFilters) {
    this.organizationId = organizationId;
    this.parameters = [organizationId];
    const { archived, enabled, health } = query;
    if (archived !== 'all') this.addPlain(archived === 'true' ? 'archived' : 'NOT archived');
    if (enabled !== undefined) this.addPlain(enabled ? 'enabled' : 'NOT enabled');
    if (search) this.addPlain(anyOf(this.alternativesOf(search)));
    this.addPeriod('created_at', query.createdAfter, query.createdBefore);
    this.addPeriod('expires_at', query.expiresAfter, query.expiresBefore);
    if (query.expired !== undefined) this.addExpired(query.expired, now);
    this.addGiven(query.appId, (id) => `(ios_app_id = ${id} OR android_app_id = ${id})`);
    // Implied for rows that are not deleted, but required for the index of domains and codes.
    this.addGiven(domainIdOf(query.customDomainId), (id) => `domain_id = ${id} AND NOT code_released`);
    this.addGiven(query.utmCampaign, (text) => `utm_campaign = ${text}`);
    this.addGiven(query.createdBy, (id) => `created_by = ${id}`);
    if (health) this.addPlain(isOfHealth(kind, health));
    if (query.showAdPage) this.addPlain('show_ad_page');
    if (query.tag && query.tag.length > 0) {
      // For the index `<table>_tags_idx`, which excludes rows without tags.
      this.addPlain(`tag_keys <> '{}'`);
      this.add((tags) => `tag_keys @> ${tags}::text[]`, query.tag.map(tagKey));
    }
  }

  private add(condition: Placeholder, value: unknown): void {
    this.conditions.push(condition(this.placeholderOf(value)));
  }

  /** Adds a condition without a parameter. */
  private addPlain(condition: string): void {
    this.conditions.push(condition);
  }

  private addGiven(value: unknown, condition: Placeholder): void {
    if (value !== undefined && value !== null) this.add(condition, value);
  }

  private addPeriod(column: string, after: string | undefined, before: string | undefined): void {
    if (after) this.add((placeholder) => `${column} >= ${placeholder}`, firstMoment(after));
    if (before) this.add((placeholder) => `${column} < ${placeholder}`, momentAfter(before));
  }

  private addExpired(expired: boolean, now: Date): void {
    this.add(
      (placeholder) =>
        expired ? `expires_at <= ${placeholder}` : `(expires_at IS NULL OR expires_at > ${placeholder})`,
      now,
    );
  }

  /** Adds a search that includes titles, tags and parts of addresses. */
  addSearchOfAll(search: Search, part: PartOfAddress | null): void {
    const text = this.placeholderOf(`%${escaped(search.text)}%`);
    const alternatives = [
      ...this.alternativesOf(search),
      `(title IS NOT NULL AND lower(title) LIKE lower(${text}))`,
      `(tag_keys <> '{}' AND link_tags_text(tag_keys) LIKE lower(${text}))`,
    ];
    if (part) alternatives.push(this.onDomains(part.domainIds, `${escaped(part.code)}%`));
    this.addPlain(anyOf(alternatives));
  }

  /** Conditions that each have an index, so that a search reads only matching rows. */
  private alternativesOf({ text, address, formerIds }: Search): string[] {
    const alternatives = [`search_text LIKE ${this.placeholderOf(`%${escaped(text)}%`)}`];
    if (address) alternatives.push(this.onDomains(address.domainIds, `${escaped(address.code)}\n%`));
    if (formerIds.length > 0) alternatives.push(`id = ANY (${this.placeholderOf(formerIds)})`);
    return alternatives;
  }

  private onDomains(domainIds: readonly number[] | null, searchText: string): string {
    const codeSql = `search_text LIKE ${this.placeholderOf(searchText)}`;
    const domainSql = domainIds === null ? '' : ` AND domain_id = ANY (${this.placeholderOf(domainIds)})`;
    return `(${codeSql}${domainSql})`;
  }

  private placeholderOf(value: unknown): string {
    return `$${this.parameters.push(value)}`;
  }

  get sql(): string {
    return this.conditions.join(' AND ');
  }
}

function domainIdOf(text: string | undefined): number | undefined {
  if (!text) return undefined;
  return text === ON_DEFAULT_DOMAIN ? DEFAULT_DOMAIN_ID : Number(text);
}

function anyOf(alternatives: readonly string[]): string {
  return `(${alternatives.join(' OR ')})`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/** Start of a filter's range: filters have a resolution of seconds, and a date means its first second. */
function firstMoment(text: string): Date {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return new Date(`${text}T00:00:00Z`);
  return wholeSecond(text);
}

/** Exclusive end of a filter's range: the end of the second, and for a date, of its last second. */
function momentAfter(text: string): Date {
  return new Date(wholeSecond(text).getTime() + 1000);
}

function wholeSecond(text: string): Date {
  const time = parseDateTime(text)?.getTime() ?? 0;
  return new Date(Math.floor(time / 1000) * 1000);
}
