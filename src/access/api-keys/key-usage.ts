import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { BoundedCache } from '../../common/bounded-cache';
import { Clock } from '../../common/time/clock';
import { Database } from '../../infrastructure/database/database';

const MINUTE_MS = 60_000;
const FLUSH_AFTER_MS = 500;
/** Processes use the same keys, so they lock them in the same order. */
const RECORD = `
  WITH used AS (
    SELECT k.id, seen.at
      FROM api_keys AS k JOIN unnest($1::bigint[], $2::timestamptz[]) AS seen (id, at) ON seen.id = k.id
     WHERE k.last_used_at IS NULL OR k.last_used_at < seen.at
     ORDER BY k.id FOR UPDATE OF k
  )
  UPDATE api_keys AS k SET last_used_at = used.at FROM used WHERE k.id = used.id`;

/** Records `lastUsedAt` of keys, to the minute: at most one write per key and minute, and no call waits for it. */
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
    this.flushAfter(FLUSH_AFTER_MS);
  }

  /** Writes the uses since the last flush. If Postgres is away, they are written later. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const batch = [...this.pending];
    if (batch.length === 0) return;
    this.pending.clear();
    try {
      await this.database.execute(RECORD, [
        batch.map(([id]) => id),
        batch.map(([, minute]) => new Date(minute)),
      ]);
    } catch {
      for (const [id, minute] of batch) this.pending.set(id, Math.max(minute, this.pending.get(id) ?? 0));
      this.flushAfter(MINUTE_MS);
    }
  }

  private flushAfter(ms: number): void {
    this.timer ??= setTimeout(() => void this.flush(), ms).unref();
  }

  async onModuleDestroy(): Promise<void> {
    await this.flush();
  }
}
