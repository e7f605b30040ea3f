import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { SessionCookie } from './session-cookie';

/** For public routes that set a session cookie: another site must not be able to sign a visitor in. */
@Injectable()
export class OwnOriginGuard implements CanActivate {
  constructor(private readonly cookie: SessionCookie) {}

  canActivate(context: ExecutionContext): boolean {
    this.cookie.assertOwnOrigin(context.switchToHttp().getRequest<Request>());
    return true;
  }
}
