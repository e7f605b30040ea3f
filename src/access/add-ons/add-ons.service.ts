import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { NotFound } from '../../common/errors/errors';
import type { PageQuery } from '../../common/pagination/page';
import { Clock } from '../../common/time/clock';
import { toDateTime } from '../../common/time/format';
import { parseDateTime } from '../../common/time/parse';
import { AuditLog } from '../audit/audit-log';
import type { AddOn, Caller } from '../caller';
import { OrganizationCache } from '../organizations/organization-cache';
import type { BookAddOnRequest } from './add-ons.dto';
import { BookedAddOn } from './booked-add-on.entity';
import { Database } from '../../infrastructure/database/database';

/** Add-ons booked by organizations (docs/concepts/access.md#add-ons). */
@Injectable()
export class AddOnsService {
  constructor(
    @InjectRepository(BookedAddOn) private readonly addOns: Repository<BookedAddOn>,
    private readonly database: Database,
    private readonly snapshots: OrganizationCache,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  list(caller: Caller, { page, size }: PageQuery): Promise<[rows: BookedAddOn[], total: number]> {
    return this.addOns.findAndCount({
      where: { organizationId: caller.organizationId },
      order: { code: 'ASC' },
      skip: page * size,
      take: size,
    });
  }

  /** Books the add-on, or changes the end date of its booking. */
  async book(caller: Caller, code: AddOn, request: BookAddOnRequest): Promise<BookedAddOn> {
    const activeUntil = request.activeUntil ? parseDateTime(request.activeUntil) : null;
    const { organizationId } = caller;
    return this.database.write(async (tx) => {
      const [created] = await tx.query(
        `INSERT INTO add_ons (organization_id, code, active_until, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (organization_id, code) DO NOTHING RETURNING code`,
        [organizationId, code, activeUntil, this.clock.date()],
      );
      const addOns = tx.repository(BookedAddOn);
      const booked = await addOns.findOneOrFail({
        where: { organizationId, code },
        lock: { mode: 'pessimistic_write' },
      });
      const from = created ? null : toDateTime(booked.activeUntil);
      await addOns.update({ organizationId, code }, { activeUntil });
      await this.audit.record(tx, caller, {
        action: created ? 'add_on.book' : 'add_on.update',
        resourceType: 'add_on',
        resourceId: code,
        changes: { activeUntil: { from, to: toDateTime(activeUntil) } },
      });
      this.snapshots.changed(tx, organizationId);
      return Object.assign(booked, { activeUntil });
    });
  }

  /** @throws NotFound if the add-on is not booked */
  async remove(caller: Caller, code: AddOn): Promise<void> {
    const { organizationId } = caller;
    await this.database.write(async (tx) => {
      const { affected } = await tx.repository(BookedAddOn).delete({ organizationId, code });
      if (!affected) throw new NotFound('Add-on');
      await this.audit.record(tx, caller, {
        action: 'add_on.remove',
        resourceType: 'add_on',
        resourceId: code,
      });
      this.snapshots.changed(tx, organizationId);
    });
  }
}
