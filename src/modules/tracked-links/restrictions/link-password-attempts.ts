import { Injectable } from '@nestjs/common';
import { networkOf } from '../../../access/client-ip';
import { RateLimitStorage } from '../../../access/rate-limits/rate-limit-storage';
import { verifyPassword } from '../../../access/console/password';
import { FairSemaphore } from '../../../common/fair-semaphore';
import { Visitors } from '../../clicks/visitors';
import type { CachedTrackedLink } from '../tracked-link-cache';

export type Locked = Pick<CachedTrackedLink, 'kind' | 'id' | 'organizationId'> & { passwordHash: string };

/** Result of an attempt. `BUSY`: too many are being verified. `waitSeconds`: there were too many wrong ones. */
export type Attempt = 'RIGHT' | 'WRONG' | 'BUSY' | { waitSeconds: number };

/** Wrong passwords per link and network within WINDOW_MS. */
const MAX_WRONG = 10;
/** The same for a server that relays the guesses of many people. */
const MAX_WRONG_OF_RELAY = 100;
const WINDOW_MS = 10 * 60_000;
const LIMIT_NAME = 'link-password';

/** Concurrent verifications; few, because scrypt is expensive and uses the process's thread pool. */
const CONCURRENCY = 3;
/** Maximum number of waiting verifications of an organization. */
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
   * Verifies a guess. It counts as wrong until it has been verified, so that concurrent guesses cannot exceed the
   * limit.
   * @param ip normalized by `normalizeIp`
   * @param relay address of the server that states `ip`; its guesses are also limited together, since it may state any
   * address
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

  private keyOf({ kind, id }: Locked, ip: string): string {
    return `${kind}:${id}:${this.visitors.addressHash(networkOf(ip))}`;
  }
}

/** The link with its password hash; null without a password. */
export function lockedOf({ kind, id, organizationId, passwordHash }: CachedTrackedLink): Locked | null {
  return passwordHash === null ? null : { kind, id, organizationId, passwordHash };
}
