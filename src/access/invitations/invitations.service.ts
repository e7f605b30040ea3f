import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Repository } from 'typeorm';
import { NotFound } from '../../common/errors/errors';
import type { PageQuery } from '../../common/pagination/page';
import { normalizeEmail } from '../../common/contact-values/email';
import { Clock } from '../../common/time/clock';
import { Config } from '../../config/config';
import { takeRoom } from '../organizations/room';
import { Database } from '../../infrastructure/database/database';
import { assertMayGrant } from '../administration';
import { AuditLog, changesBetween } from '../audit/audit-log';
import type { Caller } from '../caller';
import { assertEmailFree } from '../users/users.errors';
import { Invitation } from '../invitation.entity';
import type { CreateInvitationRequest } from './invitations.dto';
import { sha256 } from '../../common/crypto/sha256';

const LIFETIME_MS = 72 * 3_600_000;

@Injectable()
export class InvitationsService {
  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    private readonly config: Config,
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Invitations that can still be accepted, newest first. */
  list({ organizationId }: Caller, { page, size }: PageQuery): Promise<[rows: Invitation[], total: number]> {
    return this.invitations.findAndCount({
      where: { organizationId, expiresAt: MoreThan(this.clock.date()) },
      order: { id: 'DESC' },
      skip: page * size,
      take: size,
    });
  }

  /**
   * @returns the invitation, and its link, which is not stored
   * @throws RoleRequired, PermissionDenied; AlreadyExists if a user has the e-mail address
   */
  async create(
    caller: Caller,
    request: CreateInvitationRequest,
  ): Promise<{ invitation: Invitation; url: string }> {
    const { role } = request;
    const permissions = [...new Set(request.permissions ?? [])];
    assertMayGrant(caller, permissions);
    const email = normalizeEmail(request.email).value;
    const { token, tokenHash } = makeInvitationToken();
    const now = this.clock.date();
    const expiresAt = new Date(now.getTime() + LIFETIME_MS);
    const invitation = await this.database.write(async (tx) => {
      if (email !== null) await assertEmailFree(tx, email);
      const invitations = tx.repository(Invitation);
      const { organizationId, userId: createdBy } = caller;
      await takeRoom(tx, organizationId, 'invitations', () =>
        invitations.countBy({ organizationId, expiresAt: MoreThan(now) }),
      );
      const made = await invitations.save(
        invitations.create({
          organizationId,
          tokenHash,
          email,
          role,
          permissions,
          createdBy,
          createdAt: now,
          expiresAt,
        }),
      );
      await this.audit.record(tx, caller, {
        action: 'invitation.create',
        resourceType: 'invitation',
        resourceId: made.id,
        changes: changesBetween({}, { role, permissions }),
      });
      return made;
    });
    return { invitation, url: `${this.config.baseUrl}/console/invitations/${token}` };
  }

  /** @throws NotFound */
  async revoke(caller: Caller, id: number): Promise<void> {
    const { organizationId } = caller;
    await this.database.write(async (tx) => {
      const where = { id, organizationId, expiresAt: MoreThan(this.clock.date()) };
      const { affected } = await tx.repository(Invitation).delete(where);
      if (!affected) throw new NotFound('Invitation');
      await this.audit.record(tx, caller, {
        action: 'invitation.revoke',
        resourceType: 'invitation',
        resourceId: id,
      });
    });
  }
}

function makeInvitationToken(): { token: string; tokenHash: Buffer } {
  const token = `wp_invitation_${randomBytes(32).toString('base64url')}`;
  return { token, tokenHash: sha256(token) };
}
