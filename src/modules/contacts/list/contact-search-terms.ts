import { Injectable } from '@nestjs/common';
import type { CallerOrganization } from '../../../access/caller';
import { normalizeEmail, normalizeEmailDomain } from '../../../common/contact-values/email';
import { pasted } from '../../../common/contact-values/pasted';
import { normalizePhone } from '../../../common/contact-values/phone';
import { ContactCells } from '../bulk/contact-cells';
import { searchName } from '../contact-row';

/** Adds a parameter to a statement and returns its placeholder. */
export type Bind = (value: unknown) => string;

/** A condition in two forms: for an index, and for checking a row. */
export interface Term {
  indexed(bind: Bind): string;
  plain(bind: Bind): string;
}

/** What a keyword may match (docs/concepts/contacts.md#filters). */
@Injectable()
export class ContactTerms {
  constructor(private readonly cells: ContactCells) {}

  of({ id, defaultRegion }: CallerOrganization, typed: string): Term[] {
    const terms = [nameTerm(typed)];
    const keyword = pasted(typed);
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

/** A few terms are selective enough, and each costs an index look-up per candidate. */
const MAX_TERMS = 6;

/** Selects by indexed sequences of one to three characters, then compares the name itself. */
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

/** A sample of a name's trigrams, from start to end; a shorter name is itself a term. */
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
