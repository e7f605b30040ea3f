import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { NotFound } from '../../common/errors/errors';
import type { PageQuery } from '../../common/pagination/page';
import { timeZoneName } from '../../common/time/time-zone';
import { Clock } from '../../common/time/clock';
import { RoleRequired } from '../access.errors';
import { AuditLog, changesBetween } from '../audit/audit-log';
import type { Caller, Requester } from '../caller';
import { PLAN_TERMS } from '../plans';
import { supplied, suppliedValues } from '../supplied';
import { DeletedOrganizationCache } from './deleted-organizations';
import { User } from '../users/user.entity';
import { Organization } from './organization.entity';
import { OrganizationCache } from './organization-cache';
import type { CreateOrganizationRequest, UpdateOrganizationRequest } from './organizations.dto';
import { Database } from '../../infrastructure/database/database';

const DEFAULTS = {
  timeZone: 'UTC',
  baseCurrency: 'USD',
  defaultRegion: 'US',
  appendClickId: false,
  plan: 'PRO',
  serviceRatePerMinute: 30,
  maxCustomFields: 50,
  maxCustomFieldName: 50,
  maxCustomFieldValue: 2000,
  customMetricLimit: 50,
  planStartDate: null,
  brandName: null,
  logoUrl: null,
  brandColor: null,
} as const;

/** Fields that an organization may change. */
const OWN_FIELDS = ['name', 'timeZone', 'baseCurrency', 'defaultRegion', 'appendClickId'] as const;
/** Branding of its pages; null clears a field. */
const BRAND_FIELDS = ['brandName', 'logoUrl', 'brandColor'] as const;
/** Fields that only the platform may change. */
const PLATFORM_FIELDS = [
  'plan',
  'serviceRatePerMinute',
  'maxCustomFields',
  'maxCustomFieldName',
  'maxCustomFieldValue',
  'customMetricLimit',
  'planStartDate',
] as const;

@Injectable()
export class OrganizationsService {
  constructor(
    @InjectRepository(Organization) private readonly organizations: Repository<Organization>,
    private readonly database: Database,
    private readonly snapshots: OrganizationCache,
    private readonly deleted: DeletedOrganizationCache,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Every organization, newest first. */
  list({ page, size }: PageQuery): Promise<[rows: Organization[], total: number]> {
    return this.organizations.findAndCount({
      where: { deletedAt: IsNull() },
      order: { id: 'DESC' },
      skip: page * size,
      take: size,
    });
  }

  /** @throws NotFound if it has been deleted */
  async get(caller: Caller): Promise<Organization> {
    const found = await this.organizations.findOneBy({ id: caller.organizationId, deletedAt: IsNull() });
    if (!found) throw new NotFound('Organization');
    return found;
  }

  /**
   * Retention of clicks in days, by organization; includes deleted organizations, whose clicks still exist.
   */
  async retentionDays(): Promise<Map<number, number>> {
    const rows = await this.organizations.find({ select: { id: true, plan: true } });
    return new Map(rows.map(({ id, plan }) => [id, PLAN_TERMS[plan].retentionDays]));
  }

  async create(requester: Requester, request: CreateOrganizationRequest): Promise<Organization> {
    const now = this.clock.date();
    const chosen = suppliedValues(request, [...OWN_FIELDS, ...BRAND_FIELDS, ...PLATFORM_FIELDS]);
    const settings = { ...DEFAULTS, ...chosen, name: request.name };
    return this.database.write(async (tx) => {
      const organizations = tx.repository(Organization);
      const created = await organizations.save(
        organizations.create({
          ...settings,
          timeZoneChangedAt: null,
          createdAt: now,
          updatedAt: now,
          deletedAt: null,
        }),
      );
      await this.audit.record(
        tx,
        { ...requester, organizationId: created.id },
        {
          action: 'organization.create',
          resourceType: 'organization',
          resourceId: created.id,
          changes: changesBetween({}, settings),
        },
      );
      this.snapshots.changed(tx, created.id);
      return created;
    });
  }

  /** @throws RoleRequired if a user changes a field of the platform */
  async update(caller: Caller, request: UpdateOrganizationRequest): Promise<Organization> {
    const platformField = PLATFORM_FIELDS.find(
      (field) => request[field] !== undefined && request[field] !== null,
    );
    if (platformField && caller.actor.type !== 'PLATFORM') {
      throw new RoleRequired('PLATFORM', `Only the platform may change ${platformField}`);
    }
    const fields = {
      ...suppliedValues(request, [...OWN_FIELDS, ...PLATFORM_FIELDS]),
      ...supplied(request, BRAND_FIELDS),
    };
    return this.database.write(async (tx) => {
      const organizations = tx.repository(Organization);
      const organization = await organizations.findOne({
        where: { id: caller.organizationId, deletedAt: IsNull() },
        lock: { mode: 'pessimistic_write' },
      });
      if (!organization) throw new NotFound('Organization');
      const changes = changesBetween<Organization>(organization, fields);
      if (Object.keys(changes).length === 0) return organization;
      const now = this.clock.date();
      // Another name of the same zone moves no days.
      const movesDays = fields.timeZone && fields.timeZone !== timeZoneName(organization.timeZone);
      Object.assign(organization, fields, { updatedAt: now }, movesDays && { timeZoneChangedAt: now });
      await organizations.save(organization);
      await this.audit.record(tx, caller, {
        action: 'organization.update',
        resourceType: 'organization',
        resourceId: caller.organizationId,
        changes,
      });
      this.snapshots.changed(tx, caller.organizationId);
      return organization;
    });
  }

  /**
   * Soft delete: the data stays; keys, tokens, links, campaigns, domains, apps and webhooks stop working at once.
   * Users are deleted with their keys and sessions, which frees their names and addresses.
   */
  async remove(caller: Caller): Promise<void> {
    const id = caller.organizationId;
    await this.database.write(async (tx) => {
      const { affected } = await tx
        .repository(Organization)
        .update({ id, deletedAt: IsNull() }, { deletedAt: this.clock.date() });
      if (!affected) throw new NotFound('Organization');
      await tx.repository(User).delete({ organizationId: id });
      await this.audit.record(tx, caller, {
        action: 'organization.delete',
        resourceType: 'organization',
        resourceId: id,
      });
      this.snapshots.changed(tx, id);
      this.deleted.deleted(tx, id);
    });
  }
}
