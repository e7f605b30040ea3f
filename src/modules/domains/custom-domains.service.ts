import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { takeRoom } from '../../access/organizations/room';
import { supplied } from '../../access/supplied';
import { Clock } from '../../common/time/clock';
import { isUniqueViolation } from '../../infrastructure/database/unique-violation';
import { lockCodeCase } from './code-domain';
import { CustomDomain } from './custom-domain.entity';
import { CustomDomainsRepository } from './custom-domains.repository';
import type { CreateCustomDomainRequest, UpdateCustomDomainRequest } from './custom-domains.dto';
import { comparableHost } from './destinations/destination-host';
import { DestinationPolicy } from './destinations/destination-policy';
import { DomainNames } from './domain-names';
import { DOMAIN_CHECK, DomainStates } from './checks/domain-states';
import { PENDING_MS } from './checks/domain-transitions';
import { DomainUses, type SameCodes } from './domain-uses';
import { Database, type Tx } from '../../infrastructure/database/database';
import { DomainError } from '../../common/errors/domain-error';

/** Collisions that a response names; there may be more. */
const NAMED_COLLISIONS = 100;
const URLS = ['rootUrl', 'notFoundUrl', 'expiredUrl'] as const;

/**
 * Adds, revokes and deletes custom domains (docs/concepts/domains.md#who-holds-a-name).
 *
 * A name is held by its only PENDING, VERIFIED or ACTIVE claim; others get 409. A FAILED or REVOKED claim reserves
 * nothing, and can be reopened (console verify) while the name is free. An unverified claim reserves the name for 72
 * hours after the organization first added it, however often it is re-added; after that it yields to other claims and
 * becomes FAILED, so that nobody can reserve a name that is not theirs. A subdomain of the short domain stays reserved
 * for its last organization, like the code of a deleted link.
 */
