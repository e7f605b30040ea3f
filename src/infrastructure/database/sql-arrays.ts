/** A Postgres array literal of integers; the driver's own serialization is several times slower. */
export function intArray(values: readonly (number | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/**
 * SQL that adds the counts of `excluded` to those of `stored`, term by term, for the SET of an upsert or an
 * update.
 * @param type type of the counts
 */
export const mergedTerms = (type: 'int' | 'bigint') => `
  SELECT coalesce(array_agg(term), '{}'), coalesce(array_agg(seen), '{}')
    FROM (SELECT term, sum(count)::${type} AS seen
            FROM (SELECT unnest(stored.terms || excluded.terms) AS term,
                         unnest(stored.counts || excluded.counts) AS count) AS pairs
           GROUP BY term) AS merged`;
