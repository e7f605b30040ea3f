import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import type { Channel } from '../../../common/contact-values/channel-value';
import type { BulkJobChunk, BulkJobHandler, BulkJobProgress } from '../../../infrastructure/jobs/bulk-job';
import { BulkJobHandlers } from '../../../infrastructure/jobs/bulk-job-handlers';
import { UnsubscribeChanges } from '../unsubscribe-changes';
import { checkItems } from '../unsubscribe-items';
import { MAX_ITEMS } from '../unsubscribes.dto';
import type { Tx } from '../../../infrastructure/database/database';

export interface JobContext {
  readonly channel: Channel;
  readonly region: string;
  /** Time of the request in milliseconds. */
  readonly at: number;
  /** Source of items without one. */
  readonly source: string | null;
  /** Opt-out time of items without one, in milliseconds. */
  readonly unsubscribedAt: number;
  readonly by: Pick<Caller, 'actor' | 'userId' | 'username' | 'ip'>;
}

@Injectable()
export class UnsubscribeJob implements BulkJobHandler<JobContext>, OnModuleInit {
  readonly type = 'UNSUBSCRIBES';
  /** A request is processed in a single chunk, so that webhooks get one summary. */
  readonly chunkSize = MAX_ITEMS;

  constructor(
    private readonly handlers: BulkJobHandlers,
    private readonly changes: UnsubscribeChanges,
  ) {}

  onModuleInit(): void {
    this.handlers.register(this);
  }

  async process(tx: Tx, chunk: BulkJobChunk<JobContext, unknown>): Promise<BulkJobProgress> {
    const { organizationId, context, items, start } = chunk;
    const { channel, region, at, by, source, unsubscribedAt } = context;
    const { entries, invalid } = checkItems(items, {
      channel,
      method: 'API',
      source,
      at: new Date(unsubscribedAt),
      region,
      now: new Date(at),
      start,
    });
    const caller = { ...by, permissions: new Set<string>(), role: null };
    const created = await this.changes.register(tx, caller, { organizationId, channel }, entries);
    return {
      accepted: created.length,
      duplicated: items.length - invalid.length - created.length,
      failed: invalid.length,
      errors: invalid,
    };
  }
}
