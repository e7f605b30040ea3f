import { Inject, Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Clock } from '../../common/time/clock';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { Database } from '../../infrastructure/database/database';
import { violatedConstraint } from '../../infrastructure/database/unique-violation';
import type { Tx } from '../../infrastructure/database/tx';
import { AuditLog } from '../audit/audit-log';
import { InvitationNotFound } from '../invitations/invitations.errors';
import { type OpenInvitation, OpenInvitations } from '../invitations/open-invitations';
import { addUser, roleOfNew } from '../users/add-user';
import { callerFor } from '../users/caller-for';
import { User } from '../users/user.entity';
import { Organization } from '../organizations/organization.entity';
import type { Identity } from './identity-provider';
import { freeUsername } from './free-username';
import {
  EmailNotVerified,
  IdentityTaken,
  InvitationEmailMismatch,
  NotInvited,
  SeveralInvitations,
  UserLinked,
} from './oidc.errors';
import type { Profile } from './profile';
import { UserIdentity } from './user-identity.entity';

type Named = Pick<Identity, 'issuer' | 'subject'>;

interface KnownUser {
  readonly id: number;
  readonly organizationId: number;
  /** Whether the organization is. */
  readonly deleted: boolean;
}

/** The user of an identity (docs/security.md#who-may-sign-in-how). */
@Injectable()
export class IdentifiedUsers {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly invitations: OpenInvitations,
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Finds the user by issuer and subject; the first time links or creates one.
   * @param invitationId invitation whose link the person has opened
   * @returns the user's id
   */
  async find(identity: Identity, invitationId: number | null, ip: string): Promise<number> {
    const invitation = invitationId === null ? null : await this.invitations.byId(invitationId);
    const known = await this.known(identity, invitation);
    if (known !== null) return known;
    if (invitationId !== null && !invitation) throw new InvitationNotFound();
    const profile = await identity.profile();
    try {
      return await this.database.write(async (tx) => {
        const user = await this.admit(tx, profile, invitation, ip);
        await this.link(tx, user, identity, ip);
        return user.id;
      });
    } catch (error) {
      // Another callback may have linked the same identity meanwhile.
      const linked = await this.known(identity, invitation);
      if (linked === null) throw error;
      return linked;
    }
  }

  /**
   * @returns null if the identity is new
   * @throws NotInvited if its organization is deleted, IdentityTaken if the invitation is of another one
   */
  private async known({ issuer, subject }: Named, invitation: OpenInvitation | null): Promise<number | null> {
    const [user] = await this.database.read<KnownUser>(
      `SELECT i.user_id AS id, i.organization_id AS "organizationId", o.deleted_at IS NOT NULL AS deleted
       FROM user_identities i JOIN organizations o ON o.id = i.organization_id
       WHERE i.issuer = $1 AND i.subject = $2`,
      [issuer, subject],
    );
    if (user?.deleted) throw new NotInvited();
    if (user && invitation && invitation.organizationId !== user.organizationId) throw new IdentityTaken();
    return user?.id ?? null;
  }

  /** The user of a verified address, or the new user of an invitation or of the default organization. */
  private async admit(
    tx: Tx,
    { email, name }: Profile,
    opened: OpenInvitation | null,
    ip: string,
  ): Promise<User> {
    const user = email === null ? null : await this.userWith(tx, email);
    if (user && opened && opened.organizationId !== user.organizationId) throw new IdentityTaken();
    if (user) return user;
    const invitation = opened ?? (email === null ? null : await this.invitationFor(tx, email));
    if (invitation?.email && email === null) throw new EmailNotVerified();
    if (invitation?.email && invitation.email !== email) throw new InvitationEmailMismatch();
    const person = { username: await freeUsername(tx, email), name, email, passwordHash: null };
    if (invitation) return this.invitations.use(tx, invitation, person, ip);
    if (email === null) throw new EmailNotVerified();
    return this.addNewcomer(tx, { ...person, emailConfirmed: true }, ip);
  }

  /** Addresses that users have set themselves identify nobody. */
  private async userWith(tx: Tx, email: string): Promise<User | null> {
    const user = await tx.repository(User).findOneBy({ email, emailConfirmed: true });
    const where = user && { id: user.organizationId, deletedAt: IsNull() };
    return where && (await tx.repository(Organization).existsBy(where)) ? user : null;
  }

  private async invitationFor(tx: Tx, email: string): Promise<OpenInvitation | null> {
    const open = await this.invitations.byEmail(tx, email);
    if (new Set(open.map(({ organizationId }) => organizationId)).size > 1) throw new SeveralInvitations();
    return open[0] ?? null;
  }

  private async addNewcomer(
    tx: Tx,
    person: Pick<User, 'username' | 'name' | 'email' | 'emailConfirmed' | 'passwordHash'>,
    ip: string,
  ): Promise<User> {
    const newcomers = this.config.oidc?.newcomers;
    if (!newcomers) throw new NotInvited();
    const { organizationId } = newcomers;
    // The lock makes one of several who come at once the first.
    const [organization] = await tx.query(
      'SELECT 1 FROM organizations WHERE id = $1 AND deleted_at IS NULL FOR UPDATE',
      [organizationId],
    );
    if (!organization) throw new NotInvited();
    const role = await roleOfNew(tx, organizationId, newcomers.role);
    const user = await addUser(tx, { ...person, organizationId, role, permissions: [] }, this.clock.date());
    await this.audit.record(tx, callerFor(user, ip), {
      action: 'user.create',
      resourceType: 'user',
      resourceId: user.id,
      changes: { username: { from: null, to: user.username }, role: { from: null, to: role } },
    });
    return user;
  }

  /** @throws UserLinked if the user has another identity of the issuer */
  private async link(tx: Tx, user: User, { issuer, subject }: Named, ip: string): Promise<void> {
    const { id: userId, organizationId } = user;
    const createdAt = this.clock.date();
    await tx
      .repository(UserIdentity)
      .insert({ issuer, subject, userId, organizationId, createdAt })
      .catch((error: unknown) => {
        throw violatedConstraint(error) === 'user_identities_user_key' ? new UserLinked() : error;
      });
    await this.audit.record(tx, callerFor(user, ip), {
      action: 'user.link_identity',
      resourceType: 'user',
      resourceId: userId,
      changes: { issuer: { from: null, to: issuer } },
    });
  }
}
