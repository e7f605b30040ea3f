import { type CanActivate, Injectable } from '@nestjs/common';
import { Config } from '../../config/config';
import { DomainError } from '../../common/errors/domain-error';

/** For routes that sign in with a password (docs/security.md#identity-provider). */
@Injectable()
export class PasswordLoginGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  /** @throws PASSWORD_LOGIN_DISABLED */
  canActivate(): boolean {
    if (!this.config.passwordLogin) throw new DomainError('PASSWORD_LOGIN_DISABLED');
    return true;
  }
}
