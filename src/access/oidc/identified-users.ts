import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Clock } from '../../common/time/clock';
import { Database, type Tx } from '../../infrastructure/database/database';
import { violatedConstraint } from '../../infrastructure/database/unique-violation';
import { AuditLog } from '../audit/audit-log';
import { type OpenInvitation, OpenInvitations } from '../invitations/open-invitations';
import { callerFor } from '../console/caller-for';
import { User } from '../user.entity';
import { Organization } from '../organizations/organization.entity';
import type { Identity } from './identity-provider';
import { SignInRefused } from './sign-in-refused';
import { Newcomers } from './newcomers';
import type { Profile } from './profile';
import { UserIdentity } from './user-identity.entity';
import { randomBase62 } from '../../common/base62';
import { cut } from '../../common/sanitize-text';
import { isUsernameFree } from '../users/users.errors';
import { DomainError } from '../../common/errors/domain-error';

type Named = Pick<Identity, 'issuer' | 'subject'>;

interface KnownUser {
  readonly id: number;
  readonly organizationId: number;
  readonly deleted: boolean;
}

/** Maps identities to users (docs/security.md#who-may-sign-in-how). */
@Injectable()
export class IdentifiedUsers {
  constructor(
    private readonly invitations: OpenInvitations,
    private readonly newcomers: Newcomers,
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Finds the user by issuer and subject, or links or creates one on the first sign-in.
   * @param invitationId the invitation whose link the person opened
   * @returns the user's id
   * @throws SignInRefused, INVITATION_NOT_FOUND, AlreadyExists
   */
  async find(identity: Identity, invitationId: number | null, ip: string): Promise<number> {
    const invitation = invitationId === null ? null : await this.invitations.byId(invitationId);
    const known = await this.known(identity, invitation);
    if (known !== null) return known;
    if (invitationId !== null && !invitation) throw new DomainError('INVITATION_NOT_FOUND');
    const profile = await identity.profile();
    try {
      return await this.database.write(async (tx) => {
        const user = await this.admit(tx, profile, invitation, ip);
        await this.link(tx, user, identity, ip);
        return user.id;
      });
    } catch (error) {
      // A concurrent callback may have linked the same identity.
      const linked = await this.known(identity, invitation);
      if (linked === null) throw error;
      return linked;
    }
  }

  /**
   * @returns null if the identity is new
   * @throws SignInRefused if its organization has been deleted, or the invitation is from another one
   */
  private async known({ issuer, subject }: Named, invitation: OpenInvitation | null): Promise<number | null> {
    const [user] = await this.database.read<KnownUser>(
      `SELECT i.user_id AS id, i.organization_id AS "organizationId", o.deleted_at IS NOT NULL AS deleted
       FROM user_identities i JOIN organizations o ON o.id = i.organization_id
       WHERE i.issuer = $1 AND i.subject = $2`,
      [issuer, subject],
    );
    if (user?.deleted) throw new SignInRefused('NOT_INVITED');
    if (user && invitation && invitation.organizationId !== user.organizationId)
      throw new SignInRefused('IDENTITY_TAKEN');
    return user?.id ?? null;
  }

  /** The existing user with the verified address, or else a new user by invitation or in the default organization. */
  private async admit(
    tx: Tx,
    { email, name }: Profile,
    opened: OpenInvitation | null,
    ip: string,
  ): Promise<User> {
    const user = email === null ? null : await this.userWith(tx, email);
    if (user && opened && opened.organizationId !== user.organizationId)
      throw new SignInRefused('IDENTITY_TAKEN');
    if (user) return user;
    const invitation = opened ?? (email === null ? null : await this.invitationFor(tx, email));
    if (invitation?.email && email === null) throw new SignInRefused('EMAIL_NOT_VERIFIED');
    if (invitation?.email && invitation.email !== email) throw new SignInRefused('INVITATION_EMAIL_MISMATCH');
    const person = { username: await freeUsername(tx, email), name, email, passwordHash: null };
    if (invitation) return this.invitations.use(tx, invitation, person, ip);
    if (email === null) throw new SignInRefused('EMAIL_NOT_VERIFIED');
    return this.newcomers.add(tx, { ...person, emailConfirmed: true }, ip);
  }

  /** Only confirmed addresses identify a user, not those that users set themselves. */
  private async userWith(tx: Tx, email: string): Promise<User | null> {
    const user = await tx.repository(User).findOneBy({ email, emailConfirmed: true });
    const where = user && { id: user.organizationId, deletedAt: IsNull() };
    return where && (await tx.repository(Organization).existsBy(where)) ? user : null;
  }

  private async invitationFor(tx: Tx, email: string): Promise<OpenInvitation | null> {
    const open = await this.invitations.byEmail(tx, email);
    if (new Set(open.map(({ organizationId }) => organizationId)).size > 1)
      throw new SignInRefused('SEVERAL_INVITATIONS');
    return open[0] ?? null;
  }

  /** @throws SignInRefused if the user already has another identity of the issuer */
  private async link(tx: Tx, user: User, { issuer, subject }: Named, ip: string): Promise<void> {
    const { id: userId, organizationId } = user;
    const createdAt = this.clock.date();
    await tx
      .repository(UserIdentity)
      .insert({ issuer, subject, userId, organizationId, createdAt })
      .catch((error: unknown) => {
        throw violatedConstraint(error) === 'user_identities_user_key'
          ? new SignInRefused('USER_LINKED')
          : error;
      });
    await this.audit.record(tx, callerFor(user, ip), {
      action: 'user.link_identity',
      resourceType: 'user',
      resourceId: userId,
      changes: { issuer: { from: null, to: issuer } },
    });
    // The request has no organization before the sign-in, so WrittenInterceptor does not record it.
    tx.afterCommit(() => this.database.wrote(organizationId));
  }
}

const MAX_BASE = 90;
const SUFFIX = 8;

/** A user name for a person who has not chosen one: the e-mail address, with a suffix if the name is taken. */
async function freeUsername(tx: Tx, email: string | null): Promise<string> {
  const base = cut(email ?? 'user', MAX_BASE);
  const isFree = email !== null && (await isUsernameFree(tx, base));
  return isFree ? base : `${base}-${randomBase62(SUFFIX)}`;
}
