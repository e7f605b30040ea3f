import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { NotFound, ValidationFailed } from '../../common/errors/errors';
import type { PageQuery } from '../../common/pagination/page';
import { Clock } from '../../common/time/clock';
import { AlreadyExists } from '../access.errors';
import { AuditLog } from '../audit/audit-log';
import type { Caller } from '../caller';
import { OrganizationCache } from '../organizations/organization-cache';
import { AllowedIp } from './allowed-ip.entity';
import { formatRange, parseRange } from '../cidr';
import type { CreateAllowedIpRequest } from './ip-allow-list.dto';
import { takeRoom } from '../organizations/room';
import { Database } from '../../infrastructure/database/database';

/** Addresses that may use an organization's keys; an empty list allows all (docs/concepts/access.md#ip-allow-list). */
@Injectable()
export class IpAllowListService {
  constructor(
    @InjectRepository(AllowedIp) private readonly entries: Repository<AllowedIp>,
    private readonly database: Database,
    private readonly snapshots: OrganizationCache,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  list(caller: Caller, { page, size }: PageQuery): Promise<[rows: AllowedIp[], total: number]> {
    return this.entries.findAndCount({
      where: { organizationId: caller.organizationId },
      order: { id: 'DESC' },
      skip: page * size,
      take: size,
    });
  }

  /** @throws AlreadyExists if the list contains that address or range */
  async add(caller: Caller, request: CreateAllowedIpRequest): Promise<AllowedIp> {
    const range = parseRange(request.cidr);
    if (!range) throw ValidationFailed.field('cidr', 'must be an IP address or a CIDR');
    const cidr = formatRange(range);
    const label = request.label ?? null;
    const { organizationId } = caller;
    return this.database.write(async (tx) => {
      await takeRoom(tx, organizationId, 'allowListEntries', () =>
        tx.repository(AllowedIp).countBy({ organizationId }),
      );
      const [created] = await tx.query<{ id: number }>(
        `INSERT INTO ip_allow_list (organization_id, cidr, label, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (organization_id, cidr) DO NOTHING RETURNING id`,
        [organizationId, cidr, label, this.clock.date()],
      );
      if (!created)
        throw new AlreadyExists('IP_ALREADY_LISTED', 'cidr', `${cidr} is already on the allow-list`);
      await this.audit.record(tx, caller, {
        action: 'allowed_ip.create',
        resourceType: 'allowed_ip',
        resourceId: created.id,
        changes: { cidr: { from: null, to: cidr }, label: { from: null, to: label } },
      });
      this.snapshots.changed(tx, organizationId);
      return tx.repository(AllowedIp).findOneByOrFail({ id: created.id, organizationId });
    });
  }

  async remove(caller: Caller, id: number): Promise<void> {
    const { organizationId } = caller;
    await this.database.write(async (tx) => {
      const entry = await tx.repository(AllowedIp).findOne({
        where: { id, organizationId },
        lock: { mode: 'pessimistic_write' },
      });
      if (!entry) throw new NotFound('Allow-list entry');
      await tx.repository(AllowedIp).delete({ id, organizationId });
      await this.audit.record(tx, caller, {
        action: 'allowed_ip.delete',
        resourceType: 'allowed_ip',
        resourceId: id,
        changes: { cidr: { from: entry.cidr, to: null }, label: { from: entry.label, to: null } },
      });
      this.snapshots.changed(tx, organizationId);
    });
  }
}
