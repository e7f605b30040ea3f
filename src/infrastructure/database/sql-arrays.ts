/** A Postgres array literal of integers; the driver's own serialization is several times slower. */
export function intArray(values: readonly (number | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/** A Postgres array literal of texts, for a parameter that is an array of arrays. */
export function textArray(values: Iterable<string>): string {
  return `{${Array.from(values, quoted).join(',')}}`;
}

function quoted(text: string): string {
  return PLAIN.test(text) && text.toUpperCase() !== 'NULL' ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Text that needs no quotes in an array literal. */
const PLAIN = /^[\w:.-]+$/;

/** SQL of an upsert's SET that adds the counts of `excluded` to the stored ones, term by term. */
export const MERGED_TERMS = `
  SELECT coalesce(array_agg(term), '{}'), coalesce(array_agg(seen), '{}')
    FROM (SELECT term, sum(count)::int AS seen
            FROM (SELECT unnest(stored.terms || excluded.terms) AS term,
                         unnest(stored.counts || excluded.counts) AS count) AS pairs
           GROUP BY term) AS merged`;
