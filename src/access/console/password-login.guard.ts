import { type CanActivate, Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { PasswordLoginDisabled } from '../access.errors';

/** For routes that sign in with a password (docs/security.md#identity-provider). */
@Injectable()
export class PasswordLoginGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** @throws PasswordLoginDisabled */
  canActivate(): boolean {
    if (!this.config.passwordLogin) throw new PasswordLoginDisabled();
    return true;
  }
}
