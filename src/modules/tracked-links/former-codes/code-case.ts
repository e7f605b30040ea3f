import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../../clicks/click';
import type { CodeDomain } from '../../domains/code-domain';
import type { SameCodes } from '../../domains/domain-uses';
import { codeKey } from '../code-domains';
import { TRACKED_LINK_TABLES } from '../tracked-link.entity';
import type { Tx } from '../../../infrastructure/database/database';

/** Changes whether the letter case of a domain's codes counts, in a transaction that holds `lockCodeCase`. */
export class CodeCase {
  private readonly codes: string;
  private readonly table: string;

  constructor(private readonly kind: TrackedLinkKind) {
    this.table = TRACKED_LINK_TABLES[kind];
    this.codes = codesOf(kind);
  }

  /** Codes that differ in letter case alone. Those that lead nowhere do not count: they give way. */
  async sameCodes(tx: Tx, organizationId: number, domainId: number, limit: number): Promise<SameCodes> {
    const sql = `
      WITH codes AS (${this.codes}), same AS (
        SELECT folded, json_agg(json_build_object('id', id, 'code', code) ORDER BY code COLLATE "C") AS codes
          FROM codes WHERE claims GROUP BY folded HAVING count(DISTINCT id) > 1
      )
      SELECT (SELECT count(*) FROM same)::float8 AS total, codes FROM same ORDER BY folded LIMIT $3`;
    const rows = await tx.query<{ total: number; codes: { id: number; code: string }[] }>(sql, [
      organizationId,
      domainId,
      limit,
    ]);
    return {
      total: rows[0]?.total ?? 0,
      collisions: rows.map(({ codes }) => ({ kind: this.kind, codes })),
    };
  }

  /** Gives the codes the addresses of a domain that is `domain` from now on. */
  async change(tx: Tx, organizationId: number, domain: CodeDomain): Promise<void> {
    const kind = TRACKED_LINK_KIND[this.kind];
    const owned = [organizationId, domain.id];
    if (!domain.caseSensitiveCodes) {
      await tx.slow(this.release(), owned);
      await tx.slow(this.forget(), owned);
    }
    const before = codeKey({ ...domain, caseSensitiveCodes: !domain.caseSensitiveCodes }, '');
    const after = codeKey(domain, '');
    const past = before.slice(0, -1) + String.fromCharCode(before.charCodeAt(before.length - 1) + 1);
    await tx.slow(
      `DELETE FROM addresses
        WHERE address >= $1 AND address < $2 AND kind = ${kind} AND organization_id = $3`,
      [before, past, organizationId],
    );
    const word = domain.caseSensitiveCodes ? 'code' : 'folded';
    await tx.slow(
      `INSERT INTO addresses (address, kind, organization_id, tracked_link_id)
       SELECT DISTINCT ON (${word}) $3::text || ${word}, ${kind}, $1::bigint, id
         FROM (${this.codes}) AS codes ORDER BY ${word}, place`,
      [...owned, after],
    );
  }

  /** Chosen codes of deleted rows that give way to another one. */
  private release(): string {
    return `
      UPDATE ${this.table} SET code_released = true
       WHERE organization_id = $1 AND is_alias AND deleted_at IS NOT NULL
         AND id IN (SELECT id FROM (${this.codes}) AS codes WHERE place > 1 AND NOT former AND NOT claims)`;
  }

  /** Former codes that lead nowhere and give way to another one. */
  private forget(): string {
    return `
      DELETE FROM former_codes
       WHERE organization_id = $1 AND domain_id = $2 AND kind = ${TRACKED_LINK_KIND[this.kind]}
         AND code IN (SELECT code FROM (${this.codes}) AS codes WHERE place > 1 AND former AND NOT claims)`;
  }
}

/**
 * SQL for the taken codes of a domain ($2) of an organization ($1). `place` is their order among those that differ in
 * case alone: first those that lead somewhere or that the platform has disabled, which claim their code, then those that
 * never become free.
 */
function codesOf(kind: TrackedLinkKind): string {
  const table = TRACKED_LINK_TABLES[kind];
  return `
    SELECT *, row_number() OVER (PARTITION BY folded ORDER BY claims DESC, former, is_alias, id, code) AS place
      FROM (
        SELECT id, code, lower(code COLLATE "C") AS folded, false AS former, is_alias,
               deleted_at IS NULL OR disabled_reason IS NOT NULL AS claims
          FROM ${table} WHERE organization_id = $1 AND domain_id = $2 AND NOT code_released
         UNION ALL
        SELECT target.id, f.code, lower(f.code COLLATE "C"), true, f.is_alias,
               f.leads AND target.deleted_at IS NULL OR target.disabled_reason IS NOT NULL
          FROM former_codes AS f JOIN ${table} AS target
            ON target.organization_id = f.organization_id AND target.id = f.tracked_link_id
         WHERE f.organization_id = $1 AND f.domain_id = $2 AND f.kind = ${TRACKED_LINK_KIND[kind]}
      ) AS taken`;
}
