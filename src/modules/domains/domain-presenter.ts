import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { Page, type PageQuery } from '../../common/pagination/page';
import { pageableOf, parseSort } from '../../common/pagination/pageable';
import { SpringPage } from '../../common/pagination/spring-page';
import type { CustomDomain } from './custom-domain.entity';
import {
  type ConsoleCustomDomainResponse,
  type CustomDomainPage,
  type CustomDomainResponse,
  type CustomDomainSpringPage,
  type DomainSortField,
  type ListCustomDomainsQuery,
  toConsoleCustomDomainResponse,
  toCustomDomainResponse,
} from './custom-domains.dto';
import { CustomDomainsRepository } from './custom-domains.repository';
import { CustomDomainsService } from './custom-domains.service';
import { DomainChecks } from './checks/domain-checks';
import { VerificationRecords } from './checks/verification-records';

/** Loads custom domains in the form of the APIs. */
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
    const content = rows.map((row) => toCustomDomainResponse(row, this.records.of(row)));
    return Object.assign(SpringPage.of(content, total, query), {
      numberOfElements: content.length,
      empty: content.length === 0,
      pageable: pageableOf(query),
    });
  }

  async listForConsole({ organizationId }: Caller, query: PageQuery): Promise<CustomDomainPage> {
    const [rows, total] = await this.domains.list(organizationId, query, { id: 'DESC' });
    return Page.of(
      rows.map((row) => this.forConsole(row)),
      total,
      query,
    );
  }

  async verified({ organizationId }: Caller): Promise<CustomDomainResponse[]> {
    const rows = await this.domains.usable(organizationId);
    return rows.map((row) => toCustomDomainResponse(row, this.records.of(row)));
  }

  /** @throws NotFound */
  async get({ organizationId }: Caller, id: number): Promise<CustomDomainResponse> {
    const domain = await this.domains.get(organizationId, id);
    return toCustomDomainResponse(domain, this.records.of(domain));
  }

  /** Checks a domain once; only the result can change its state. @throws NotFound */
  async check({ organizationId }: Caller, id: number): Promise<CustomDomainResponse> {
    await this.domains.get(organizationId, id);
    await this.checks.checkNow(id);
    const domain = await this.domains.get(organizationId, id);
    return toCustomDomainResponse(domain, this.records.of(domain));
  }

  /** Adds a domain and checks it at once. @throws ValidationFailed, DomainTaken */
  async create(caller: Caller, domainName: string): Promise<ConsoleCustomDomainResponse> {
    const domain = await this.changes.create(caller, domainName);
    return this.checked(caller, domain);
  }

  /** Checks a domain; a FAILED or REVOKED one waits for its CNAME again. @throws NotFound, DomainTaken */
  async verify(caller: Caller, id: number): Promise<ConsoleCustomDomainResponse> {
    const domain = await this.changes.reopen(caller, id);
    return this.checked(caller, domain);
  }

  forConsole(domain: CustomDomain): ConsoleCustomDomainResponse {
    return toConsoleCustomDomainResponse(domain, this.records.of(domain));
  }

  /** The domain after one check. */
  private async checked(
    { organizationId }: Caller,
    { id }: CustomDomain,
  ): Promise<ConsoleCustomDomainResponse> {
    await this.checks.checkNow(id);
    return this.forConsole(await this.domains.get(organizationId, id));
  }
}
