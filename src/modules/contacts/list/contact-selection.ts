import { Injectable } from '@nestjs/common';
import type { CallerOrganization } from '../../../access/caller';
import { normalizeEmail, normalizeEmailDomain } from '../../../common/contact-values/email';
import { normalizePhone } from '../../../common/contact-values/phone';
import { ContactCells } from '../bulk/contact-cells';
import { ContactOptOuts } from '../contact-opt-outs';
import { type ActivityPart, type ContactProperty, optOutChannelOf } from './contact-properties';
import { columnOf } from '../contact-row';

@Injectable()
export class ContactSelections {
  constructor(
    private readonly cells: ContactCells,
    private readonly optOuts: ContactOptOuts,
  ) {}

  of(organization: CallerOrganization): ContactSelection {
    return new ContactSelection(organization, this.cells, this.optOuts);
  }
}

/**
 * A statement that selects active contacts of an organization by their properties. Values become parameters, and times
 * are local to the organization's time zone.
 */
export class ContactSelection {
  readonly parameters: unknown[];
  private readonly joins: { metric: string; bound: string; alias: string }[] = [];
  private zone: string | null = null;

  constructor(
    private readonly organization: CallerOrganization,
    private readonly cells: ContactCells,
    private readonly optOuts: ContactOptOuts,
  ) {
    this.parameters = [organization.id];
  }

  /** Adds a parameter. @returns its placeholder */
  bind(value: unknown): string {
    return `$${this.parameters.push(value)}`;
  }

  /** SQL for a property's value: text, numeric, boolean or timestamp by its kind; for a sealed one, the ciphertext. */
  value(property: ContactProperty): string {
    if ('custom' in property) return `(c.custom_fields ->> ${this.bind(property.custom)}::text)`;
    if ('metric' in property) return this.activity(property.metric, property.part);
    const channel = optOutChannelOf(property.field);
    if (channel) return this.optOuts.condition(channel);
    const column = `c.${columnOf(property.field)}`;
    return property.kind === 'date' ? this.local(column) : column;
  }

  /** SQL condition: a contact has the property. */
  has(property: ContactProperty): string {
    if ('metric' in property) return `${this.activityOf(property.metric)}.count IS NOT NULL`;
    if (property.kind === 'list') return this.listHas(property, null);
    const value = this.value(property);
    return ['text', 'custom'].includes(property.kind) ? `${value} <> ''` : `${value} IS NOT NULL`;
  }

  /** SQL condition: a list contains one of the items; null matches any item. */
  listHas(property: ContactProperty, items: readonly string[] | readonly number[] | null): string {
    if ('field' in property && property.field === 'groupIds') {
      const wanted = items && ` AND m.group_id = ANY (${this.bind(items)}::bigint[])`;
      return `c.id IN (SELECT m.contact_id FROM contact_group_members AS m
                        WHERE m.organization_id = $1${wanted ?? ''})`;
    }
    return items === null ? `c.tags <> '{}'` : `c.tags && ${this.bind(items)}::text[]`;
  }

  /** SQL condition: a phone number or e-mail address is one of these, in any notation. */
  sealedIn(property: ContactProperty, texts: readonly string[]): string {
    const { id, defaultRegion } = this.organization;
    const indexes = (of: (text: string) => string | null, index: (value: string) => Buffer) =>
      texts.flatMap((text) => of(text) ?? []).map(index);
    const field = 'field' in property ? property.field : null;
    if (field === 'phoneNumber') {
      const phones = indexes(
        (text) => normalizePhone(text, defaultRegion).value,
        (phone) => this.cells.phoneIndex(id, phone),
      );
      return this.isOneOf('c.phone_index', phones);
    }
    const emails = indexes(
      (text) => normalizeEmail(text).value,
      (email) => this.cells.emailIndex(id, email),
    );
    return this.isOneOf('c.email_index', emails);
  }

  /** SQL condition: the e-mail address belongs to a domain. */
  hasDomain(domain: string): string {
    const normalized = normalizeEmailDomain(domain);
    const index = normalized === null ? [] : [this.cells.domainIndex(this.organization.id, normalized)];
    return this.isOneOf('c.email_domain_index', index);
  }

  /** SQL for the `id` of every contact that meets `condition`, which must be built from this selection's parts. */
  ids(condition: string): string {
    const joins = this.joins.map(
      ({ alias, bound }) =>
        `LEFT JOIN contact_activities AS ${alias} ON ${alias}.organization_id = c.organization_id
           AND ${alias}.contact_id = c.id AND ${alias}.metric = ${bound}`,
    );
    return `SELECT c.id FROM contacts AS c ${joins.join(' ')}
             WHERE c.organization_id = $1 AND c.deactivated_at IS NULL AND (${condition})`;
  }

  private activity(metric: string, part: ActivityPart): string {
    const alias = this.activityOf(metric);
    if (part === 'first' || part === 'last') return this.local(`${alias}.${part}_at`);
    return `coalesce(${alias}.${part}, 0)`;
  }

  /** Adds one join per metric, which all its properties share. */
  private activityOf(metric: string): string {
    const known = this.joins.find((join) => join.metric === metric);
    if (known) return known.alias;
    const alias = `a${this.joins.length}`;
    this.joins.push({ metric, bound: this.bind(metric), alias });
    return alias;
  }

  private isOneOf(column: string, indexes: readonly Buffer[]): string {
    return `${column} = ANY (${this.bind(indexes)}::bytea[])`;
  }

  /** A point in time in the organization's local time. */
  private local(column: string): string {
    this.zone ??= `${this.bind(this.organization.timeZone)}::text`;
    return `(${column} AT TIME ZONE ${this.zone})`;
  }
}
