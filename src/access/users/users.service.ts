import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { NotFound } from '../../common/errors/errors';
import type { PageQuery } from '../../common/pagination/page';
import { Clock } from '../../common/time/clock';
import { ApiKeyCache } from '../api-keys/api-key-cache';
import { assertMayActFor, assertMayGrant, assertRole } from '../administration';
import { AuditLog, changesBetween } from '../audit/audit-log';
import type { Caller } from '../caller';
import type { Role } from '../roles';
import { supplied } from '../supplied';
import { hashPassword } from './password';
import { ConsoleSession } from '../console/console-session.entity';
import { User } from './user.entity';
import type { CreateUserRequest, UpdateUserRequest } from './users.dto';
import { LastAdmin, orUsernameTaken } from './users.errors';
import { Database } from '../../infrastructure/database/database';
import type { Tx } from '../../infrastructure/database/tx';

/** Placeholder for a password in the audit log. */
const HIDDEN = '***';

@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly database: Database,
    private readonly keys: ApiKeyCache,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  list(caller: Caller, { page, size }: PageQuery): Promise<[rows: User[], total: number]> {
    return this.users.findAndCount({
      where: { organizationId: caller.organizationId },
      order: { id: 'DESC' },
      skip: page * size,
      take: size,
    });
  }

  /** @throws PermissionDenied, AlreadyExists if the name is taken in any organization */
  async create(caller: Caller, request: CreateUserRequest): Promise<User> {
    const { username } = request;
    const permissions = [...new Set(request.permissions ?? [])];
    assertMayGrant(caller, permissions);
    const passwordHash = await hashPassword(request.password);
    const now = this.clock.date();
    return this.database.write(async (tx) => {
      const users = tx.repository(User);
      const { organizationId } = caller;
      const role = request.role ?? (await this.firstRole(tx, organizationId));
      const fields = { organizationId, username, passwordHash, role, permissions };
      const created = await users
        .save(users.create({ ...fields, createdAt: now, updatedAt: now }))
        .catch(orUsernameTaken(username));
      await this.audit.record(tx, caller, {
        action: 'user.create',
        resourceType: 'user',
        resourceId: created.id,
        changes: changesBetween({}, { username, role, permissions }),
      });
      return created;
    });
  }

  /** The first user of an organization is its ADMIN. */
  private async firstRole(tx: Tx, organizationId: number): Promise<Role> {
    return (await tx.repository(User).existsBy({ organizationId })) ? 'VIEWER' : 'ADMIN';
  }

  /**
   * A new password ends every console session of the user; a new role and new permissions apply to keys at once.
   * @throws RoleRequired, PermissionDenied, NotFound, LastAdmin, AlreadyExists
   */
  async update(caller: Caller, id: number, request: UpdateUserRequest): Promise<User> {
    assertMayActFor(caller, id);
    const { password, ...fields } = supplied(request, ['username', 'password', 'role', 'permissions']);
    if (fields.role) assertRole(caller, 'ADMIN');
    if (fields.permissions) {
      fields.permissions = [...new Set(fields.permissions)];
      assertMayGrant(caller, fields.permissions);
    }
    const passwordHash = password === undefined ? undefined : await hashPassword(password);
    return this.database.write(async (tx) => {
      const users = tx.repository(User);
      const user = await users.findOne({
        where: { id, organizationId: caller.organizationId },
        lock: { mode: 'pessimistic_write' },
      });
      if (!user) throw new NotFound('User');
      // Whoever sets another user's password can log in as that user.
      if (passwordHash && caller.userId !== id) assertMayGrant(caller, user.permissions);
      if (user.role === 'ADMIN' && fields.role && fields.role !== 'ADMIN') await assertOtherAdmin(tx, user);
      const changes = changesBetween<User>(user, fields);
      if (passwordHash) {
        changes.password = { from: HIDDEN, to: HIDDEN };
        await tx.repository(ConsoleSession).delete({ userId: id });
      }
      if (Object.keys(changes).length === 0) return user;
      Object.assign(user, fields, passwordHash && { passwordHash }, { updatedAt: this.clock.date() });
      await users.save(user).catch(orUsernameTaken(user.username));
      await this.audit.record(tx, caller, {
        action: 'user.update',
        resourceType: 'user',
        resourceId: id,
        changes,
      });
      this.keys.userChanged(tx, id);
      return user;
    });
  }

  /** Also deletes the user's keys and console sessions. @throws NotFound, LastAdmin */
  async remove(caller: Caller, id: number): Promise<void> {
    const { organizationId } = caller;
    await this.database.write(async (tx) => {
      const user = await tx.repository(User).findOne({
        where: { id, organizationId },
        lock: { mode: 'pessimistic_write' },
      });
      if (!user) throw new NotFound('User');
      if (user.role === 'ADMIN') await assertOtherAdmin(tx, user);
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

/** @throws LastAdmin, also for two admins who demote each other at once, since both lock every admin in one order */
async function assertOtherAdmin(tx: Tx, { organizationId, id }: User): Promise<void> {
  const admins = await tx.query<{ id: number }>(
    `SELECT id FROM users WHERE organization_id = $1 AND role = 'ADMIN' ORDER BY id FOR UPDATE`,
    [organizationId],
  );
  if (!admins.some((admin) => admin.id !== id)) throw new LastAdmin();
}
