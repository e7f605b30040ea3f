import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Like, Repository } from 'typeorm';
import type { CodeDomain } from './code-domain';
import { CustomDomain, USABLE_STATUSES } from './custom-domain.entity';
import { Database } from '../../infrastructure/database/database';

type Named = Pick<CustomDomain, 'id' | 'domainName'>;

const USABLE = { status: In(USABLE_STATUSES), deletedAt: IsNull() };

/** Look-ups of custom domains for links and campaigns. */
@Injectable()
export class DomainsService {
  constructor(
    @InjectRepository(CustomDomain) private readonly domains: Repository<CustomDomain>,
    private readonly database: Database,
  ) {}

  /** The organization's domain if new links may use it (docs/concepts/domains.md#states), else null. */
  findUsable(organizationId: number, id: number): Promise<CustomDomain | null> {
    return this.domains.findOneBy({ id, organizationId, ...USABLE, disabledReason: IsNull() });
  }

  /** The organization's domain with that name if new links may use it, else null. */
  findUsableByName(organizationId: number, name: string): Promise<CustomDomain | null> {
    return this.domains.findOneBy({ domainName: name.trim().toLowerCase(), organizationId, ...USABLE });
  }

  /** Whether the organization has added a domain with that name, in any state. */
  has(organizationId: number, domainName: string): Promise<boolean> {
    return this.domains.existsBy({ organizationId, domainName, deletedAt: IsNull() });
  }

  /** The organization's domains that serve links, oldest first. */
  usable(organizationId: number): Promise<CodeDomain[]> {
    return this.domains.find({
      select: { id: true, caseSensitiveCodes: true },
      where: { organizationId, ...USABLE, disabledReason: IsNull() },
      order: { id: 'ASC' },
    });
  }

  /** Ids of the organization's domains with that name, including deleted ones, whose links are still listed. */
  async idsOf(organizationId: number, domainName: string): Promise<number[]> {
    const domains = await this.domains.find({ select: { id: true }, where: { organizationId, domainName } });
    return domains.map(({ id }) => id);
  }

  /** Ids of the organization's domains, including deleted ones, whose name contains this part, or ends with it. */
  async idsOfPart(organizationId: number, part: string, atEnd: boolean): Promise<number[]> {
    const pattern = `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}${atEnd ? '' : '%'}`;
    const where = { organizationId, domainName: Like(pattern) };
    const domains = await this.domains.find({ select: { id: true }, where });
    return domains.map(({ id }) => id);
  }

  /** Host names by domain id, of domains in any state, including deleted ones. */
  async namesOf(organizationId: number, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (ids.length === 0) return new Map();
    const domains = await this.database.lookup<Named>(NAMES, [organizationId, ids]);
    return new Map(domains.map(({ id, domainName }) => [id, domainName]));
  }
}

const NAMES = `
  SELECT id, domain_name AS "domainName" FROM custom_domains WHERE organization_id = $1 AND id = ANY($2)`;
