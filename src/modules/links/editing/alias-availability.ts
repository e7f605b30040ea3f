import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import type { DomainError } from '../../../common/errors/domain-error';
import { ReservedAlias } from '../../domains/domains.errors';
import { TrackedLinkBatches } from '../../tracked-links/tracked-link-batches';
import { TrackedLinkRules } from '../../tracked-links/tracked-link-rules';
import { LinksRepository } from '../links.repository';
import type { AliasAvailabilityResponse, AliasQuery } from './editing.dto';

/** Tells whether a creation could have an alias, by a dry run of its rules. */
@Injectable()
export class AliasAvailability {
  constructor(
    private readonly rules: TrackedLinkRules,
    private readonly batches: TrackedLinkBatches,
    private readonly repository: LinksRepository,
  ) {}

  /** @throws DomainNotUsable */
  async check(
    { organizationId }: Caller,
    { alias, customDomainId }: AliasQuery,
  ): Promise<AliasAvailabilityResponse> {
    const domainId = await this.rules.domainIdOf(organizationId, customDomainId);
    const refusal =
      this.reserved(alias) ??
      (
        await this.batches.check(
          this.repository,
          [{ organizationId, domainId, code: alias, isAlias: true, externalId: null }],
          new Set(),
        )
      )[0];
    return { alias, available: !refusal, reason: refusal?.code ?? null };
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
