import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ADVISORY_LOCK } from '../infrastructure/database/advisory-locks';
import { AddOnsService } from './add-ons/add-ons.service';
import { ApiKeysService } from './api-keys/api-keys.service';
import { ADD_ONS, type Caller, PERMISSIONS } from './caller';
import { platform } from './console/console-tokens';
import { IpAllowListService } from './ip-allow-list/ip-allow-list.service';
import { OrganizationsService } from './organizations/organizations.service';
import { PLAN_TERMS } from './plans';
import { SignInLinks } from './sign-in-links/sign-in-links.service';
import { UsersService } from './users/users.service';
import { IsNull, Not } from 'typeorm';
import { Database, type Tx } from '../infrastructure/database/database';
import { Organization } from './organizations/organization.entity';

const NAME = 'Demo';
/** Name of the first user, an ADMIN. */
export const DEMO_USER = 'demo';

export interface DemoCredentials {
  readonly organizationId: number;
  readonly apiKey: string;
}

/**
 * The organization that the first start creates, so that a new user can create a link at once
 * (docs/concepts/access.md#the-demo-organization).
 */
@Injectable()
export class DemoOrganization {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsService,
    private readonly users: UsersService,
    private readonly keys: ApiKeysService,
    private readonly addOns: AddOnsService,
    private readonly allowList: IpAllowListService,
    private readonly links: SignInLinks,
  ) {}

  /**
   * Creates the Demo organization if the database has never had an organization, once even if several processes start
   * together.
   * @param store called before the commit with the credentials to store; if it fails, nothing is created
   * @returns the credentials, with the key in plain text, if this call created the organization, else null
   */
  async ensure(store?: (created: DemoCredentials) => Promise<void>): Promise<DemoCredentials | null> {
    return this.database.enclose(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCK.demoOrganization]);
      const [any] = await tx.query('SELECT 1 FROM organizations LIMIT 1');
      if (any) return null;
      const created = await this.make();
      await store?.(created);
      return created;
    });
  }

  /**
   * The id of the Demo organization, which is created if no user is called `demo` in any letter case, even beside other
   * organizations. @returns null if it has been deleted or the user belongs to another organization
   */
  async open(): Promise<number | null> {
    return this.database.enclose(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCK.demoOrganization]);
      const [owner] = await tx.query<{ id: number; name: string; deleted: boolean }>(
        `SELECT o.id, o.name, o.deleted_at IS NOT NULL AS deleted
         FROM users u JOIN organizations o ON o.id = u.organization_id
         WHERE lower(u.username) = $1`,
        [DEMO_USER],
      );
      if (!owner) return (await this.wasDeleted(tx)) ? null : (await this.make()).organizationId;
      return owner.name === NAME && !owner.deleted ? owner.id : null;
    });
  }

  private async wasDeleted(tx: Tx): Promise<boolean> {
    return tx.repository(Organization).existsBy({ name: NAME, deletedAt: Not(IsNull()) });
  }

  /** The URL of a new sign-in link of the first user; null if that user no longer exists. */
  signInLink(organizationId: number): Promise<string | null> {
    return this.links.create({ username: DEMO_USER, organizationId });
  }

  private async make(): Promise<DemoCredentials> {
    const caller = await this.makeOrganization();
    for (const code of ADD_ONS) await this.addOns.book(caller, code, {});
    await this.allowList.add(caller, { cidr: '127.0.0.0/8', label: 'This machine' });
    await this.allowList.add(caller, { cidr: '::1', label: 'This machine' });
    // A password that nobody knows; the platform token can set another one.
    const password = randomBytes(24).toString('base64url');
    const user = await this.users.create(caller, {
      username: DEMO_USER,
      password,
      role: 'ADMIN',
      permissions: [...PERMISSIONS],
    });
    const { apiKey } = await this.keys.create(caller, { name: NAME, userId: user.id });
    return { organizationId: caller.organizationId, apiKey };
  }

  private async makeOrganization(): Promise<Caller> {
    const requester = platform('127.0.0.1');
    const created = await this.organizations.create(requester, { name: NAME });
    const { id, timeZone, timeZoneChangedAt, baseCurrency, defaultRegion, plan } = created;
    const customFields = {
      count: created.maxCustomFields,
      nameLength: created.maxCustomFieldName,
      valueLength: created.maxCustomFieldValue,
    };
    const settings = { id, timeZone, timeZoneChangedAt, baseCurrency, defaultRegion, plan, customFields };
    return {
      ...requester,
      organizationId: id,
      organization: { ...settings, ...PLAN_TERMS[plan] },
      addOns: new Set(),
    };
  }
}
