import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { NotFound } from '../../common/errors/errors';
import type { PageQuery } from '../../common/pagination/page';
import { normalizeEmail } from '../../common/contact-values/email';
import type { EditRequest } from '../../infrastructure/edits/editable.decorator';
import { Clock } from '../../common/time/clock';
import { ApiKeyCache } from '../api-keys/api-key-cache';
import { assertMayActFor, assertMayGrant, assertRole, hasRole } from '../administration';
import type { AuditChanges } from '../audit/audit-entry.entity';
import { AuditLog, changesBetween } from '../audit/audit-log';
import type { Caller, Requester } from '../caller';
import type { Role } from '../roles';
import { supplied, suppliedValues } from '../supplied';
import { addUser, roleOfNew } from './add-user';
import { Invitation } from '../invitation.entity';
import { endSessionsOf } from '../console/console-sessions';
import { PasswordsService } from '../console/passwords.service';
import { OwnChanges } from './own-changes';
import { User } from '../user.entity';
import type { CreateUserRequest, UpdateUserRequest } from './users.dto';
import { orTaken } from './users.errors';
import { Database, type Tx } from '../../infrastructure/database/database';
import { DomainError } from '../../common/errors/domain-error';

/** Placeholder for passwords and addresses in the audit log. */
const HIDDEN = '***';

type Editor = Requester & Pick<Caller, 'organizationId'>;

