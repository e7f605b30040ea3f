import type { Database, Tx } from '../../infrastructure/database/database';
import { type CodeDomain, lockFoldingDomains, readFoldingDomains } from '../domains/code-domain';
import { DEFAULT_DOMAIN_ID } from './tracked-link.entity';

export const DEFAULT_DOMAIN: CodeDomain = { id: DEFAULT_DOMAIN_ID, caseSensitiveCodes: true };

/** Unique key of a code, also in caches. Without case, another separator keeps it apart from a code in lower case. */
export function codeKey({ id, caseSensitiveCodes }: CodeDomain, code: string): string {
  return caseSensitiveCodes ? `${id}/${code}` : `${id}~${foldCode(code)}`;
}

/** A code in lower case, like `lower(code COLLATE "C")` in SQL. */
export function foldCode(code: string): string {
  return code.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export interface Coded {
  readonly domainId: number;
  readonly code: string;
}

type OnDomain = Pick<Coded, 'domainId'>;

/** Makes the keys of codes, for which it knows on which domains letter case does not count. */
export class CodeDomains {
  private constructor(readonly folding: ReadonlySet<number>) {}

  /** The domain without custom ones, on which case counts. */
  static readonly default = new CodeDomains(new Set());

  /** For a transaction that takes or frees codes: the domains stay so until it ends. */
  static lock(tx: Tx, places: readonly OnDomain[]): Promise<CodeDomains> {
    return CodeDomains.of(places, (ids) => lockFoldingDomains(tx, ids));
  }

  static read(database: Database, places: readonly OnDomain[]): Promise<CodeDomains> {
    return CodeDomains.of(places, (ids) =>
      readFoldingDomains((sql, values) => database.read(sql, values), ids),
    );
  }

  private static async of(
    places: readonly OnDomain[],
    foldingOf: (ids: readonly number[]) => Promise<ReadonlySet<number>>,
  ): Promise<CodeDomains> {
    const ids = new Set(places.map(({ domainId }) => domainId));
    ids.delete(DEFAULT_DOMAIN_ID);
    return ids.size === 0 ? CodeDomains.default : new CodeDomains(await foldingOf([...ids]));
  }

  keyOf({ domainId, code }: Coded): string {
    return codeKey(this.find(domainId), code);
  }

  areOne(domainId: number, one: string, other: string): boolean {
    return one === other || (this.folding.has(domainId) && foldCode(one) === foldCode(other));
  }

  find(id: number): CodeDomain {
    return { id, caseSensitiveCodes: !this.folding.has(id) };
  }
}

/**
 * The keys under which a code may be cached, whether or not case counts on its domain: what is announced stays right
 * while that changes.
 */
export function cachedKeysOf({ domainId: id, code }: Coded): string[] {
  const cases = id === DEFAULT_DOMAIN_ID ? [true] : [true, false];
  return cases.map((caseSensitiveCodes) => codeKey({ id, caseSensitiveCodes }, code));
}

export function partsOfKey(key: string): Coded & { isFolded: boolean } {
  const at = key.search(/[/~]/);
  return { domainId: Number(key.slice(0, at)), code: key.slice(at + 1), isFolded: key.charAt(at) === '~' };
}
