import { type CanActivate, Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { DomainError } from '../../common/errors/domain-error';

/** For routes that sign in with a password (docs/security.md#identity-provider). */
@Injectable()
export class PasswordLoginGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** @throws PASSWORD_LOGIN_DISABLED */
  canActivate(): boolean {
    if (!this.config.passwordLogin) throw new DomainError('PASSWORD_LOGIN_DISABLED');
    return true;
  }
}
