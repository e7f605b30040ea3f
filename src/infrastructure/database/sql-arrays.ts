/** A Postgres array literal of whole numbers; the driver's own is several times slower, which shows at this rate. */
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

/** What needs no quotes in an array literal. */
const PLAIN = /^[\w:.-]+$/;

/** Adds the counts of `excluded` to those of `stored`, term by term, for the SET of an upsert. */
export const MERGED_TERMS = `
  SELECT coalesce(array_agg(term), '{}'), coalesce(array_agg(seen), '{}')
    FROM (SELECT term, sum(count)::int AS seen
            FROM (SELECT unnest(stored.terms || excluded.terms) AS term,
                         unnest(stored.counts || excluded.counts) AS count) AS pairs
           GROUP BY term) AS merged`;
