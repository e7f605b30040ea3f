import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../../clicks/click';
import { TRACKED_LINK_TABLES } from '../tracked-link.entity';

const WANTED = `
  SELECT * FROM json_to_recordset($2::json) AS wanted (address text, id bigint, domain bigint, word text, folded boolean)`;

/**
 * SQL for an organization's addresses that lead nowhere and that it may reuse: those of deleted rows, and former ones.
 * Parameters: the organization, and `OwnedAddress`es as JSON.
 */
export function reusableCodes(kind: TrackedLinkKind): string {
  return `
    WITH wanted AS (${WANTED})
    SELECT address FROM ${ownReusable(kind)}
     UNION ALL
    SELECT address FROM ${formerReusable(kind)}`;
}

/**
 * SQL that releases the codes found by `reusableCodes`, with the same parameters. Rows are locked in order of domain
 * and code, to avoid deadlocks.
 */
export function releaseCodes(kind: TrackedLinkKind): string {
  const table = TRACKED_LINK_TABLES[kind];
  return `
    WITH wanted AS (${WANTED}),
    own AS (
      SELECT ${table}.id, address FROM ${ownReusable(kind)}
       ORDER BY domain_id, code FOR UPDATE OF ${table}
    ), freed AS (
      UPDATE ${table} SET code_released = true FROM own WHERE organization_id = $1 AND ${table}.id = own.id
      RETURNING address
    ), former AS (
      SELECT f.domain_id, f.code, address FROM ${formerReusable(kind)}
       ORDER BY f.domain_id, f.code FOR UPDATE OF f
    ), forgotten AS (
      DELETE FROM former_codes AS f USING former
       WHERE f.organization_id = $1 AND f.kind = ${TRACKED_LINK_KIND[kind]}
         AND f.domain_id = former.domain_id AND f.code = former.code
      RETURNING address
    )
    SELECT address FROM freed UNION ALL SELECT address FROM forgotten`;
}

/** Deleted rows whose codes the organization chose. */
function ownReusable(kind: TrackedLinkKind): string {
  const table = TRACKED_LINK_TABLES[kind];
  return `
    ${table} JOIN wanted ON ${table}.id = wanted.id AND domain_id = wanted.domain AND ${isWanted(`${table}.code`)}
     WHERE organization_id = $1 AND NOT code_released AND is_alias AND deleted_at IS NOT NULL
       AND disabled_reason IS NULL`;
}

/** Rows `f` of former codes that the organization chose and that lead nowhere. */
function formerReusable(kind: TrackedLinkKind): string {
  const table = TRACKED_LINK_TABLES[kind];
  return `
    wanted JOIN former_codes AS f
      ON f.tracked_link_id = wanted.id AND f.domain_id = wanted.domain AND lower(f.code) = lower(wanted.word)
     AND ${isWanted('f.code')}
     WHERE f.organization_id = $1 AND f.kind = ${TRACKED_LINK_KIND[kind]} AND f.is_alias AND EXISTS (
           SELECT 1 FROM ${table} AS target
            WHERE target.organization_id = $1 AND target.id = f.tracked_link_id AND target.disabled_reason IS NULL
              AND (NOT f.leads OR target.deleted_at IS NOT NULL))`;
}

function isWanted(code: string): string {
  return `CASE WHEN wanted.folded THEN lower(${code} COLLATE "C") ELSE ${code} END = wanted.word`;
}
