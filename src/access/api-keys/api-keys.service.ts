import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { NotFound, ValidationFailed } from '../../common/errors/errors';
import type { PageQuery } from '../../common/pagination/page';
import { Clock } from '../../common/time/clock';
import { parseDateTime } from '../../common/time/parse';
import { assertMayGrant } from '../administration';
import type { AuditChanges } from '../audit/audit-entry.entity';
import { AuditLog, changesBetween } from '../audit/audit-log';
import type { Caller } from '../caller';
import { supplied, suppliedValues } from '../supplied';
import { EVERY_SCOPE } from '../scopes';
import { User } from '../user.entity';
import { ApiKey, hashesOf } from './api-key.entity';
import { ApiKeyCache } from './api-key-cache';
import type {
  CreateApiKeyRequest,
  NewApiKey,
  RegenerateApiKeyRequest,
  UpdateApiKeyRequest,
} from './api-keys.dto';
import { takeRoom } from '../organizations/room';
import { hashKey, makeKey, displayPrefix } from './key-format';
import { Database, type Tx } from '../../infrastructure/database/database';

const HOUR_MS = 3_600_000;

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

  /** @throws PermissionDenied; NotFound if the organization has no such user */
  async create(caller: Caller, request: CreateApiKeyRequest): Promise<NewApiKey> {
    const { name, userId, scopes = [EVERY_SCOPE] } = request;
    const { organizationId } = caller;
    const limits = { scopes: unique(scopes), expiresAt: this.expiry(request.expiresAt) };
    const apiKey = makeKey('wp_live_');
    return this.database.write(async (tx) => {
      await this.assertMayActFor(tx, caller, userId);
      await takeRoom(tx, organizationId, 'apiKeys', () => tx.repository(ApiKey).countBy({ organizationId }));
      const fields = { name, userId, ...limits };
      const columns = { ...stored(apiKey), ...fields, organizationId, createdAt: this.clock.date() };
      const row = await tx.repository(ApiKey).save(tx.repository(ApiKey).create(columns));
      const changes = changesBetween({}, { ...fields, prefix: row.prefix });
      await this.record(tx, caller, 'create', row.id, changes);
      return { row, apiKey };
    });
  }

  /** @throws NotFound, PermissionDenied, ValidationFailed */
  async update(caller: Caller, id: number, request: UpdateApiKeyRequest): Promise<ApiKey> {
    const { scopes, ...rest } = suppliedValues(request, ['name', 'scopes']);
    const fields: Partial<ApiKey> = { ...rest, ...(scopes && { scopes: unique(scopes) }) };
    const { expiresAt } = supplied(request, ['expiresAt']);
    if (expiresAt !== undefined) fields.expiresAt = this.expiry(expiresAt);
    return this.database.write(async (tx) => {
      const row = await this.lock(tx, caller, id);
      const changes = changesBetween<ApiKey>(row, fields);
      if (Object.keys(changes).length === 0) return row;
      await this.store(tx, row, fields);
      await this.record(tx, caller, 'update', id, changes);
      this.snapshots.changed(tx, hashesOf(row));
      return row;
    });
  }

  /**
   * Replaces the key under the same id. The old key works until the overlap ends, the one before it no longer.
   * @throws NotFound, PermissionDenied
   */
  async regenerate(
    caller: Caller,
    id: number,
    { overlapHours = 0 }: RegenerateApiKeyRequest = {},
  ): Promise<NewApiKey> {
    const apiKey = makeKey('wp_live_');
    return this.database.write(async (tx) => {
      const row = await this.lock(tx, caller, id);
      await this.assertMayActFor(tx, caller, row.userId);
      const { hash, prefix, lastUsedAt } = row;
      this.snapshots.changed(tx, hashesOf(row));
      const previousExpiresAt = overlapHours > 0 ? new Date(this.clock.now() + overlapHours * HOUR_MS) : null;
      const previous = {
        previousHash: previousExpiresAt && hash,
        previousExpiresAt,
        previousLastUsedAt: previousExpiresAt && lastUsedAt,
      };
      await this.store(tx, row, { ...stored(apiKey), ...previous });
      const changes: AuditChanges = { prefix: { from: prefix, to: row.prefix } };
      if (overlapHours > 0) changes.overlapHours = { from: null, to: overlapHours };
      await this.record(tx, caller, 'regenerate', id, changes);
      return { row, apiKey };
    });
  }

  /** @throws NotFound, PermissionDenied */
  async remove(caller: Caller, id: number): Promise<void> {
    await this.database.write(async (tx) => {
      const row = await this.lock(tx, caller, id);
      const { name, prefix } = row;
      await tx.repository(ApiKey).delete({ id, organizationId: caller.organizationId });
      const changes = { name: { from: name, to: null }, prefix: { from: prefix, to: null } };
      await this.record(tx, caller, 'delete', id, changes);
      this.snapshots.changed(tx, hashesOf(row));
    });
  }

  private async store(tx: Tx, row: ApiKey, fields: Partial<ApiKey>): Promise<void> {
    const { id, organizationId } = row;
    await tx.repository(ApiKey).update({ id, organizationId }, fields);
    Object.assign(row, fields);
  }

  /** @throws ValidationFailed if it is not in the future */
  private expiry(text: string | null | undefined): Date | null {
    const date = text ? parseDateTime(text) : null;
    if (date && date.getTime() <= this.clock.now()) {
      throw ValidationFailed.field('expiresAt', 'must be in the future');
    }
    return date;
  }

  /** Locks the user of a key. @throws NotFound, PermissionDenied */
  private async assertMayActFor(tx: Tx, caller: Caller, userId: number): Promise<void> {
    const user = await tx.repository(User).findOne({
      where: { id: userId, organizationId: caller.organizationId },
      lock: { mode: 'pessimistic_read' },
    });
    if (!user) throw new NotFound('User', 'userId');
    assertMayGrant(caller, user.permissions);
  }

  /** @throws NotFound */
  async get({ organizationId }: Caller, id: number): Promise<ApiKey> {
    const key = await this.database.repository(ApiKey).findOneBy({ id, organizationId });
    if (!key) throw new NotFound('API key');
    return key;
  }

  private async lock(tx: Tx, caller: Caller, id: number): Promise<ApiKey> {
    const key = await tx.repository(ApiKey).findOne({
      where: { id, organizationId: caller.organizationId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!key) throw new NotFound('API key');
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

function unique(scopes: readonly string[]): string[] {
  return [...new Set(scopes)];
}
