import type { CookieOptions, Request } from 'express';
import type { Config } from '../../config/config';

type Base = Pick<Config, 'baseUrl'>;

/** Browsers take `__Host-` from HTTPS only, and from no other host. */
export function cookieName({ baseUrl }: Base, name: string): string {
  return isHttps(baseUrl) ? `__Host-${name}` : name;
}

/** For a cookie that no script and no other host can read. */
export function cookieOptions({ baseUrl }: Base): CookieOptions {
  return { httpOnly: true, sameSite: 'lax', secure: isHttps(baseUrl), path: '/' };
}

/** The value of a cookie; undefined if the request does not carry it. */
export function cookieOf(request: Request, name: string): string | undefined {
  const pairs = (request.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

function isHttps(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
