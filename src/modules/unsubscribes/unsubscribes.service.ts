import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { Clock } from '../../common/time/clock';
import { BulkJobs } from '../../infrastructure/jobs/bulk-jobs';
import type { ChannelOf, Unsubscribe } from './unsubscribe';
import { UnsubscribeChanges } from './unsubscribe-changes';
import type { JobContext } from './import/unsubscribe-job';
import { UnsubscribesRepository } from './unsubscribes.repository';
import { checkItems } from './unsubscribe-items';
import { checkValues, lookedUpValue, queryValueOf, unsubscribedAtOf, valueOf } from './unsubscribe-values';
import {
  type BulkRegisterRequest,
  type BulkRegisterResponse,
  type BulkRemovedResponse,
  type BulkRemoveRequest,
  type CheckResponse,
  type RegisterRequest,
  type RemovedResponse,
  toOptOutEntry,
  type ValueQuery,
} from './unsubscribes.dto';
import { Database } from '../../infrastructure/database/database';

/**
 * Registers, deletes and checks opt-outs for customers' servers
 * (docs/concepts/opt-outs.md#registering-and-removing).
 */
@Injectable()
export class UnsubscribesService {
  constructor(
    private readonly rows: UnsubscribesRepository,
    private readonly changes: UnsubscribeChanges,
    private readonly database: Database,
    private readonly jobs: BulkJobs,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the entry, and whether it already existed
   * @throws ValidationFailed
   */
  async register(
    caller: Caller,
    request: RegisterRequest,
  ): Promise<{ entry: Unsubscribe; duplicated: boolean }> {
    const of = { organizationId: caller.organizationId, channel: request.channel };
    const entry = {
      value: valueOf(request.channel, request.value, caller.organization.defaultRegion),
      method: 'API' as const,
      source: request.source ?? null,
      unsubscribedAt: unsubscribedAtOf(request.unsubscribedAt, this.clock.date()),
    };
    for (;;) {
      const [created] = await this.database.write((tx) => this.changes.register(tx, caller, of, [entry]));
      if (created) return { entry: created, duplicated: false };
      const found = await this.rows.find(of, entry.value);
      // If it is missing, it has been deleted in the meantime, so the loop registers it again.
      if (found) return { entry: found, duplicated: true };
    }
  }

  async registerMany(caller: Caller, request: BulkRegisterRequest): Promise<BulkRegisterResponse> {
    const of = { organizationId: caller.organizationId, channel: request.channel };
    const now = this.clock.date();
    const { entries, invalid } = checkItems(request.items, {
      channel: request.channel,
      method: 'API',
      source: request.source || null,
      at: unsubscribedAtOf(request.unsubscribedAt, now),
      region: caller.organization.defaultRegion,
      now,
      start: 0,
    });
    const created = await this.database.write((tx) => this.changes.register(tx, caller, of, entries));
    const duplicated = request.items.length - invalid.length - created.length;
    return { channel: request.channel, accepted: created.length, duplicated, invalid };
  }

  /** Starts a job that does the same as `registerMany`. @returns the job's id */
  async registerLater(
    caller: Caller,
    { channel, items, source, unsubscribedAt }: BulkRegisterRequest,
  ): Promise<number> {
    const { actor, userId, username, ip, organization } = caller;
    const context: JobContext = {
      channel,
      region: organization.defaultRegion,
      at: this.clock.now(),
      source: source || null,
      unsubscribedAt: unsubscribedAtOf(unsubscribedAt, this.clock.date()).getTime(),
      by: { actor, userId, username, ip },
    };
    return this.database.write((tx) =>
      this.jobs.enqueue(tx, caller.organizationId, 'UNSUBSCRIBES', { context, items }),
    );
  }

  /** @throws ValidationFailed */
  async remove(caller: Caller, { channel, value: text }: ValueQuery): Promise<RemovedResponse> {
    const of = { organizationId: caller.organizationId, channel };
    const value = queryValueOf(channel, text, caller.organization.defaultRegion);
    const [removed] = await this.database.write((tx) => this.changes.remove(tx, caller, of, [value]));
    return {
      channel,
      value,
      deleted: removed !== undefined,
      entry: removed ? toOptOutEntry({ ...removed, id: removed.sourceId }) : null,
    };
  }

  async removeMany(caller: Caller, { channel, values }: BulkRemoveRequest): Promise<BulkRemovedResponse> {
    const of: ChannelOf = { organizationId: caller.organizationId, channel };
    const items = values.map((value) => ({ value }));
    const checked = checkValues(channel, items, caller.organization.defaultRegion);
    const deleted = await this.database.write((tx) =>
      this.changes.remove(tx, caller, of, [...checked.values.keys()]),
    );
    return { deleted: deleted.length, notFound: values.length - deleted.length };
  }

  /** @throws ValidationFailed */
  async check(caller: Caller, { channel, value: text }: ValueQuery): Promise<CheckResponse> {
    const { value, problem } = lookedUpValue(channel, text, caller.organization.defaultRegion);
    const of = { organizationId: caller.organizationId, channel };
    const unsubscribed = value !== null && (await this.rows.exists(of, value));
    return { channel, unsubscribed, ...(problem !== null && { problem }) };
  }
}
