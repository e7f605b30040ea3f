import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { given } from '../../access/supplied';
import { Clock } from '../../common/time/clock';
import { isUniqueViolation } from '../../infrastructure/database/unique-violation';
import { CustomDomain } from './custom-domain.entity';
import { CustomDomainsRepository } from './custom-domains.repository';
import type { UpdateCustomDomainRequest } from './custom-domains.dto';
import { comparableHost } from './destinations/destination-host';
import { DestinationPolicy } from './destinations/destination-policy';
import { DomainNames } from './domain-names';
import { DOMAIN_CHECK, DomainStates } from './checks/domain-states';
import { PENDING_MS } from './checks/domain-transitions';
import { DestinationNotAllowed, DomainNotVerified, DomainTaken } from './domains.errors';
import { Database } from '../../infrastructure/database/database';
import type { Tx } from '../../infrastructure/database/tx';

const URLS = ['rootUrl', 'notFoundUrl', 'expiredUrl'] as const;

type NewDomain = Omit<CustomDomain, 'id' | 'activationToken'>;

/**
 * Adds, revokes and deletes custom domains (docs/concepts/domains.md#who-holds-a-name).
 *
 * Who has a name: the one claim that is PENDING, VERIFIED or ACTIVE; every other is 409. A FAILED or REVOKED claim
 * keeps nobody away, and can come back (console verify) while nobody else has the name. A claim that has not been
 * proven keeps others away for 72 hours after the organization first made it, however often it is made or verified
 * anew: after that it gives way, and is FAILED. So nobody can sit on a name that is not his.
 */
@Injectable()
export class CustomDomainsService {
  constructor(
    private readonly database: Database,
    private readonly domains: CustomDomainsRepository,
    private readonly names: DomainNames,
    private readonly states: DomainStates,
    private readonly destinations: DestinationPolicy,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailed, DomainTaken */
  async create(caller: Caller, text: string): Promise<CustomDomain> {
    const { name, platform } = this.names.parse(text);
    const { organizationId } = caller;
    return this.database.write(async (tx) => {
      const now = this.clock.date();
      await this.pushOverdueAside(tx, organizationId, name, now);
      const claims = await this.domains.claims(tx, organizationId, name);
      const firstClaimAt = claims[0]?.createdAt ?? now;
      const draft: NewDomain = {
        organizationId,
        domainName: name,
        status: platform ? 'ACTIVE' : 'PENDING',
        ownerUsername: caller.username ?? 'platform',
        verificationToken: platform ? null : randomBytes(16).toString('hex'),
        createdAt: now,
        pendingSince: now,
        heldUntil: new Date(firstClaimAt.getTime() + PENDING_MS),
        verifiedAt: platform ? now : null,
        failingSince: null,
        lastCheckedAt: null,
        deletionRequestedAt: null,
        // A name that the platform has disabled does not come back by deleting it and adding it again.
        disabledReason: claims.at(-1)?.disabledReason ?? null,
        deletedAt: null,
        rootUrl: null,
        notFoundUrl: null,
        expiredUrl: null,
      };
      const id = await this.domains.insert(tx, draft);
      if (id === null) throw new DomainTaken(name);
      await this.states.created(tx, caller, id, draft);
      return this.domains.lock(tx, organizationId, id);
    });
  }

  /** Lets a FAILED or REVOKED domain wait for its CNAME again. @throws NotFound, DomainTaken */
  async reopen(caller: Caller, id: number): Promise<CustomDomain> {
    const { organizationId } = caller;
    return this.database.write(async (tx) => {
      const domain = await this.domains.lock(tx, organizationId, id);
      if (domain.status !== 'FAILED' && domain.status !== 'REVOKED') return domain;
      const now = this.clock.date();
      await this.pushOverdueAside(tx, organizationId, domain.domainName, now);
      const again =
        domain.verificationToken === null
          ? ({ status: 'ACTIVE' } as const)
          : ({ status: 'PENDING', pendingSince: now, failingSince: null } as const);
      try {
        await tx.attempt(() => this.states.change(tx, caller, domain, 'reopen', again));
      } catch (error) {
        if (isUniqueViolation(error)) throw new DomainTaken(domain.domainName);
        throw error;
      }
      return domain;
    });
  }

  /** Where the domain leads in place of its pages, from now on. @throws NotFound, DestinationNotAllowed */
  async update(caller: Caller, id: number, request: UpdateCustomDomainRequest): Promise<CustomDomain> {
    const urls = given(request, URLS);
    const { domainName } = await this.domains.get(caller.organizationId, id);
    for (const field of URLS) {
      const url = urls[field];
      const problem = url ? await this.problemWith(url, domainName) : null;
      if (problem) throw new DestinationNotAllowed(field, problem);
    }
    return this.change(caller, id, 'update', () => urls);
  }

  /** Its links stop answering at once. @throws NotFound, DomainNotVerified */
  revoke(caller: Caller, id: number): Promise<CustomDomain> {
    return this.change(caller, id, 'revoke', ({ status }) => {
      if (status === 'PENDING' || status === 'FAILED') throw new DomainNotVerified();
      return { status: 'REVOKED' };
    });
  }

  /** Marks it for an administrator, the first time; nothing else changes. @throws NotFound */
  requestDeletion(caller: Caller, id: number): Promise<CustomDomain> {
    return this.change(caller, id, 'request_deletion', ({ deletionRequestedAt }) => ({
      deletionRequestedAt: deletionRequestedAt ?? this.clock.date(),
    }));
  }

  /**
   * Every link on it answers 410 at once, and it gets no more certificates.
   * @param disabledReason null enables it again
   * @throws NotFound
   */
  disable(caller: Caller, id: number, disabledReason: string | null): Promise<CustomDomain> {
    const verb = disabledReason === null ? 'enable' : 'disable';
    return this.change(caller, id, verb, () => ({ disabledReason }));
  }

  private async problemWith(url: string, domainName: string): Promise<string | null> {
    // Before its verification the domain is none of the service's, and would lead to itself afterwards.
    const parsed = URL.parse(url);
    if (parsed && comparableHost(parsed) === domainName) return 'must not lead to the domain itself';
    return this.destinations.problemWith(url);
  }

  private change(
    caller: Caller,
    id: number,
    verb: string,
    fieldsOf: (domain: CustomDomain) => Partial<CustomDomain>,
  ): Promise<CustomDomain> {
    return this.database.write(async (tx) => {
      const domain = await this.domains.lock(tx, caller.organizationId, id);
      await this.states.change(tx, caller, domain, verb, fieldsOf(domain));
      return domain;
    });
  }

  /** Claims of others on that name that have waited for too long. */
  private async pushOverdueAside(tx: Tx, organizationId: number, name: string, now: Date): Promise<void> {
    for (const domain of await this.domains.lockOverdue(tx, organizationId, name, now)) {
      await this.states.change(tx, DOMAIN_CHECK, domain, 'fail', { status: 'FAILED' });
    }
  }
}
