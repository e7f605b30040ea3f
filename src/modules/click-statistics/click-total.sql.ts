import { TARGET_KIND, type TargetKind } from '../clicks/tracked-link-kind';

/** The all-time clicks of a link or campaign, people only, as a column of the query that reads it. */
export function clickTotal(kind: TargetKind, table: string): string {
  return `(SELECT coalesce(sum(t.clicks), 0)::bigint
             FROM click_totals t
            WHERE t.target_kind = ${TARGET_KIND[kind]} AND t.target_id = ${table}.id
              AND t.organization_id = ${table}.organization_id)`;
}