@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly database: Database,
    private readonly keys: ApiKeyCache,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly own: OwnChanges,
    private readonly passwords: PasswordsService,
  ) {}

  list(caller: Caller, { page, size }: PageQuery): Promise<[rows: User[], total: number]> {
    return this.users.findAndCount({
      where: { organizationId: caller.organizationId },
      order: { id: 'DESC' },
      skip: page * size,
      take: size,
    });
  }

  /** Ids of the users who are linked to an account at the identity provider. */
  async linked(users: readonly User[]): Promise<ReadonlySet<number>> {
    const rows = await this.database.read<{ id: number }>(
      'SELECT user_id AS id FROM user_identities WHERE user_id = ANY ($1::bigint[])',
      [users.map(({ id }) => id)],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** @throws PermissionDenied, RateLimited; AlreadyExists if the name or address is taken in any organization */
  async create(caller: Caller, request: CreateUserRequest): Promise<User> {
    const { username, name = null } = request;
    const email = normalizeEmail(request.email).value;
    const permissions = [...new Set(request.permissions ?? [])];
    assertMayGrant(caller, permissions);
    const passwordHash = await this.passwords.hash(request.password, caller.ip);
    const now = this.clock.date();
    return this.database.write(async (tx) => {
      const { organizationId } = caller;
      const role = request.role ?? (await roleOfNew(tx, organizationId, 'VIEWER'));
      const profile = { username, name, email, emailConfirmed: email !== null, role, permissions };
      const created = await addUser(tx, { organizationId, ...profile, passwordHash }, now);
      await this.audit.record(tx, caller, {
        action: 'user.create',
        resourceType: 'user',
        resourceId: created.id,
        changes: auditable(changesBetween({}, { username, name, email, role, permissions })),
      });
      return created;
    });
  }

  /**
   * Changes a user. A new password ends the user's console sessions except the caller's own; a new role and new
   * permissions apply to API keys at once.
   * @throws RoleRequired, PermissionDenied, NotFound, LAST_ADMIN, AlreadyExists, RateLimited; ValidationFailed if users
   * change their own password or address without the current password
   */
  async update(caller: Editor, id: number, request: UpdateUserRequest): Promise<User> {
    assertMayActFor(caller, id);
    const fields = {
      ...suppliedValues(request, ['username', 'role', 'permissions']),
      ...supplied(request, ['name', 'email']),
    };
    if (fields.role || fields.permissions) assertRole(caller, 'ADMIN');
    if (fields.permissions) fields.permissions = [...new Set(fields.permissions)];
    if (fields.email) fields.email = normalizeEmail(fields.email).value;
    if (caller.userId === id) await this.own.confirm(caller, { ...fields, ...passwordsOf(request) });
    const passwordHash = request.password
      ? await this.passwords.hash(request.password, caller.ip)
      : undefined;
    return this.database.write(async (tx) => {
      const demotes = fields.role !== undefined && fields.role !== 'ADMIN';
      const { organizationId } = caller;
      const user = await lockUser(tx, organizationId, id, demotes);
      if (fields.permissions) {
        assertMayGrant(
          caller,
          fields.permissions.filter((permission) => !user.permissions.includes(permission)),
        );
      }
      // Whoever sets another user's password or address can sign in as that user.
      const isOpened = passwordHash !== undefined || (fields.email && fields.email !== user.email);
      if (isOpened && caller.userId !== id) assertMayGrant(caller, user.permissions);
      // Invitations of a former ADMIN are void.
      if (demotes) await tx.repository(Invitation).delete({ organizationId, createdBy: id });
      const after = { ...fields, ...confirmationOf(fields.email, user, caller) };
      const changes = changesBetween<User>(user, after);
      if (passwordHash) {
        changes.password = { from: HIDDEN, to: HIDDEN };
        await endSessionsOf(tx, id, caller.userId === id ? caller.sessionId : undefined);
      }
      if (Object.keys(changes).length === 0) return user;
      const changed = { ...after, ...(passwordHash && { passwordHash }), updatedAt: this.clock.date() };
      const taken = orTaken(fields.username ?? user.username);
      await tx.repository(User).update({ id, organizationId }, changed).catch(taken);
      await this.audit.record(tx, caller, {
        action: 'user.update',
        resourceType: 'user',
        resourceId: id,
        changes: auditable(changes),
      });
      this.keys.userChanged(tx, id);
      return Object.assign(user, changed);
    });
  }

  /** @throws NotFound */
  async get({ organizationId }: Editor, id: number): Promise<User> {
    const user = await this.database.repository(User).findOneBy({ id, organizationId });
    if (!user) throw new NotFound('User');
    return user;
  }

  /** Ends all console sessions of a user, including the caller's. @throws NotFound */
  async endSessions(caller: Caller, id: number): Promise<void> {
    const { organizationId } = caller;
    await this.database.write(async (tx) => {
      if (!(await tx.repository(User).existsBy({ id, organizationId }))) throw new NotFound('User');
      const ended = await endSessionsOf(tx, id);
      if (ended === 0) return;
      await this.audit.record(tx, caller, {
        action: 'user.end_sessions',
        resourceType: 'user',
        resourceId: id,
      });
    });
  }

  /** Deletes the user with their keys and console sessions. @throws NotFound, LAST_ADMIN */
  async remove(caller: Caller, id: number): Promise<void> {
    const { organizationId } = caller;
    await this.database.write(async (tx) => {
      const user = await lockUser(tx, organizationId, id, true);
      const [removed] = await tx.query<{ hashes: Buffer[] | null }>(
        `WITH gone AS (DELETE FROM api_keys WHERE organization_id = $1 AND user_id = $2
                       RETURNING array_remove(ARRAY[hash, previous_hash], NULL) AS hashes)
         SELECT array_agg(hash) AS hashes FROM gone, unnest(hashes) AS hash`,
        [organizationId, id],
      );
      await tx.repository(User).delete({ id, organizationId });
      await this.audit.record(tx, caller, {
        action: 'user.delete',
        resourceType: 'user',
        resourceId: id,
        changes: { username: { from: user.username, to: null } },
      });
      this.keys.changed(tx, removed?.hashes ?? []);
    });
  }
}

function passwordsOf({ password, currentPassword }: UpdateUserRequest) {
  return { password, currentPassword };
}

/** An address is confirmed when an ADMIN sets it, but not when other users set their own. */
function confirmationOf(
  email: string | null | undefined,
  user: User,
  caller: Requester,
): Pick<User, 'emailConfirmed'> | undefined {
  if (email === undefined) return undefined;
  const same = user.emailConfirmed && user.email === email;
  return { emailConfirmed: email !== null && (same || hasRole(caller, 'ADMIN')) };
}

/** Omits e-mail addresses, which the audit log must not contain. */
function auditable({ email, ...changes }: AuditChanges): AuditChanges {
  const hidden = (value: unknown) => (value === null ? null : HIDDEN);
  return email ? { ...changes, email: { from: hidden(email.from), to: hidden(email.to) } } : changes;
}

/** Locks every user of the organization, in the same order as `lockUser`. */
export async function lockUsers(tx: Tx, { caller, requester }: EditRequest): Promise<void> {
  await tx.query(
    `SELECT FROM users
      WHERE organization_id = coalesce($1, (SELECT organization_id FROM users WHERE id = $2)) ORDER BY id FOR UPDATE`,
    [caller?.organizationId ?? null, requester?.userId ?? null],
  );
}

/**
 * Locks the user and, if an ADMIN may be removed, every ADMIN, in a fixed order: so two ADMINs who demote each other
 * concurrently neither both succeed nor deadlock.
 * @throws NotFound, LAST_ADMIN
 */
async function lockUser(tx: Tx, organizationId: number, id: number, adminGoes: boolean): Promise<User> {
  const locked = await tx.query<{ id: number; role: Role }>(
    `SELECT id, role FROM users WHERE organization_id = $1 AND (id = $2 OR ($3 AND role = 'ADMIN'))
     ORDER BY id FOR UPDATE`,
    [organizationId, id, adminGoes],
  );
  const role = locked.find((user) => user.id === id)?.role;
  if (role === undefined) throw new NotFound('User');
  const others = locked.some((user) => user.id !== id && user.role === 'ADMIN');
  if (adminGoes && role === 'ADMIN' && !others) throw new DomainError('LAST_ADMIN');
  return tx.repository(User).findOneByOrFail({ id, organizationId });
}
