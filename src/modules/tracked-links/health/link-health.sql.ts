import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../../clicks/click';
import type { HealthStatus } from './tracked-link-health';

/**
 * SQL expression for a `StoredHealth`, null if there is no row yet, in a statement whose first parameter is the
 * organization.
 * @param table alias of the kind's table
 */
export function healthOf(kind: TrackedLinkKind, table: string): string {
  return `(SELECT json_build_object('status', h.status, 'problem', h.problem, 'checkedAt', h.checked_at)
             FROM link_health h
            WHERE h.kind = ${TRACKED_LINK_KIND[kind]} AND h.tracked_link_id = ${table}.id
              AND h.organization_id = $1)`;
}

/** SQL condition on the kind's table, in a statement whose first parameter is the organization. */
export function isOfHealth(kind: TrackedLinkKind, status: HealthStatus): string {
  const known = `
    SELECT h.tracked_link_id FROM link_health h
     WHERE h.organization_id = $1 AND h.kind = ${TRACKED_LINK_KIND[kind]}`;
  return status === 'unknown'
    ? `id NOT IN (${known} AND h.status <> 'unknown')`
    : `id IN (${known} AND h.status = '${status}')`;
}
