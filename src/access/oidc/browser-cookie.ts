import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '../../config/config';
import { cookieName, cookieOf, cookieOptions } from '../console/cookies';
import { SIGN_IN_MS } from './oidc-sign-ins';

/** A cookie by which the callback recognizes the browser that began the sign-in; all tabs share it. */
@Injectable()
export class BrowserCookie {
  private readonly name: string;

  constructor(private readonly config: Config) {
    this.name = cookieName(config, 'waypost_oidc');
  }

  read(request: Request): string | undefined {
    const value = cookieOf(request, this.name);
    return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
  }

  /** Sets the cookie, or extends its lifetime, for the duration of a sign-in. @returns its value */
  extend(request: Request, response: Response): string {
    const browser = this.read(request) ?? randomBytes(32).toString('base64url');
    response.cookie(this.name, browser, { ...cookieOptions(this.config), maxAge: SIGN_IN_MS });
    return browser;
  }
}
