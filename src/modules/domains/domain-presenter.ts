import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { pageableOf, parseSort } from '../../common/pagination/pageable';
import { SpringPage } from '../../common/pagination/spring-page';
import type { CustomDomain } from './custom-domain.entity';
import {
  type CreateCustomDomainRequest,
  type CustomDomainResponse,
  type CustomDomainSpringPage,
  type DomainSortField,
  type ListCustomDomainsQuery,
  toCustomDomainResponse,
} from './custom-domains.dto';
import { CustomDomainsRepository } from './custom-domains.repository';
import { CustomDomainsService } from './custom-domains.service';
import { DomainChecks } from './checks/domain-checks';
import { VerificationRecords } from './checks/verification-records';

@Injectable()
export class DomainPresenter {
  constructor(
    private readonly domains: CustomDomainsRepository,
    private readonly changes: CustomDomainsService,
    private readonly checks: DomainChecks,
    private readonly records: VerificationRecords,
  ) {}

  async list({ organizationId }: Caller, query: ListCustomDomainsQuery): Promise<CustomDomainSpringPage> {
    const [field, direction] = parseSort(query.sort) as [DomainSortField, 'ASC' | 'DESC'];
    // The id breaks ties, so that pages do not overlap.
    const order = { [field]: direction, id: direction };
    const [rows, total] = await this.domains.list(organizationId, query, order);
    const content = rows.map((row) => this.present(row));
    return Object.assign(SpringPage.of(content, total, query), {
      numberOfElements: content.length,
      empty: content.length === 0,
      pageable: pageableOf(query),
    });
  }

  async verified({ organizationId }: Caller): Promise<CustomDomainResponse[]> {
    const rows = await this.domains.usable(organizationId);
    return rows.map((row) => this.present(row));
  }

  /** @throws NotFound */
  async get({ organizationId }: Caller, id: number): Promise<CustomDomainResponse> {
    return this.present(await this.domains.get(organizationId, id));
  }

  /** Checks a domain; only the result of the check may change its state. @throws NotFound */
  async check(caller: Caller, id: number): Promise<CustomDomainResponse> {
    return this.checked(caller, await this.domains.get(caller.organizationId, id));
  }

  /** Adds a domain and checks it at once. @throws ValidationFailed, DOMAIN_TAKEN */
  async create(caller: Caller, request: CreateCustomDomainRequest): Promise<CustomDomainResponse> {
    return this.checked(caller, await this.changes.create(caller, request));
  }

  /** Checks a domain; a FAILED or REVOKED one waits for its CNAME again. @throws NotFound, DOMAIN_TAKEN */
  async verify(caller: Caller, id: number): Promise<CustomDomainResponse> {
    return this.checked(caller, await this.changes.reopen(caller, id));
  }

  present(domain: CustomDomain): CustomDomainResponse {
    return toCustomDomainResponse(domain, this.records.of(domain), this.records.trafficOf(domain.domainName));
  }

  /** The response for a domain after a check. */
  private async checked({ organizationId }: Caller, { id }: CustomDomain): Promise<CustomDomainResponse> {
    await this.checks.checkNow(id);
    return this.present(await this.domains.get(organizationId, id));
  }
}
