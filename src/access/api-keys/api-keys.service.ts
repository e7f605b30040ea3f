import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { NotFound } from '../../common/errors/errors';
import type { PageQuery } from '../../common/pagination/page';
import { Clock } from '../../common/time/clock';
import { assertMayActFor } from '../administration';
import type { AuditChanges } from '../audit/audit-entry.entity';
import { AuditLog, changesBetween } from '../audit/audit-log';
import type { Caller } from '../caller';
import { User } from '../users/user.entity';
import { ApiKey } from './api-key.entity';
import { ApiKeyCache } from './api-key-cache';
import type { CreateApiKeyRequest, NewApiKey } from './api-keys.dto';
import { hashKey, makeKey, displayPrefix } from './key-format';
import { Database } from '../../infrastructure/database/database';
import type { Tx } from '../../infrastructure/database/tx';

/** Keys of the Service API. */
@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly database: Database,
    private readonly snapshots: ApiKeyCache,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  list(caller: Caller, { page, size }: PageQuery): Promise<[rows: ApiKey[], total: number]> {
    return this.keys.findAndCount({
      where: { organizationId: caller.organizationId },
      order: { id: 'DESC' },
      skip: page * size,
      take: size,
    });
  }

  /** @throws PermissionDenied, NotFound if the organization has no such user */
  async create(caller: Caller, { name, userId }: CreateApiKeyRequest): Promise<NewApiKey> {
    const { organizationId } = caller;
    const apiKey = makeKey('wp_live_');
    return this.database.write(async (tx) => {
      const user = await tx.repository(User).findOne({
        where: { id: userId, organizationId },
        lock: { mode: 'pessimistic_read' },
      });
      if (!user) throw new NotFound('User');
      assertMayGrant(caller, user.permissions);
      const fields = { ...stored(apiKey), name, userId, organizationId, createdAt: this.clock.date() };
      const row = await tx.repository(ApiKey).save(tx.repository(ApiKey).create(fields));
      const { prefix } = row;
      await this.record(tx, caller, 'create', row.id, changesBetween({}, { name, userId, prefix }));
      return { row, apiKey };
    });
  }

  /** Keeps the id; the old key stops working at once. @throws NotFound, PermissionDenied */
  async regenerate(caller: Caller, id: number): Promise<NewApiKey> {
    const apiKey = makeKey('wp_live_');
    return this.database.write(async (tx) => {
      const row = await this.lock(tx, caller, id);
      const { hash, prefix } = row;
      await tx.repository(ApiKey).save(Object.assign(row, stored(apiKey)));
      await this.record(tx, caller, 'regenerate', id, { prefix: { from: prefix, to: row.prefix } });
      this.snapshots.removed(tx, [hash]);
      return { row, apiKey };
    });
  }

  /** @throws NotFound, PermissionDenied */
  async remove(caller: Caller, id: number): Promise<void> {
    await this.database.write(async (tx) => {
      const { name, prefix, hash } = await this.lock(tx, caller, id);
      await tx.repository(ApiKey).delete({ id, organizationId: caller.organizationId });
      const changes = { name: { from: name, to: null }, prefix: { from: prefix, to: null } };
      await this.record(tx, caller, 'delete', id, changes);
      this.snapshots.removed(tx, [hash]);
    });
  }

  private async lock(tx: Tx, caller: Caller, id: number): Promise<ApiKey> {
    const key = await tx.repository(ApiKey).findOne({
      where: { id, organizationId: caller.organizationId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!key) throw new NotFound('API key');
    assertMayActFor(caller, key.userId);
    return key;
  }

  private record(tx: Tx, caller: Caller, verb: string, id: number, changes: AuditChanges): Promise<void> {
    const change = { action: `api_key.${verb}`, resourceType: 'api_key', resourceId: id, changes };
    return this.audit.record(tx, caller, change);
  }
}

function stored(apiKey: string): Pick<ApiKey, 'hash' | 'prefix' | 'lastUsedAt'> {
  return { hash: hashKey(apiKey), prefix: displayPrefix(apiKey), lastUsedAt: null };
}
