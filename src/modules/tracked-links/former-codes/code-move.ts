import { TRACKED_LINK_KIND } from '../../clicks/click';
import { ReservedAlias } from '../../domains/domains.errors';
import { isReservedWord } from '../../domains/reserved-words';
import { CodeDomains } from '../code-domains';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import { DomainError } from '../../../common/errors/domain-error';
import type { TrackedLinksRepository } from '../tracked-links.repository';
import type { Tx } from '../../../infrastructure/database/database';

/** Maximum number of former codes of a link or campaign, because each change of it invalidates all of them. */
const MAX_FORMER_CODES = 20;

export interface CodeMove {
  field: 'customAlias' | 'alias';
  /** The new code; null, undefined and the current one change nothing. */
  alias: string | null | undefined;
  /** Whether the current code stops leading here. */
  releaseOld: boolean | null | undefined;
}

/**
 * Makes the current code a former one, and takes the new one if it is free or the organization may reuse it. Otherwise,
 * storing the returned fields fails.
 * @param trackedLink locked in `tx`
 * @throws ReservedAlias, TOO_MANY_FORMER_ALIASES
 */
export async function moveCode<T extends TrackedLinkEntity>(
  tx: Tx,
  repository: TrackedLinksRepository<T>,
  trackedLink: T,
  { field, alias, releaseOld }: CodeMove,
  now: Date,
): Promise<Partial<TrackedLinkEntity>> {
  const { id, organizationId, domainId, code, isAlias } = trackedLink;
  if (!alias || alias === code) return {};
  if (isReservedWord(alias)) throw new ReservedAlias(field);
  const domains = await CodeDomains.lock(tx, [trackedLink]);
  // The same code in another spelling, which is only shown.
  if (domains.areOne(domainId, code, alias)) return { code: alias };
  const leads = !releaseOld;
  const formerCodes = trackedLink.formerCodes.filter(
    (former) => ![code, alias].some((each) => domains.areOne(domainId, former, each)),
  );
  if (leads) formerCodes.push(code);
  if (formerCodes.length > MAX_FORMER_CODES) {
    const message = `At most ${MAX_FORMER_CODES} former aliases lead to one link or campaign: pass releaseOld, or take one back`;
    throw new DomainError('TOO_MANY_FORMER_ALIASES', message, { details: [{ field, message }] });
  }
  const kind = TRACKED_LINK_KIND[repository.kind];
  const folds = domains.folding.has(domainId);
  const takeBack = (former: string) =>
    tx.query<{ isAlias: boolean }>(TAKE_BACK, [kind, domainId, former, id, organizationId, folds]);
  const [own] = await takeBack(alias);
  // Other spellings of the code, from a time when case counted.
  if (folds) await takeBack(code);
  if (!own) await repository.releaseMany(tx, [{ organizationId, domainId, code: alias }], domains);
  await tx.execute(RETIRE, [kind, domainId, code, id, organizationId, isAlias, leads, now]);
  return { code: alias, isAlias: own?.isAlias ?? true, formerCodes };
}

const TAKE_BACK = `
  DELETE FROM former_codes
   WHERE kind = $1 AND domain_id = $2 AND lower(code) = lower($3) AND (code = $3 OR $6) AND tracked_link_id = $4
     AND organization_id = $5
  RETURNING is_alias AS "isAlias"`;
const RETIRE = `
  INSERT INTO former_codes (kind, domain_id, code, tracked_link_id, organization_id, is_alias, leads, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
