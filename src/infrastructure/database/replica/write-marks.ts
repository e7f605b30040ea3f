import type { RedisStore } from '../../redis/redis';

interface Mark {
  readonly lsn: number;
  /** Milliseconds of the monotonic clock. */
  readonly until: number;
}

/** A slower process must not replace a later LSN. */
const RAISE = `
  local lsn = redis.call('GET', KEYS[1])
  if (not lsn or tonumber(lsn) < tonumber(ARGV[1])) then lsn = ARGV[1] end
  redis.call('SET', KEYS[1], lsn, 'PX', ARGV[2])`;

/** Marks in this process: by organization, the oldest first. */
type Marks = Map<number, Mark>;

/**
 * The LSN of the primary after an organization's last write, Infinity where the primary could not tell it: in Redis for
 * all processes, or here without REDIS_URL, when there is only one.
 */
export class WriteMarks {
  private readonly known: Marks = new Map();
  /** Apart, so that they end by themselves, however often the organization writes. */
  private readonly unknown: Marks = new Map();

  constructor(
    private readonly redis: RedisStore,
    /** A replica that may be read has what is older. */
    private readonly forMs: number,
  ) {}

  /** @returns whether every process can see it */
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

  /** 0 if the organization has not written lately; Infinity if that cannot be known. */
  async get(organizationId: number): Promise<number> {
    if (!this.redis.configured) {
      return Math.max(lsnIn(this.known, organizationId), lsnIn(this.unknown, organizationId));
    }
    const { known, unknown } = this.keys(organizationId);
    const redis = this.redis.readyFor(known);
    // A Redis that has just come back may have lost marks.
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
