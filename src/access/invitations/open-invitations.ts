import { Injectable } from '@nestjs/common';
import { sha256 } from '../../common/crypto/sha256';
import { Clock } from '../../common/time/clock';
import { Database, type Tx } from '../../infrastructure/database/database';
import { AuditLog } from '../audit/audit-log';
import { NetworkFailures } from '../console/network-failures';
import type { Role } from '../roles';
import type { User } from '../user.entity';
import { addUser } from '../users/add-user';
import { callerFor } from '../console/caller-for';
import { DomainError } from '../../common/errors/domain-error';

export interface OpenInvitation {
  readonly id: number;
  readonly organizationId: number;
  readonly organizationName: string;
  readonly email: string | null;
  readonly role: Role;
  readonly permissions: string[];
  readonly expiresAt: Date;
}

/** Details of the person who accepts. The address is used only if the invitation has none. */
export type Invited = Pick<User, 'username' | 'name' | 'passwordHash'> & { email?: string | null };

/** The creator must still be an ADMIN; permissions that they have lost since are not granted. */
const IS_GOOD = `i.expires_at > $2 AND (i.created_by IS NULL
  OR EXISTS (SELECT FROM users u WHERE u.id = i.created_by AND u.organization_id = i.organization_id AND u.role = 'ADMIN'))`;
const PERMISSIONS = `CASE WHEN i.created_by IS NULL THEN i.permissions
  ELSE ARRAY(SELECT unnest(i.permissions) INTERSECT SELECT unnest(permissions) FROM users WHERE id = i.created_by) END`;

const OPEN = `
  SELECT i.id, i.organization_id AS "organizationId", o.name AS "organizationName", i.email, i.role,
    ${PERMISSIONS} AS permissions, i.expires_at AS "expiresAt"
  FROM invitations i
  JOIN organizations o ON o.id = i.organization_id AND o.deleted_at IS NULL
  WHERE ${IS_GOOD}`;

const USE = `
  DELETE FROM invitations i WHERE i.id IN (SELECT id FROM (${OPEN} AND i.id = $1) AS open)
  RETURNING i.organization_id AS "organizationId", i.email, i.role, ${PERMISSIONS} AS permissions`;

/** Finds and uses up invitations; each can be used once. */
@Injectable()
export class OpenInvitations {
  constructor(
    private readonly database: Database,
    private readonly networks: NetworkFailures,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * @param ip unknown tokens count as its failed logins
   * @throws INVITATION_NOT_FOUND, RateLimited
   */
  async find(token: string, ip: string): Promise<OpenInvitation> {
    const found = await this.networks.counted(ip, async () => {
      const parameters = [sha256(token), this.clock.date()];
      const [row] = await this.database.read<OpenInvitation>(`${OPEN} AND i.token_hash = $1`, parameters);
      return row ?? null;
    });
    if (!found) throw new DomainError('INVITATION_NOT_FOUND');
    return found;
  }

  /** @returns null if the invitation has been used or revoked meanwhile */
  async byId(id: number): Promise<OpenInvitation | null> {
    const [row] = await this.database.read<OpenInvitation>(`${OPEN} AND i.id = $1`, [id, this.clock.date()]);
    return row ?? null;
  }

  /** Invitations of an address, newest first. */
  byEmail(tx: Tx, email: string): Promise<OpenInvitation[]> {
    return tx.query(`${OPEN} AND i.email = $1 ORDER BY i.id DESC`, [email, this.clock.date()]);
  }

  /**
   * Creates the user in the transaction that deletes the invitation, so that only one of several concurrent requests
   * succeeds.
   * @throws INVITATION_NOT_FOUND if it has been used or revoked meanwhile; AlreadyExists
   */
  async use(tx: Tx, { id }: OpenInvitation, invited: Invited, ip: string): Promise<User> {
    const now = this.clock.date();
    const [used] = await tx.query<OpenInvitation>(USE, [id, now]);
    if (!used) throw new DomainError('INVITATION_NOT_FOUND');
    const { organizationId, role, permissions } = used;
    const email = used.email ?? invited.email ?? null;
    const rights = { organizationId, email, emailConfirmed: email !== null, role, permissions };
    const user = await addUser(tx, { ...invited, ...rights }, now);
    await this.audit.record(tx, callerFor(user, ip), {
      action: 'invitation.accept',
      resourceType: 'invitation',
      resourceId: id,
      changes: { userId: { from: null, to: user.id }, username: { from: null, to: user.username } },
    });
    // The request has no organization before the sign-in, so WrittenInterceptor does not record it.
    tx.afterCommit(() => this.database.wrote(organizationId));
    return user;
  }
}
