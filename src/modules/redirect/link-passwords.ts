import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { networkOf } from '../../access/client-ip';
import { RateLimitStorage } from '../../access/rate-limits/rate-limit-storage';
import { verifyPassword } from '../../access/users/password';
import { Clock } from '../../common/time/clock';
import { Slots } from '../../infrastructure/idempotency/slots';
import { Visitors } from '../clicks/visitors';
import type { LinkTarget } from '../links/link-directory';
import type { AskedRequest } from './followed';

/** A link and the hash of its password. */
export type Locked = Pick<LinkTarget, 'id'> & { passwordHash: string };

/** What came of one attempt: seconds to wait after too many, or BUSY while too many are looked at. */
export type Attempt = 'RIGHT' | 'WRONG' | 'BUSY' | { waitSeconds: number };

const COOKIE = 'waypost_link';
const VALID_SECONDS = 3600;

/** Wrong passwords from one network on one link, in so many milliseconds. */
const MAX_WRONG = 10;
const WINDOW_MS = 10 * 60_000;
const LIMIT_NAME = 'link-password';

/** Looking at a guess takes a core a twentieth of a second and 16 MiB, on threads that all of the process shares. */
const AT_ONCE = 2;
const MAX_WAITING = 100;
const MAX_LENGTH = 100;

/** Looks at the passwords that people type, and knows those again who typed the right one. */
@Injectable()
export class LinkPasswords {
  private readonly slots = new Slots(AT_ONCE);
  private waiting = 0;

  constructor(
    private readonly clock: Clock,
    private readonly limits: RateLimitStorage,
    private readonly visitors: Visitors,
  ) {}

  /** Whether the request comes from somebody who has given the link's password in the last hour. */
  admits(link: Locked, request: AskedRequest): boolean {
    const now = Math.floor(this.clock.now() / 1000);
    return tokensIn(request.headers.cookie).some((token) => {
      const expires = Number(/^(\d{1,12})\./.exec(token)?.[1] ?? 0);
      return expires > now && expires <= now + VALID_SECONDS && sameText(token, tokenOf(link, expires));
    });
  }

  /**
   * Looks at one guess. It counts as a wrong one until it turns out right, so that guesses side by side can't outrun
   * the count.
   */
  async attempt(link: Locked, guess: string, ip: string): Promise<Attempt> {
    if (guess === '' || guess.length > MAX_LENGTH * 2) return 'WRONG';
    if (this.waiting >= MAX_WAITING) return 'BUSY';
    const whose = `${link.id}:${this.visitors.addressHash(networkOf(ip))}`;
    const { isBlocked, timeToExpire } = await this.limits.increment(
      whose,
      WINDOW_MS,
      MAX_WRONG,
      0,
      LIMIT_NAME,
    );
    if (isBlocked) return { waitSeconds: timeToExpire };
    this.waiting++;
    try {
      if (!(await this.slots.run(() => verifyPassword(guess, link.passwordHash)))) return 'WRONG';
      await this.limits.giveBack(whose, LIMIT_NAME);
      return 'RIGHT';
    } finally {
      this.waiting--;
    }
  }

  /** The Set-Cookie header for who gave the right password: for this path alone, and as long as the password stays. */
  cookieFor(link: Locked, path: string, secure: boolean): string {
    const expires = Math.floor(this.clock.now() / 1000) + VALID_SECONDS;
    const attributes = [`Path=${path}`, `Max-Age=${VALID_SECONDS}`, 'HttpOnly', 'SameSite=Lax'];
    if (secure) attributes.push('Secure');
    return [`${COOKIE}=${tokenOf(link, expires)}`, ...attributes].join('; ');
  }
}

/** Keyed by the hash of the password, salt and all: another password, or the same one set anew, makes it worthless. */
function tokenOf({ id, passwordHash }: Locked, expires: number): string {
  const mac = createHmac('sha256', passwordHash).update(`${id}.${expires}`).digest('base64url');
  return `${expires}.${mac}`;
}

/** All of that name: a path below this one may have its own. */
function tokensIn(header: string | undefined): string[] {
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${COOKIE}=`))
    .map((pair) => pair.slice(COOKIE.length + 1));
}

function sameText(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
}
