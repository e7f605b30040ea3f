import type { CookieOptions, Request } from 'express';
import type { Config } from '../../config/config';

type Base = Pick<Config, 'baseUrl'>;

/** The name with the `__Host-` prefix under HTTPS, where browsers then accept the cookie from this host only. */
export function cookieName({ baseUrl }: Base, name: string): string {
  return isHttps(baseUrl) ? `__Host-${name}` : name;
}

/** Options of a cookie that no script and no other host can read. */
export function cookieOptions({ baseUrl }: Base): CookieOptions {
  return { httpOnly: true, sameSite: 'lax', secure: isHttps(baseUrl), path: '/' };
}

export function cookieOf(request: Request, name: string): string | undefined {
  const pairs = (request.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

function isHttps(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
