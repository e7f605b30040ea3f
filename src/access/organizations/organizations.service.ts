import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { NotFound } from '../../common/errors/errors';
import type { PageQuery } from '../../common/pagination/page';
import { timeZoneName } from '../../common/time/time-zone';
import { Clock } from '../../common/time/clock';
import { RoleRequired } from '../access.errors';
import type { AuditChanges } from '../audit/audit-entry.entity';
import { AuditLog, changesBetween } from '../audit/audit-log';
import type { Caller, Requester } from '../caller';
import { changeOverrides, findOverrides } from '../limits/limit-overrides';
import {
  LIMIT_NAMES,
  type LimitOverrides,
  type Limits,
  NO_OVERRIDES,
  type RetentionDays,
} from '../limits/limits';
import { OrganizationLimits } from '../limits/organization-limits.entity';
import { limitsOf } from '../plans';
import { supplied, suppliedValues } from '../supplied';
import { DeletedOrganizationCache } from './deleted-organizations';
import { User } from '../user.entity';
import { type LimitedOrganization, Organization } from './organization.entity';
import { OrganizationCache } from './organization-cache';
import type { CreateOrganizationRequest, UpdateOrganizationRequest } from './organizations.dto';
import { Database } from '../../infrastructure/database/database';
import { lockOrganization } from '../../infrastructure/database/organization-lock';

const DEFAULTS = {
  timeZone: 'UTC',
  baseCurrency: 'USD',
  defaultRegion: 'US',
  appendClickId: false,
  allowHttpDestinations: false,
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

/** Fields that an organization's own users may change. */
const OWN_FIELDS = [
  'name',
  'timeZone',
  'baseCurrency',
  'defaultRegion',
  'appendClickId',
  'allowHttpDestinations',
] as const;
/** Branding of pages; null clears a field. */
const BRAND_FIELDS = ['brandName', 'logoUrl', 'brandColor'] as const;
const PLATFORM_FIELDS = [
  'plan',
  'serviceRatePerMinute',
  'maxCustomFields',
  'maxCustomFieldName',
  'maxCustomFieldValue',
  'customMetricLimit',
  'planStartDate',
] as const;

/** Terms of an organization for scheduled work. */
export interface OrganizationTerms {
  readonly id: number;
  readonly timeZone: string;
  readonly limits: Limits;
  /** Whether it has been deleted; its data still exists. */
  readonly isDeleted: boolean;
}

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

  /** Organizations, newest first. */
  async list({ page, size }: PageQuery): Promise<[rows: LimitedOrganization[], total: number]> {
    const [rows, total] = await this.organizations.findAndCount({
      where: { deletedAt: IsNull() },
      order: { id: 'DESC' },
      skip: page * size,
      take: size,
    });
    return [await this.withLimits(rows), total];
  }

  /** @throws NotFound if the organization has been deleted */
  async get(caller: Caller): Promise<LimitedOrganization> {
    const rows = await this.organizations.findBy({ id: caller.organizationId, deletedAt: IsNull() });
    const [found] = await this.withLimits(rows);
    if (!found) throw new NotFound('Organization');
    return found;
  }

  /** Retention in days by organization, including deleted ones, whose data still exists. */
  async retentionDays(kept: RetentionDays = 'clickRetentionDays'): Promise<Map<number, number>> {
    return new Map((await this.terms()).map(({ id, limits }) => [id, limits[kept]]));
  }

  /** Terms of all organizations, including deleted ones. */
  async terms(): Promise<OrganizationTerms[]> {
    const rows = await this.organizations.find({
      select: { id: true, plan: true, timeZone: true, deletedAt: true },
    });
    const overrides = await this.database.repository(OrganizationLimits).find();
    const byId = new Map(overrides.map((row) => [row.organizationId, row]));
    return rows.map(({ id, plan, timeZone, deletedAt }) => ({
      id,
      timeZone,
      limits: limitsOf(plan, byId.get(id) ?? null),
      isDeleted: deletedAt !== null,
    }));
  }

  async create(requester: Requester, request: CreateOrganizationRequest): Promise<LimitedOrganization> {
    const now = this.clock.date();
    const chosen = suppliedValues(request, [...OWN_FIELDS, ...BRAND_FIELDS, ...PLATFORM_FIELDS]);
    const settings = { ...DEFAULTS, ...chosen, name: request.name };
    const suppliedLimits = supplied(request.limits ?? {}, LIMIT_NAMES);
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
      const limits = await changeOverrides(tx, created.id, suppliedLimits);
      await this.audit.record(
        tx,
        { ...requester, organizationId: created.id },
        {
          action: 'organization.create',
          resourceType: 'organization',
          resourceId: created.id,
          changes: { ...changesBetween({}, settings), ...limitChanges(limits) },
        },
      );
      this.snapshots.changed(tx, created.id);
      // The request itself is not in the context of the new organization, so WrittenInterceptor does not record it.
      tx.afterCommit(() => this.database.wrote(created.id));
      return Object.assign(created, { limits: limits.after });
    });
  }

  /** @throws RoleRequired if a user changes a field that only the platform may change */
  async update(caller: Caller, request: UpdateOrganizationRequest): Promise<LimitedOrganization> {
    const platformField = [...PLATFORM_FIELDS, 'limits' as const].find(
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
      await lockOrganization(tx, 'organization', caller.organizationId);
      const organizations = tx.repository(Organization);
      const organization = await organizations.findOneBy({ id: caller.organizationId, deletedAt: IsNull() });
      if (!organization) throw new NotFound('Organization');
      const limits = await changeOverrides(
        tx,
        caller.organizationId,
        supplied(request.limits ?? {}, LIMIT_NAMES),
      );
      const changes = { ...changesBetween<Organization>(organization, fields), ...limitChanges(limits) };
      const shown = { limits: limits.after };
      if (Object.keys(changes).length === 0) return Object.assign(organization, shown);
      const now = this.clock.date();
      // An alias of the same zone does not change any day's boundaries.
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
      return Object.assign(organization, shown);
    });
  }

  /**
   * Soft-deletes the organization: the data stays; keys, tokens, links, campaigns, domains, apps and webhooks stop
   * working at once. Its users are deleted with their keys and sessions, which frees their names and addresses.
   */
  async remove(caller: Caller): Promise<void> {
    const id = caller.organizationId;
    await this.database.write(async (tx) => {
      await lockOrganization(tx, 'organization', id);
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

  private async withLimits(rows: readonly Organization[]): Promise<LimitedOrganization[]> {
    const limits = await findOverrides(
      this.database.repository(OrganizationLimits),
      rows.map(({ id }) => id),
    );
    return rows.map((row) => Object.assign(row, { limits: limits.get(row.id) ?? NO_OVERRIDES }));
  }
}

/** Changed limits for the audit log, named such as `limits.links`. */
function limitChanges({ before, after }: { before: LimitOverrides; after: LimitOverrides }): AuditChanges {
  const changes = changesBetween<LimitOverrides>(before, after);
  return Object.fromEntries(Object.entries(changes).map(([name, change]) => [`limits.${name}`, change]));
}
