import { Injectable } from '@nestjs/common';
import type { CallerOrganization } from '../../../access/caller';
import { normalizeEmail, normalizeEmailDomain } from '../../../common/phone/email';
import { normalizePhone } from '../../../common/phone/phone';
import { ContactCells } from '../bulk/contact-cells';
import { searchName } from '../contact-row';

/** Puts a value among the parameters of a statement and gives its placeholder. */
export type Bind = (value: unknown) => string;

/** A condition: as an index of its own answers it, and as row after row is looked at. */
export interface Term {
  indexed(bind: Bind): string;
  plain(bind: Bind): string;
}

/** What a keyword may mean (docs/concepts/contacts.md#filters). */
@Injectable()
export class ContactTerms {
  constructor(private readonly cells: ContactCells) {}

  of({ id, defaultRegion }: CallerOrganization, keyword: string): Term[] {
    const terms = [nameTerm(keyword)];
    const equal = (column: string, index: Buffer) => {
      const condition = (bind: Bind) => `${column} = ${bind(index)}`;
      terms.push({ indexed: condition, plain: condition });
    };
    const phone = normalizePhone(keyword, defaultRegion).value;
    if (phone !== null) equal('phone_index', this.cells.phoneIndex(id, phone));
    if (/^\d{4}$/.test(keyword)) equal('phone_last4_index', this.cells.last4Index(id, keyword));
    const email = normalizeEmail(keyword).value;
    if (email !== null) equal('email_index', this.cells.emailIndex(id, email));
    const domain = normalizeEmailDomain(keyword.replace(/^@/, ''));
    if (domain !== null) equal('email_domain_index', this.cells.domainIndex(id, domain));
    if (!keyword.includes('@')) {
      const localPart = keyword.normalize('NFC').toLowerCase();
      equal('email_local_index', this.cells.localPartIndex(id, localPart));
    }
    return terms;
  }
}

/** Each costs a look into the index for every candidate, and few of them leave few. */
const MAX_TERMS = 6;

/** The index narrows it down by up to three characters in a row; what it leaves is compared. */
function nameTerm(keyword: string): Term {
  const name = searchName(keyword);
  const pattern = `%${name.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const plain = (bind: Bind) => `search_name LIKE ${bind(pattern)}`;
  const hash = (term: string, bind: Bind) => `hashtextextended(${bind(term)}::text, $1::bigint)`;
  return {
    plain,
    indexed: (bind) => {
      const wanted = termsOf(name).map((term) => hash(term, bind));
      const terms = `contact_name_terms(organization_id, search_name) @> ARRAY[${wanted.join(', ')}]`;
      return `${terms} AND ${plain(bind)}`;
    },
  };
}

/** Some of the triples of a name, from its beginning to its end; a shorter one is a term itself. */
function termsOf(name: string): string[] {
  const characters = Array.from(name);
  const size = Math.min(3, characters.length);
  const all = Array.from({ length: characters.length - size + 1 }, (_, i) =>
    characters.slice(i, i + size).join(''),
  );
  if (all.length <= MAX_TERMS) return all;
  const step = (all.length - 1) / (MAX_TERMS - 1);
  return Array.from({ length: MAX_TERMS }, (_, i) => all[Math.round(i * step)] ?? '');
}
