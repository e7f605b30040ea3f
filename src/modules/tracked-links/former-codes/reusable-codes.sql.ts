import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../../clicks/click';
import { TRACKED_LINK_TABLES } from '../tracked-link.entity';

const WANTED = 'SELECT * FROM unnest($2::bigint[], $3::text[]) AS wanted (domain, word)';

/**
 * SQL for an organization's codes that lead nowhere and that it may reuse: those of deleted rows, and former ones.
 * Parameters: the organization, and domains and codes as parallel arrays.
 */
export function reusableCodes(kind: TrackedLinkKind): string {
  const { code } = TRACKED_LINK_TABLES[kind];
  return `
    WITH wanted AS (${WANTED})
    SELECT domain_id AS "domainId", ${code} AS code FROM ${ownReusable(kind)}
     UNION ALL
    SELECT f.domain_id, f.code FROM ${formerReusable(kind)}`;
}

/**
 * SQL that releases the codes found by `reusableCodes`, with the same parameters. Rows are locked in order of domain
 * and code, to avoid deadlocks.
 */
export function releaseCodes(kind: TrackedLinkKind): string {
  const { table, code } = TRACKED_LINK_TABLES[kind];
  return `
    WITH wanted AS (${WANTED}),
    own AS (
      SELECT id FROM ${ownReusable(kind)}
       ORDER BY domain_id, ${code} FOR UPDATE OF ${table}
    ), freed AS (
      UPDATE ${table} SET ${code}_released = true FROM own WHERE organization_id = $1 AND ${table}.id = own.id
      RETURNING domain_id, ${code} AS code
    ), former AS (
      SELECT f.domain_id, f.code FROM ${formerReusable(kind)}
       ORDER BY f.domain_id, f.code FOR UPDATE OF f
    ), forgotten AS (
      DELETE FROM former_codes AS f USING former
       WHERE f.organization_id = $1 AND f.kind = ${TRACKED_LINK_KIND[kind]}
         AND f.domain_id = former.domain_id AND f.code = former.code
      RETURNING f.domain_id, f.code
    )
    SELECT domain_id AS "domainId", code FROM freed UNION ALL SELECT domain_id, code FROM forgotten`;
}

/** Deleted rows whose codes the organization chose. */
function ownReusable(kind: TrackedLinkKind): string {
  const { table, code } = TRACKED_LINK_TABLES[kind];
  return `
    ${table} JOIN wanted ON domain_id = wanted.domain AND ${code} = wanted.word
     WHERE organization_id = $1 AND NOT ${code}_released AND is_alias AND deleted_at IS NOT NULL
       AND disabled_reason IS NULL`;
}

/** Rows `f` of former codes that the organization chose and that lead nowhere. */
function formerReusable(kind: TrackedLinkKind): string {
  const { table } = TRACKED_LINK_TABLES[kind];
  return `
    wanted JOIN former_codes AS f ON f.domain_id = wanted.domain AND f.code = wanted.word
     WHERE f.organization_id = $1 AND f.kind = ${TRACKED_LINK_KIND[kind]} AND f.is_alias AND EXISTS (
           SELECT 1 FROM ${table} AS target
            WHERE target.organization_id = $1 AND target.id = f.tracked_link_id AND target.disabled_reason IS NULL
              AND (NOT f.leads OR target.deleted_at IS NOT NULL))`;
}
