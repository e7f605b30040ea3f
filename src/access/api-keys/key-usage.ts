import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { BoundedCache } from '../../common/bounded-cache';
import { Clock } from '../../common/time/clock';
import { Database } from '../../infrastructure/database/database';

const MINUTE_MS = 60_000;
const FLUSH_AFTER_MS = 500;

/**
 * Records `lastUsedAt` of keys, to the minute: at most one write per key and minute, and no call waits for
 * it.
 */
@Injectable()
export class KeyUsage implements OnModuleDestroy {
  /** The minute in which a key was last seen by this process. */
  private readonly seen = new BoundedCache<number, number>(50_000);
  private readonly pending = new Map<number, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly database: Database,
  ) {}

  touch(keyId: number): void {
    const minute = Math.floor(this.clock.now() / MINUTE_MS) * MINUTE_MS;
    if (this.seen.get(keyId) === minute) return;
    this.seen.set(keyId, minute);
    this.pending.set(keyId, minute);
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref();
  }

  /** Writes the uses since the last flush. If Postgres is down, the next flush retries. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const batch = [...this.pending];
    if (batch.length === 0) return;
    this.pending.clear();
    try {
      await this.database.execute(
        `UPDATE api_keys k SET last_used_at = seen.at
         FROM unnest($1::bigint[], $2::timestamptz[]) AS seen (id, at)
         WHERE k.id = seen.id AND (k.last_used_at IS NULL OR k.last_used_at < seen.at)`,
        [batch.map(([id]) => id), batch.map(([, minute]) => new Date(minute))],
      );
    } catch {
      for (const [id, minute] of batch) this.pending.set(id, Math.max(minute, this.pending.get(id) ?? 0));
    }
  }

  async onModuleDestroy(): Promise<void> {
    await this.flush();
  }
}
