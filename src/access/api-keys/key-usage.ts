import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { BoundedCache } from '../../common/bounded-cache';
import { Clock } from '../../common/time/clock';
import { Database } from '../../infrastructure/database/database';

const MINUTE_MS = 60_000;
const FLUSH_AFTER_MS = 500;

/** Locks rows in the order of their ids, because several processes record uses of the same keys. */
const RECORD = `
  WITH used AS (SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::timestamptz[]) AS used (id, hash, at)),
  locked AS (
    SELECT id, hash, previous_hash FROM api_keys WHERE id IN (SELECT id FROM used) ORDER BY id FOR UPDATE
  )
  UPDATE api_keys AS k
     SET last_used_at = greatest(k.last_used_at, (SELECT at FROM used WHERE used.hash = locked.hash)),
         previous_last_used_at =
           greatest(k.previous_last_used_at, (SELECT at FROM used WHERE used.hash = locked.previous_hash))
    FROM locked WHERE k.id = locked.id`;

interface Use {
  readonly id: number;
  readonly hash: Buffer;
  readonly at: Date;
}

/** Records the last use of keys by the minute: at most one write per key and minute, which no request waits for. */
@Injectable()
export class KeyUsage implements OnModuleDestroy {
  /** The last minute in which this process saw a key, by the key's hash. */
  private readonly seen = new BoundedCache<string, number>(50_000);
  private pending = new Map<string, Use>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly database: Database,
  ) {}

  /** @param hash tells the current key from its predecessor */
  touch(id: number, hash: Buffer): void {
    const minute = Math.floor(this.clock.now() / MINUTE_MS) * MINUTE_MS;
    const key = hash.toString('hex');
    if (this.seen.get(key) === minute) return;
    this.seen.set(key, minute);
    this.pending.set(key, { id, hash, at: new Date(minute) });
    this.flushAfter(FLUSH_AFTER_MS);
  }

  /** Writes the uses since the last flush; after a failure, they are kept for the next one. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const batch = this.pending;
    if (batch.size === 0) return;
    this.pending = new Map();
    const uses = [...batch.values()];
    try {
      await this.database.execute(RECORD, [
        uses.map(({ id }) => id),
        uses.map(({ hash }) => hash),
        uses.map(({ at }) => at),
      ]);
    } catch {
      this.pending = new Map([...batch, ...this.pending]);
      this.flushAfter(MINUTE_MS);
    }
  }

  async onModuleDestroy(): Promise<void> {
    await this.flush();
  }

  private flushAfter(ms: number): void {
    this.timer ??= setTimeout(() => void this.flush(), ms).unref();
  }
}
