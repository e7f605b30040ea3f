import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../../common/logging/logger';
import { Clock } from '../../common/time/clock';
import { Config } from '../../config/config';
import type { OidcSettings } from '../../config/oidc-settings';
import { Database, type Tx } from '../../infrastructure/database/database';
import { lockOrganization } from '../../infrastructure/database/organization-lock';
import { AuditLog } from '../audit/audit-log';
import { addUser, roleOfNew } from '../users/add-user';
import { callerFor } from '../console/caller-for';
import type { User } from '../user.entity';
import { SignInRefused } from './sign-in-refused';

type Person = Pick<User, 'username' | 'name' | 'email' | 'emailConfirmed' | 'passwordHash'>;

/** Admits people who are neither users nor invited, with OIDC_DEFAULT_ROLE in OIDC_DEFAULT_ORGANIZATION. */
@Injectable()
export class Newcomers implements OnApplicationBootstrap {
  private readonly settings: OidcSettings['newcomers'];

  constructor(
    { oidc }: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {
    this.settings = oidc?.newcomers ?? null;
  }

  /** Only logs a problem, because links must be served even after the organization has been deleted. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.settings) return;
    const { organizationId } = this.settings;
    const [organization] = await this.database.read(
      'SELECT 1 FROM organizations WHERE id = $1 AND deleted_at IS NULL',
      [organizationId],
    );
    if (!organization) this.logger.warn({ organizationId }, 'OIDC_DEFAULT_ORGANIZATION does not exist');
  }

  /** @throws SignInRefused without OIDC_DEFAULT_ROLE; AlreadyExists */
  async add(tx: Tx, person: Person, ip: string): Promise<User> {
    if (!this.settings) throw new SignInRefused('NOT_INVITED');
    const { organizationId } = this.settings;
    // With the lock, only one of several concurrent newcomers becomes the first user, who is ADMIN.
    await lockOrganization(tx, 'organization', organizationId);
    const [organization] = await tx.query(
      'SELECT 1 FROM organizations WHERE id = $1 AND deleted_at IS NULL',
      [organizationId],
    );
    if (!organization) throw new SignInRefused('NOT_INVITED');
    const role = await roleOfNew(tx, organizationId, this.settings.role);
    const user = await addUser(tx, { ...person, organizationId, role, permissions: [] }, this.clock.date());
    await this.audit.record(tx, callerFor(user, ip), {
      action: 'user.create',
      resourceType: 'user',
      resourceId: user.id,
      changes: { username: { from: null, to: user.username }, role: { from: null, to: role } },
    });
    return user;
  }
}
