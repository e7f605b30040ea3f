import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../../clicks/click';
import { TRACKED_LINK_TABLES } from '../tracked-link.entity';

/** SQL condition: the code is not a former code of any link or campaign. @param domain, code SQL expressions */
export function unlessFormer(kind: TrackedLinkKind, domain: string, code: string): string {
  return `NOT EXISTS (
    SELECT FROM former_codes AS f
     WHERE f.target_kind = ${TRACKED_LINK_KIND[kind]} AND f.domain_id = ${domain} AND f.code = ${code})`;
}

/** SQL condition on a row `f` of former_codes: it leads nowhere, and the organization may use its code again. */
export function reusableFormer(table: string, organization: string): string {
  return `
    f.is_alias AND f.organization_id = ${organization} AND EXISTS (
      SELECT FROM ${table} AS target
       WHERE target.organization_id = ${organization} AND target.id = f.target_id AND target.disabled_reason IS NULL
         AND (NOT f.leads OR target.deleted_at IS NOT NULL))`;
}

/**
 * Releases codes that lead nowhere: those of deleted rows, and former ones. Both are locked in order of domain and code
 * to avoid deadlocks. Parameters: the organization, and domains and codes in parallel arrays.
 */
export function releaseCodes(kind: TrackedLinkKind): string {
  const { table, code } = TRACKED_LINK_TABLES[kind];
  const released = `${code}_released`;
  return `
    WITH wanted AS (SELECT * FROM unnest($2::bigint[], $3::text[]) AS wanted (domain, word)),
    own AS (
      SELECT id FROM ${table} JOIN wanted ON domain_id = wanted.domain AND ${code} = wanted.word
       WHERE organization_id = $1 AND NOT ${released} AND is_alias AND deleted_at IS NOT NULL
         AND disabled_reason IS NULL
       ORDER BY domain_id, ${code} FOR UPDATE OF ${table}
    ), freed AS (
      UPDATE ${table} SET ${released} = true FROM own WHERE organization_id = $1 AND ${table}.id = own.id
      RETURNING domain_id, ${code} AS code
    ), former AS (
      SELECT f.domain_id, f.code FROM wanted JOIN former_codes AS f
          ON f.target_kind = ${TRACKED_LINK_KIND[kind]} AND f.domain_id = wanted.domain AND f.code = wanted.word
       WHERE ${reusableFormer(table, '$1')}
       ORDER BY f.domain_id, f.code FOR UPDATE OF f
    ), forgotten AS (
      DELETE FROM former_codes AS f USING former
       WHERE f.organization_id = $1 AND f.target_kind = ${TRACKED_LINK_KIND[kind]}
         AND f.domain_id = former.domain_id AND f.code = former.code
      RETURNING f.domain_id, f.code
    )
    SELECT domain_id AS "domainId", code FROM freed UNION ALL SELECT domain_id, code FROM forgotten`;
}
