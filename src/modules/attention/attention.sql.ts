import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../clicks/click';

export const MAX_EXAMPLES = 5;

/** Limits the duration of a count. */
export const MAX_COUNTED = 10_000;

/** SQL that selects examples from rows with `id` and `since`, each with the total count. */
const examplesOf = (rows: string) => `
  WITH found AS MATERIALIZED (${rows} LIMIT ${MAX_COUNTED})
  SELECT *, (SELECT count(*) FROM found) AS count
    FROM found ORDER BY since DESC NULLS LAST, id DESC LIMIT ${MAX_EXAMPLES}`;

/** Custom domains that do not work, or will soon be revoked. Disabled ones have no `since`: only the audit log has it. */
export const DOMAINS = examplesOf(`
  SELECT id, domain_name AS name,
         CASE WHEN disabled_reason IS NOT NULL THEN 'DISABLED'
              WHEN status IN ('FAILED', 'REVOKED') THEN status
              ELSE 'CNAME_MISSING' END AS reason,
         CASE WHEN disabled_reason IS NOT NULL THEN NULL
              WHEN status = 'FAILED' THEN pending_since
              ELSE failing_since END AS since
    FROM custom_domains
   WHERE organization_id = $1 AND deleted_at IS NULL
     AND (disabled_reason IS NOT NULL OR status IN ('FAILED', 'REVOKED')
          OR (status IN ('VERIFIED', 'ACTIVE') AND failing_since IS NOT NULL))`);

const unhealthy = (kind: TrackedLinkKind, table: string, name: string) =>
  examplesOf(`
    SELECT l.id, ${name} AS name, h.problem AS reason, coalesce(h.unhealthy_since, h.failed_at[1]) AS since
      FROM link_health AS h JOIN ${table} AS l ON l.id = h.tracked_link_id
     WHERE h.organization_id = $1 AND h.kind = ${TRACKED_LINK_KIND[kind]} AND h.status = 'unhealthy'
       AND l.organization_id = $1 AND l.deleted_at IS NULL AND NOT l.archived AND l.enabled
       AND (l.expires_at IS NULL OR l.expires_at > $2)`);

/** Unhealthy links or campaigns, except archived, switched-off and expired ones. */
export const UNHEALTHY: Readonly<Record<TrackedLinkKind, string>> = {
  link: unhealthy('link', 'links', 'coalesce(l.title, l.code)'),
  campaign: unhealthy('campaign', 'campaigns', 'l.name'),
};

/** Webhook endpoints that fail, or were disabled by failures. */
export const UNWELL_ENDPOINTS = examplesOf(`
  SELECT id, CASE WHEN enabled THEN 'FAILING' ELSE disabled_reason END AS reason,
         CASE WHEN enabled THEN failing_since ELSE disabled_at END AS since
    FROM webhook_endpoints
   WHERE organization_id = $1 AND deleted_at IS NULL
     AND CASE WHEN enabled THEN failing_since IS NOT NULL ELSE disabled_reason <> 'MANUAL' END`);

/** API keys that expire soon, in order of expiry. */
export const EXPIRING_KEYS = `
  SELECT id, name, expires_at AS "expiresAt", count(*) OVER () AS count
    FROM api_keys WHERE organization_id = $1 AND expires_at > $2 AND expires_at <= $3
   ORDER BY expires_at, id LIMIT ${MAX_EXAMPLES}`;

/** Overdue deliveries by endpoint, those that fell due last first. Reads only the overdue part of each endpoint's index. */
export const BACKLOG = `
  SELECT w.id, d.waiting, d.since
    FROM webhook_endpoints AS w
   CROSS JOIN LATERAL (
     SELECT count(*) AS waiting, min(next_at) AS since
       FROM (SELECT next_at FROM webhook_deliveries
              WHERE organization_id = $1 AND endpoint_id = w.id AND status = 'PENDING' AND next_at <= $2
              ORDER BY next_at LIMIT ${MAX_COUNTED}) AS due) AS d
   WHERE w.organization_id = $1 AND w.enabled AND w.delivery = 'PUSH' AND w.deleted_at IS NULL AND d.waiting > 0
   ORDER BY d.since DESC, w.id DESC`;
