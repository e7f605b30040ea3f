import { Injectable } from '@nestjs/common';
import { NotFound } from '../../common/errors/errors';
import { Database } from '../../infrastructure/database/database';
import { assertMayGrant } from '../administration';
import { AuditLog } from '../audit/audit-log';
import type { Caller } from '../caller';
import { User } from '../user.entity';
import { UserIdentity } from './user-identity.entity';

@Injectable()
export class IdentitiesService {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /** @throws NotFound, PermissionDenied */
  async unlink(caller: Caller, userId: number): Promise<void> {
    const { organizationId } = caller;
    await this.database.write(async (tx) => {
      const user = await tx.repository(User).findOneBy({ id: userId, organizationId });
      if (!user) throw new NotFound('User');
      // After this, whoever has the user's address at the provider can sign in as that user.
      assertMayGrant(caller, user.permissions);
      const { affected } = await tx.repository(UserIdentity).delete({ userId, organizationId });
      if (!affected) return;
      await this.audit.record(tx, caller, {
        action: 'user.unlink_identity',
        resourceType: 'user',
        resourceId: userId,
      });
    });
  }
}