@Injectable()
export class CustomDomainsService {
  constructor(
    private readonly database: Database,
    private readonly domains: CustomDomainsRepository,
    private readonly names: DomainNames,
    private readonly states: DomainStates,
    private readonly destinations: DestinationPolicy,
    private readonly uses: DomainUses,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailed, DOMAIN_TAKEN, LimitReached */
  async create(
    caller: Caller,
    { domainName, caseSensitiveCodes }: CreateCustomDomainRequest,
  ): Promise<CustomDomain> {
    const { name, platform } = this.names.parse(domainName);
    const { organizationId } = caller;
    return this.database.write(async (tx) => {
      const now = this.clock.date();
      await this.pushAside(tx, await this.domains.lockOverdue(tx, organizationId, name, now));
      await takeRoom(tx, organizationId, 'customDomains', () => this.domains.count(tx, organizationId));
      const claims = await this.domains.claims(tx, organizationId, name);
      const firstClaimAt = claims[0]?.createdAt ?? now;
      const draft = {
        organizationId,
        domainName: name,
        status: platform ? 'ACTIVE' : 'PENDING',
        ownerUsername: caller.username ?? 'platform',
        verificationToken: platform ? null : randomBytes(16).toString('hex'),
        createdAt: now,
        pendingSince: now,
        heldUntil: new Date(firstClaimAt.getTime() + PENDING_MS),
        verifiedAt: platform ? now : null,
        // Deleting and re-adding a name does not undo its disabling by the platform.
        disabledReason: claims.at(-1)?.disabledReason ?? null,
        caseSensitiveCodes: caseSensitiveCodes ?? true,
      } satisfies Partial<CustomDomain>;
      const id = await this.domains.insert(tx, draft);
      if (id === null) throw new DomainError('DOMAIN_TAKEN', `${name} is already in use by an organization`);
      // Links that the former holder has published must not lead elsewhere.
      if (platform && (await this.domains.formerHolder(tx, name, id)) !== organizationId)
        throw new DomainError('DOMAIN_TAKEN', `${name} is kept for the organization that had it before`);
      await this.states.created(tx, caller, id, draft);
      return this.domains.lock(tx, organizationId, id);
    });
  }

  /** Sets a FAILED or REVOKED domain back to waiting for its CNAME. @throws NotFound, DOMAIN_TAKEN */
  async reopen(caller: Caller, id: number): Promise<CustomDomain> {
    const { organizationId } = caller;
    const { domainName } = await this.domains.get(organizationId, id);
    return this.database.write(async (tx) => {
      const now = this.clock.date();
      const overdue = await this.domains.lockOverdue(tx, organizationId, domainName, now);
      const domain = await this.domains.lock(tx, organizationId, id);
      if (domain.status !== 'FAILED' && domain.status !== 'REVOKED') return domain;
      await this.pushAside(tx, overdue);
      const again =
        domain.verificationToken === null
          ? ({ status: 'ACTIVE' } as const)
          : ({ status: 'PENDING', pendingSince: now, failingSince: null } as const);
      try {
        await tx.attempt(() => this.states.change(tx, caller, domain, 'reopen', again));
      } catch (error) {
        if (isUniqueViolation(error))
          throw new DomainError('DOMAIN_TAKEN', `${domainName} is already in use by an organization`);
        throw error;
      }
      return domain;
    });
  }

  /**
   * Sets the redirects that replace the domain's pages, and whether the case of codes counts. @throws NotFound,
   * DESTINATION_NOT_ALLOWED, CODES_COLLIDE
   */
  async update(caller: Caller, id: number, request: UpdateCustomDomainRequest): Promise<CustomDomain> {
    const urls = supplied(request, URLS);
    const { domainName } = await this.domains.get(caller.organizationId, id);
    for (const field of URLS) {
      const url = urls[field];
      const problem = url ? await this.problemWith(url, domainName) : null;
      if (problem) throw DomainError.inField('DESTINATION_NOT_ALLOWED', field, problem);
    }
    return this.change(caller, id, 'update', async (domain, tx) => {
      const caseSensitiveCodes = request.caseSensitiveCodes ?? domain.caseSensitiveCodes;
      if (caseSensitiveCodes === domain.caseSensitiveCodes) return urls;
      await this.changeCase(tx, domain, caseSensitiveCodes);
      return { ...urls, caseSensitiveCodes };
    });
  }

  /** Codes that would collide if letter case did not count. @throws NotFound */
  async collisions({ organizationId }: Caller, id: number): Promise<SameCodes> {
    await this.domains.get(organizationId, id);
    return this.database.report(organizationId, (tx) =>
      this.uses.sameCodes(tx, organizationId, id, NAMED_COLLISIONS),
    );
  }

  /** Revokes a domain, whose links stop working at once. @throws NotFound, DOMAIN_NOT_VERIFIED */
  revoke(caller: Caller, id: number): Promise<CustomDomain> {
    return this.change(caller, id, 'revoke', ({ status }) => {
      if (status === 'PENDING' || status === 'FAILED') throw new DomainError('DOMAIN_NOT_VERIFIED');
      return { status: 'REVOKED' };
    });
  }

  /** Marks a domain for deletion by an administrator; idempotent. @throws NotFound */
  requestDeletion(caller: Caller, id: number): Promise<CustomDomain> {
    return this.change(caller, id, 'request_deletion', ({ deletionRequestedAt }) => ({
      deletionRequestedAt: deletionRequestedAt ?? this.clock.date(),
    }));
  }

  /**
   * Disables a domain: its links return 410 at once, and it gets no new certificates.
   * @param disabledReason null enables it again
   * @throws NotFound
   */
  disable(caller: Caller, id: number, disabledReason: string | null): Promise<CustomDomain> {
    const verb = disabledReason === null ? 'enable' : 'disable';
    return this.change(caller, id, verb, () => ({ disabledReason }));
  }

  /**
   * Deletes a domain. Its links stay listed under its name but stop working for good: adding the name again creates
   * another domain (docs/concepts/links.md#deleting-a-domain).
   * @param force even if it has links or campaigns
   * @throws NotFound, DOMAIN_IN_USE
   */
  async remove(caller: Caller, id: number, force: boolean): Promise<void> {
    await this.change(caller, id, 'delete', async ({ domainName }, tx) => {
      const deletedAt = this.clock.date();
      const counts = force ? {} : await this.uses.count(tx, caller.organizationId, id, deletedAt);
      if (Object.values(counts).some((count) => count > 0)) {
        const uses = Object.entries(counts).map(([name, count]) => `${name}: ${count}`);
        const message = `${domainName} is in use (${uses.join(', ')}); pass force=true to delete it anyway`;
        throw new DomainError('DOMAIN_IN_USE', message, counts);
      }
      return { deletedAt };
    });
  }

  private async problemWith(url: string, domainName: string): Promise<string | null> {
    // The destination policy does not know an unverified domain, which would redirect to itself once it is verified.
    const parsed = URL.parse(url);
    if (parsed && comparableHost(parsed) === domainName) return 'must not point to the domain itself';
    return this.destinations.problemWith(url);
  }

  private change(
    caller: Caller,
    id: number,
    verb: string,
    fieldsOf: (domain: CustomDomain, tx: Tx) => Partial<CustomDomain> | Promise<Partial<CustomDomain>>,
  ): Promise<CustomDomain> {
    return this.database.write(async (tx) => {
      const domain = await this.domains.lock(tx, caller.organizationId, id);
      await this.states.change(tx, caller, domain, verb, await fieldsOf(domain, tx));
      return domain;
    });
  }

  /** @throws CODES_COLLIDE */
  private async changeCase(tx: Tx, domain: CustomDomain, caseSensitiveCodes: boolean): Promise<void> {
    const { id, organizationId } = domain;
    await lockCodeCase(tx, id);
    if (!caseSensitiveCodes) {
      const found = await this.uses.sameCodes(tx, organizationId, id, NAMED_COLLISIONS);
      if (found.total > 0) {
        const message = `${domain.domainName} has codes that differ in letter case alone: ${found.total}`;
        throw new DomainError('CODES_COLLIDE', message, { ...found });
      }
    }
    await this.uses.changeCase(tx, organizationId, { id, caseSensitiveCodes });
  }

  /** Fails overdue claims of other organizations, which releases the name. */
  private async pushAside(tx: Tx, overdue: readonly CustomDomain[]): Promise<void> {
    for (const domain of overdue) {
      await this.states.change(tx, DOMAIN_CHECK, domain, 'fail', { status: 'FAILED' });
    }
  }
}
