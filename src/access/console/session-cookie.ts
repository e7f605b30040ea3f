import { Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { Config } from '../../config/config';
import type { OpenedSession } from './console-sessions';
import { cookieName, cookieOf, cookieOptions } from './cookies';
import { DomainError } from '../../common/errors/domain-error';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

export function sessionCookieName(config: Pick<Config, 'baseUrl'>): string {
  return cookieName(config, 'waypost_session');
}

/** The session cookie of browsers, which no script can read (docs/security.md#browsers). */
@Injectable()
export class SessionCookie {
  private readonly origin: string;
  private readonly name: string;
  private readonly options: CookieOptions;

  constructor(config: Config) {
    this.origin = config.baseUrl;
    this.name = sessionCookieName(config);
    this.options = cookieOptions(config);
  }

  set(response: Response, { token, expiresAt }: OpenedSession): void {
    response.cookie(this.name, token, { ...this.options, expires: expiresAt });
  }

  clear(response: Response): void {
    response.clearCookie(this.name, this.options);
  }

  /**
   * The token in the request's cookie, if any.
   * @throws ORIGIN_NOT_ALLOWED if the request changes something and may come from a page of another origin
   */
  read(request: Request): string | undefined {
    const token = cookieOf(request, this.name);
    if (token !== undefined && !SAFE_METHODS.includes(request.method)) this.assertOwnOrigin(request);
    return token;
  }

  /** @throws ORIGIN_NOT_ALLOWED if the request does not come from a page of this service */
  assertOwnOrigin(request: Request): void {
    if (request.get('origin') !== this.origin)
      throw new DomainError('ORIGIN_NOT_ALLOWED', `The Origin header must be ${this.origin}`);
  }
}
