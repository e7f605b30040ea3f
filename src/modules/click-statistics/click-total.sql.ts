import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../clicks/click';

/** The all-time clicks of a link or campaign, people only, as a column of the query that reads it. */
export function clickTotal(kind: TrackedLinkKind, table: string): string {
  return `(SELECT coalesce(sum(t.clicks), 0)::bigint
             FROM click_totals t
            WHERE t.target_kind = ${TRACKED_LINK_KIND[kind]} AND t.target_id = ${table}.id
              AND t.organization_id = ${table}.organization_id)`;
}
