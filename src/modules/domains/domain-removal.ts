import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { Clock } from '../../common/time/clock';
import { CustomDomainsRepository } from './custom-domains.repository';
import { DomainStates } from './checks/domain-states';
import { DomainUses } from './domain-uses';
import { DomainInUse } from './domains.errors';
import { Database } from '../../infrastructure/database/database';

/** Deletes custom domains (docs/concepts/links.md#deleting-a-domain). */
@Injectable()
export class DomainRemoval {
  constructor(
    private readonly database: Database,
    private readonly domains: CustomDomainsRepository,
    private readonly states: DomainStates,
    private readonly uses: DomainUses,
    private readonly clock: Clock,
  ) {}

  /**
   * Deletes a domain. Its links stay listed under its name but stop working for good: adding the name again creates
   * another domain.
   * @param force even if it has links or campaigns
   * @throws NotFound, DomainInUse
   */
  async remove(caller: Caller, id: number, force: boolean): Promise<void> {
    const now = this.clock.date();
    await this.database.write(async (tx) => {
      const domain = await this.domains.lock(tx, caller.organizationId, id);
      const counts = force ? {} : await this.uses.count(tx, caller.organizationId, id, now);
      if (Object.values(counts).some((count) => count > 0)) throw new DomainInUse(domain.domainName, counts);
      await this.states.change(tx, caller, domain, 'delete', { deletedAt: now });
    });
  }
}
