import type { RedisStore } from '../redis/redis';

interface Mark {
  readonly lsn: number;
  /** Milliseconds of the monotonic clock. */
  readonly until: number;
}

/** A slower process must not replace a later LSN. */
const RAISE = `
  if (tonumber(redis.call('GET', KEYS[1]) or 0) < tonumber(ARGV[1])) then
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  end`;

/**
 * The LSN of the primary after an organization's last write: in Redis for all processes, or here without REDIS_URL, when
 * there is only one.
 */
export class WriteMarks {
  /** By organization, the oldest first. */
  private readonly marks = new Map<number, Mark>();

  constructor(
    private readonly redis: RedisStore,
    /** A replica that may be read has what is older. */
    private readonly forMs: number,
  ) {}

  /** @returns whether every process can see it */
  async set(organizationId: number, lsn: number): Promise<boolean> {
    if (!this.redis.configured) {
      this.setHere(organizationId, lsn);
      return true;
    }
    const key = this.key(organizationId);
    const redis = this.redis.readyFor(key);
    if (!redis) return false;
    return redis.eval(RAISE, 1, key, lsn, this.forMs).then(
      () => true,
      () => false,
    );
  }

  /** 0 if the organization has not written lately; Infinity if that cannot be known. */
  async get(organizationId: number): Promise<number> {
    if (!this.redis.configured) return this.marks.get(organizationId)?.lsn ?? 0;
    const key = this.key(organizationId);
    const redis = this.redis.readyFor(key);
    // A Redis that has just come back may have lost marks.
    if (!redis || this.redis.connectedFor(key) < this.forMs) return Infinity;
    return redis.get(key).then(Number, () => Infinity);
  }

  private setHere(organizationId: number, lsn: number): void {
    const now = performance.now();
    const before = this.marks.get(organizationId)?.lsn ?? 0;
    this.marks.delete(organizationId);
    this.marks.set(organizationId, { lsn: Math.max(before, lsn), until: now + this.forMs });
    for (const [id, { until }] of this.marks) {
      if (until > now) break;
      this.marks.delete(id);
    }
  }

  private key(organizationId: number): string {
    return this.redis.key(`wrote:${organizationId}`);
  }
}
