import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsOrder, ILike, In, IsNull, LessThanOrEqual, Not, Repository } from 'typeorm';
import { NotFound } from '../../common/errors/errors';
import type { PageQuery } from '../../common/pagination/page';
import { ADVISORY_LOCK } from '../../infrastructure/database/advisory-locks';
import { Database, type Tx } from '../../infrastructure/database/database';
import { lockOrganization } from '../../infrastructure/database/organization-lock';
import { CustomDomain, type DomainStatus, USABLE_STATUSES } from './custom-domain.entity';

interface DomainFilter extends PageQuery {
  search?: string | null;
  status?: DomainStatus | null;
}

/** Reads and writes the rows of `custom_domains` that are not deleted. */
@Injectable()
export class CustomDomainsRepository {
  constructor(
    @InjectRepository(CustomDomain) private readonly domains: Repository<CustomDomain>,
    private readonly database: Database,
  ) {}

  /** The organization's domain with that id. @throws NotFound */
  async get(organizationId: number, id: number): Promise<CustomDomain> {
    const domains = this.database.repository(CustomDomain);
    return found(await domains.findOneBy({ id, organizationId, deletedAt: IsNull() }));
  }

  /** Like `get`, and locks the organization's domains until the transaction ends. @throws NotFound */
  async lock(tx: Tx, organizationId: number, id: number): Promise<CustomDomain> {
    await lockOrganization(tx, 'custom_domains', organizationId);
    return found(await tx.repository(CustomDomain).findOneBy({ id, organizationId, deletedAt: IsNull() }));
  }

  list(
    organizationId: number,
    { search, status, page, size }: DomainFilter,
    order: FindOptionsOrder<CustomDomain>,
  ): Promise<[CustomDomain[], total: number]> {
    const pattern = `%${search?.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    return this.database.report(organizationId, (tx) =>
      tx.repository(CustomDomain).findAndCount({
        where: {
          organizationId,
          deletedAt: IsNull(),
          ...(search && { domainName: ILike(pattern) }),
          ...(status && { status }),
        },
        order,
        skip: page * size,
        take: size,
      }),
    );
  }

  /** The organization's domains that new links may use, by name. */
  usable(organizationId: number): Promise<CustomDomain[]> {
    return this.database.report(organizationId, (tx) =>
      tx.repository(CustomDomain).find({
        where: {
          organizationId,
          deletedAt: IsNull(),
          disabledReason: IsNull(),
          status: In(USABLE_STATUSES),
        },
        order: { domainName: 'ASC' },
      }),
    );
  }

  count(tx: Tx, organizationId: number): Promise<number> {
    return tx.repository(CustomDomain).countBy({ organizationId, deletedAt: IsNull() });
  }

  /** @returns null if another claim holds the name, or the organization has already added it */
  async insert(tx: Tx, domain: Partial<CustomDomain>): Promise<number | null> {
    const columns = this.domains.metadata.columns.filter(({ propertyName }) => propertyName in domain);
    const [row] = await tx.query<{ id: number }>(
      `INSERT INTO custom_domains (${columns.map(({ databaseName }) => databaseName).join(', ')})
       VALUES (${columns.map((_, i) => `$${i + 1}`).join(', ')})
       ON CONFLICT DO NOTHING RETURNING id`,
      columns.map(({ propertyName }) => domain[propertyName as keyof typeof domain]),
    );
    return row?.id ?? null;
  }

  /** The organization's claims on that name, oldest first, including deleted ones. */
  claims(tx: Tx, organizationId: number, domainName: string): Promise<CustomDomain[]> {
    return tx
      .repository(CustomDomain)
      .find({ where: { organizationId, domainName }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** The organization of the name's last claim before `id`, or that of `id` itself. */
  async formerHolder(tx: Tx, domainName: string, id: number): Promise<number | null> {
    const domains = tx.repository(CustomDomain);
    const claims = await domains.find({ where: { domainName }, order: { id: 'DESC' }, take: 2 });
    const last = claims.find((claim) => claim.id !== id) ?? claims[0];
    return last?.organizationId ?? null;
  }

  /**
   * Pending claims of other organizations whose reservation of the name has expired. Locks the name, then their domains
   * and those of the organization itself, in a fixed order to avoid deadlocks. On Citus, without the lock on the name,
   * two claims could reach the nodes in different orders.
   */
  async lockOverdue(tx: Tx, organizationId: number, domainName: string, now: Date): Promise<CustomDomain[]> {
    await tx.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [ADVISORY_LOCK.domainNames, domainName]);
    const domains = tx.repository(CustomDomain);
    const where = {
      domainName,
      status: 'PENDING',
      deletedAt: IsNull(),
      organizationId: Not(organizationId),
      heldUntil: LessThanOrEqual(now),
    } as const;
    const holders = new Set((await domains.findBy(where)).map((domain) => domain.organizationId));
    for (const id of [organizationId, ...holders].toSorted((a, b) => a - b)) {
      await lockOrganization(tx, 'custom_domains', id);
    }
    return holders.size === 0 ? [] : domains.findBy({ ...where, organizationId: In([...holders]) });
  }
}

function found(domain: CustomDomain | null): CustomDomain {
  if (!domain) throw new NotFound('Custom domain');
  return domain;
}
