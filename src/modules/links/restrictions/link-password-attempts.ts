import { Injectable } from '@nestjs/common';
import { networkOf } from '../../../access/client-ip';
import { RateLimitStorage } from '../../../access/rate-limits/rate-limit-storage';
import { verifyPassword } from '../../../access/console/password';
import { FairSemaphore } from '../../../common/fair-semaphore';
import { Visitors } from '../../clicks/visitors';
import type { CachedLink } from '../link-cache';

/** A link and the hash of its password. */
export type Locked = Pick<CachedLink, 'id' | 'organizationId'> & { passwordHash: string };

/** Result of one attempt: BUSY while too many are being verified, or the seconds to wait after too many wrong ones. */
export type Attempt = 'RIGHT' | 'WRONG' | 'BUSY' | { waitSeconds: number };

/** Wrong passwords per link and network within WINDOW_MS. */
const MAX_WRONG = 10;
/** The same for a server that relays many people's guesses. */
const MAX_WRONG_OF_RELAY = 100;
const WINDOW_MS = 10 * 60_000;
const LIMIT_NAME = 'link-password';

/** Concurrent verifications: scrypt is expensive, and runs on the thread pool that the whole process shares. */
const CONCURRENCY = 3;
/** Verifications of an organization that wait. */
const MAX_WAITING = 100;
const MAX_LENGTH = 100;

/** Verifies link passwords and rate-limits wrong ones. */
@Injectable()
export class LinkPasswordAttempts {
  private readonly verifications = new FairSemaphore(CONCURRENCY);

  constructor(
    private readonly limits: RateLimitStorage,
    private readonly visitors: Visitors,
  ) {}

  /**
   * Verifies one guess. It counts as wrong until it turns out right, so that concurrent guesses can't exceed the limit.
   * @param ip as returned by `normalizeIp`
   * @param relay address of the server that states `ip`; since it may state any, its guesses are also limited together
   */
  async attempt(link: Locked, guess: string, ip: string, relay: string | null = null): Promise<Attempt> {
    if (guess === '' || guess.length > MAX_LENGTH * 2) return 'WRONG';
    const { organizationId, passwordHash } = link;
    if (this.verifications.queuedOf(organizationId) >= MAX_WAITING) return 'BUSY';
    const counted = [{ key: this.keyOf(link, ip), limit: MAX_WRONG }];
    if (relay !== null) counted.push({ key: `relay:${this.keyOf(link, relay)}`, limit: MAX_WRONG_OF_RELAY });
    for (const { key, limit } of counted) {
      const { isBlocked, timeToExpire } = await this.limits.increment(key, WINDOW_MS, limit, 0, LIMIT_NAME);
      if (isBlocked) return { waitSeconds: timeToExpire };
    }
    const isRight = await this.verifications.run(organizationId, () => verifyPassword(guess, passwordHash));
    if (!isRight) return 'WRONG';
    for (const { key } of counted) await this.limits.giveBack(key, LIMIT_NAME);
    return 'RIGHT';
  }

  private keyOf({ id }: Locked, ip: string): string {
    return `${id}:${this.visitors.addressHash(networkOf(ip))}`;
  }
}

/** The link with its password hash; null when it has no password. */
export function lockedOf({ id, organizationId, passwordHash }: CachedLink): Locked | null {
  return passwordHash === null ? null : { id, organizationId, passwordHash };
}
