import type { RedisStore } from '../../redis/redis';

interface Mark {
  readonly lsn: number;
  /** Milliseconds of the monotonic clock. */
  readonly until: number;
}

/** Keeps the higher LSN, because a slower process may write an older one later. */
const RAISE = `
  local lsn = redis.call('GET', KEYS[1])
  if (not lsn or tonumber(lsn) < tonumber(ARGV[1])) then lsn = ARGV[1] end
  redis.call('SET', KEYS[1], lsn, 'PX', ARGV[2])`;

/** Marks by organization, in the order in which they expire. */
type Marks = Map<number, Mark>;

/**
 * The primary's LSN after an organization's last write, or Infinity if it could not be read. Kept in Redis, or in
 * memory without REDIS_URL, when there is only one process.
 */
export class WriteMarks {
  private readonly known: Marks = new Map();
  /** Marks without an LSN are kept separately: each expires on time, even if later writes have a known LSN. */
  private readonly unknown: Marks = new Map();

  constructor(
    private readonly redis: RedisStore,
    /** Time to live: writes older than this have been replayed by any replica that may be read. */
    private readonly forMs: number,
  ) {}

  /** @returns whether every process can read the mark */
  async set(organizationId: number, lsn: number): Promise<boolean> {
    if (!this.redis.configured) {
      this.setHere(lsn === Infinity ? this.unknown : this.known, organizationId, lsn);
      return true;
    }
    const { known, unknown } = this.keys(organizationId);
    const redis = this.redis.readyFor(known);
    if (!redis) return false;
    const marking =
      lsn === Infinity
        ? redis.set(unknown, '1', 'PX', this.forMs)
        : redis.eval(RAISE, 1, known, lsn, this.forMs);
    return marking.then(
      () => true,
      () => false,
    );
  }

  /** @returns 0 if the organization has not written lately; Infinity if that is unknown */
  async get(organizationId: number): Promise<number> {
    if (!this.redis.configured) {
      return Math.max(lsnIn(this.known, organizationId), lsnIn(this.unknown, organizationId));
    }
    const { known, unknown } = this.keys(organizationId);
    const redis = this.redis.readyFor(known);
    // A Redis that has just reconnected may have lost marks.
    if (!redis || this.redis.connectedFor(known) < this.forMs) return Infinity;
    return redis.mget(known, unknown).then(
      ([lsn, isUnknown]) => (isUnknown ? Infinity : Number(lsn)),
      () => Infinity,
    );
  }

  private setHere(marks: Marks, organizationId: number, lsn: number): void {
    const now = performance.now();
    const before = lsnIn(marks, organizationId);
    marks.delete(organizationId);
    marks.set(organizationId, { lsn: Math.max(before, lsn), until: now + this.forMs });
    for (const [id, { until }] of marks) {
      if (until > now) break;
      marks.delete(id);
    }
  }

  private keys(organizationId: number): { known: string; unknown: string } {
    const tag = `wrote:${organizationId}`;
    return { known: this.redis.key(tag), unknown: this.redis.key(tag, 'unknown') };
  }
}

function lsnIn(marks: Marks, organizationId: number): number {
  const mark = marks.get(organizationId);
  return mark && mark.until > performance.now() ? mark.lsn : 0;
}
