import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/time/clock';
import type { Locked } from '../../tracked-links/restrictions/link-password-attempts';
import type { RequestHead } from '../redirect-request';

const COOKIE = 'waypost_link';
const VALID_SECONDS = 3600;

/** Remembers with a signed cookie that a visitor has entered a link's password. */
@Injectable()
export class LinkPasswords {
  constructor(private readonly clock: Clock) {}

  /** Whether the request has a cookie, issued within the last hour, for the link's current password. */
  admits(link: Locked, request: RequestHead): boolean {
    const now = Math.floor(this.clock.now() / 1000);
    return tokensIn(request.headers.cookie).some((token) => {
      const expires = Number(/^(\d{1,12})\./.exec(token)?.[1] ?? 0);
      return expires > now && expires <= now + VALID_SECONDS && sameText(token, tokenOf(link, expires));
    });
  }

  /** The Set-Cookie header after a correct password, valid for this path until the password is set again. */
  cookieFor(link: Locked, path: string, secure: boolean): string {
    const expires = Math.floor(this.clock.now() / 1000) + VALID_SECONDS;
    const attributes = [`Path=${path}`, `Max-Age=${VALID_SECONDS}`, 'HttpOnly', 'SameSite=Lax'];
    if (secure) attributes.push('Secure');
    return [`${COOKIE}=${tokenOf(link, expires)}`, ...attributes].join('; ');
  }
}

/** Keyed by the salted password hash, so that setting a password, even the same one, invalidates all tokens. */
function tokenOf({ id, passwordHash }: Locked, expires: number): string {
  const mac = createHmac('sha256', passwordHash).update(`${id}.${expires}`).digest('base64url');
  return `${expires}.${mac}`;
}

/** The values of all cookies of that name, since browsers also send those of parent paths. */
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
