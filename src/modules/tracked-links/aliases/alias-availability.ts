import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import type { DomainError } from '../../../common/errors/domain-error';
import { Database } from '../../../infrastructure/database/database';
import { TRACKED_LINK_KIND } from '../../clicks/click';
import { ReservedAlias } from '../../domains/domains.errors';
import { CodeDomains } from '../code-domains';
import { TrackedLinkBatches } from '../tracked-link-batches';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import { TrackedLinkRules } from '../tracked-link-rules';
import type { TrackedLinksRepository } from '../tracked-links.repository';
import type { AliasAvailabilityResponse, AliasQuery } from './alias-availability.dto';

const FORMER = `
  SELECT 1 FROM former_codes
   WHERE kind = $1 AND domain_id = $2 AND lower(code) = lower($3) AND (code = $3 OR $6) AND tracked_link_id = $4
     AND organization_id = $5`;

/** Checks whether a link or campaign could get an alias, by a dry run of the rules for a creation or a change. */
@Injectable()
export class AliasAvailability {
  constructor(
    private readonly rules: TrackedLinkRules,
    private readonly batches: TrackedLinkBatches,
    private readonly database: Database,
  ) {}

  /** @param id the link or campaign to rename; null for a new one @throws DomainNotUsable, NotFound */
  async check<T extends TrackedLinkEntity>(
    repository: TrackedLinksRepository<T>,
    { organizationId }: Caller,
    { alias, customDomainId }: AliasQuery,
    id: number | null,
  ): Promise<AliasAvailabilityResponse> {
    const owner = id === null ? null : await repository.get(organizationId, id);
    if (owner?.code === alias) return answer(alias, null);
    const reserved = this.reserved(alias);
    if (reserved) return answer(alias, reserved);
    if (owner && (await this.isOwn(repository, owner, alias))) return answer(alias, null);
    const domainId = owner?.domainId ?? (await this.rules.domainIdOf(organizationId, customDomainId));
    const claims = { organizationId, domainId, code: alias, isAlias: true, externalId: null };
    const [refusal = null] = await this.batches.check(repository, [claims], new Set());
    return answer(alias, refusal);
  }

  /** Whether it is a spelling of its alias, or a former one. */
  private async isOwn<T extends TrackedLinkEntity>(
    { kind }: TrackedLinksRepository<T>,
    { id, organizationId, domainId, code }: TrackedLinkEntity,
    alias: string,
  ): Promise<boolean> {
    const domains = await CodeDomains.read(this.database, [{ domainId }]);
    if (domains.areOne(domainId, code, alias)) return true;
    const folds = domains.folding.has(domainId);
    const values = [TRACKED_LINK_KIND[kind], domainId, alias, id, organizationId, folds];
    return (await this.database.read(FORMER, values)).length > 0;
  }

  private reserved(alias: string): DomainError | null {
    try {
      this.rules.checkAlias('alias', alias);
      return null;
    } catch (error) {
      if (error instanceof ReservedAlias) return error;
      throw error;
    }
  }
}

function answer(alias: string, refusal: DomainError | null): AliasAvailabilityResponse {
  return { alias, available: !refusal, reason: refusal?.code ?? null };
}
