import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { NotFound } from '../../common/errors/errors';
import type { PageQuery } from '../../common/pagination/page';
import { Clock } from '../../common/time/clock';
import { ApiKeyCache } from '../api-keys/api-key-cache';
import { assertMayActFor, assertMayGrant } from '../administration';
import { AuditLog, changesBetween } from '../audit/audit-log';
import type { Caller } from '../caller';
import { supplied } from '../supplied';
import { hashPassword } from './password';
import { ConsoleSession } from '../console/console-session.entity';
import { User } from './user.entity';
import type { CreateUserRequest, UpdateUserRequest } from './users.dto';
import { orUsernameTaken } from './users.errors';
import { Database } from '../../infrastructure/database/database';

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
      const fields = { organizationId, username, passwordHash, permissions, createdAt: now, updatedAt: now };
      const created = await users.save(users.create(fields)).catch(orUsernameTaken(username));
      await this.audit.record(tx, caller, {
        action: 'user.create',
        resourceType: 'user',
        resourceId: created.id,
        changes: changesBetween({}, { username, permissions }),
      });
      return created;
    });
  }

  /**
   * A new password ends every console session of the user; new permissions apply to keys at once.
   * @throws PermissionDenied, NotFound, AlreadyExists
   */
  async update(caller: Caller, id: number, request: UpdateUserRequest): Promise<User> {
    assertMayActFor(caller, id);
    const { password, ...fields } = supplied(request, ['username', 'password', 'permissions']);
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

  /** Also deletes the user's keys and console sessions. */
  async remove(caller: Caller, id: number): Promise<void> {
    const { organizationId } = caller;
    await this.database.write(async (tx) => {
      const user = await tx.repository(User).findOne({
        where: { id, organizationId },
        lock: { mode: 'pessimistic_write' },
      });
      if (!user) throw new NotFound('User');
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
