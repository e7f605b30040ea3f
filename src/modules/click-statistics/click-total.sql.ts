import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../clicks/click';

/**
 * SQL expression for the all-time clicks of a link or campaign, people only, in a statement whose first parameter is the
 * organization.
 * @param table alias of its table
 */
export function clickTotal(kind: TrackedLinkKind, table: string): string {
  return `(SELECT coalesce(sum(t.clicks), 0)::bigint
             FROM click_totals t
            WHERE t.kind = ${TRACKED_LINK_KIND[kind]} AND t.tracked_link_id = ${table}.id
              AND t.organization_id = $1)`;
}
