import { Injectable } from '@nestjs/common';
import { networkOf } from '../../../access/client-ip';
import { RateLimitStorage } from '../../../access/rate-limits/rate-limit-storage';
import { verifyPassword } from '../../../access/users/password';
import { Semaphore } from '../../../common/semaphore';
import { Visitors } from '../../clicks/visitors';
import type { LinkTarget } from '../link-cache';

/** A link and the hash of its password. */
export type Locked = Pick<LinkTarget, 'id' | 'organizationId'> & { passwordHash: string };

/** What came of one attempt: seconds to wait after too many, or BUSY while too many are looked at. */
export type Attempt = 'RIGHT' | 'WRONG' | 'BUSY' | { waitSeconds: number };

/** Wrong passwords from one network on one link, in so many milliseconds. */
const MAX_WRONG = 10;
/** The same of a server that calls for many people. */
const MAX_WRONG_OF_RELAY = 100;
const WINDOW_MS = 10 * 60_000;
const LIMIT_NAME = 'link-password';

/** Looking at a guess takes a core a twentieth of a second and 16 MiB, on threads that all of the process shares. */
const AT_ONCE = 2;
const MAX_WAITING = 100;
const MAX_LENGTH = 100;

/** Looks at guesses of links' passwords, and counts the wrong ones. */
@Injectable()
export class LinkPasswordAttempts {
  private readonly slots = new Semaphore(AT_ONCE);
  private waiting = 0;

  constructor(
    private readonly limits: RateLimitStorage,
    private readonly visitors: Visitors,
  ) {}

  /**
   * Looks at one guess. It counts as a wrong one until it turns out right, so that guesses side by side can't outrun
   * the count.
   * @param ip as `normalizeIp` writes it
   * @param relay address of the server that names `ip`, which may name any: its guesses count together, too
   */
  async attempt(link: Locked, guess: string, ip: string, relay: string | null = null): Promise<Attempt> {
    if (guess === '' || guess.length > MAX_LENGTH * 2) return 'WRONG';
    if (this.waiting >= MAX_WAITING) return 'BUSY';
    const counted = [{ whose: this.whose(link, ip), limit: MAX_WRONG }];
    if (relay !== null)
      counted.push({ whose: `relay:${this.whose(link, relay)}`, limit: MAX_WRONG_OF_RELAY });
    for (const { whose, limit } of counted) {
      const { isBlocked, timeToExpire } = await this.limits.increment(whose, WINDOW_MS, limit, 0, LIMIT_NAME);
      if (isBlocked) return { waitSeconds: timeToExpire };
    }
    this.waiting++;
    try {
      if (!(await this.slots.run(() => verifyPassword(guess, link.passwordHash)))) return 'WRONG';
      for (const { whose } of counted) await this.limits.giveBack(whose, LIMIT_NAME);
      return 'RIGHT';
    } finally {
      this.waiting--;
    }
  }

  private whose({ id }: Locked, ip: string): string {
    return `${id}:${this.visitors.addressHash(networkOf(ip))}`;
  }
}

/** The link as it is asked for; null when it has no password. */
export function lockedOf({ id, organizationId, passwordHash }: LinkTarget): Locked | null {
  return passwordHash === null ? null : { id, organizationId, passwordHash };
}
