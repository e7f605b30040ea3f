import { Injectable } from '@nestjs/common';
import { RateLimited } from '../access.errors';
import { networkOf } from '../client-ip';
import { RateLimitStorage } from '../rate-limits/rate-limit-storage';

/** Failed sign-ins of any kind per network and window. */
const MAX_FAILURES = 50;
const WINDOW_MS = 15 * 60_000;
const LIMIT_NAME = 'login';

/** Limits guesses per network, across all processes (docs/security.md#login-limits). */
@Injectable()
export class NetworkFailures {
  constructor(private readonly limits: RateLimitStorage) {}

  /**
   * Counts the attempt against its network, and uncounts it unless it was a wrong guess.
   * @param ip normalized by `normalizeIp`
   * @param attempt returns null for a wrong guess
   * @throws RateLimited while the network is locked
   */
  async counted<T>(ip: string, attempt: (network: string) => Promise<T | null>): Promise<T | null> {
    const network = networkOf(ip);
    const { isBlocked, timeToExpire } = await this.limits.increment(
      network,
      WINDOW_MS,
      MAX_FAILURES,
      0,
      LIMIT_NAME,
    );
    if (isBlocked) throw new RateLimited(timeToExpire, 'Too many failed logins');
    let wrong = false;
    try {
      const result = await attempt(network);
      wrong = result === null;
      return result;
    } finally {
      if (!wrong) await this.limits.giveBack(network, LIMIT_NAME);
    }
  }
}
