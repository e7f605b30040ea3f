import { Injectable } from '@nestjs/common';
import { RateLimited } from '../../../access/access.errors';
import { Unavailable } from '../../../common/errors/errors';
import { LinkPasswordAttempts, lockedOf } from '../../tracked-links/restrictions/link-password-attempts';
import { DomainError } from '../../../common/errors/domain-error';
import type { CachedTrackedLink } from '../../tracked-links/tracked-link-cache';

/** Checks link passwords sent by apps, with the limits of the password page. */
@Injectable()
export class LinkPasswordCheck {
  constructor(private readonly attempts: LinkPasswordAttempts) {}

  /**
   * @param person address that attempts are counted for: the one the app reports, else that of the request
   * @throws LINK_PASSWORD_REQUIRED, LINK_PASSWORD_WRONG, Unavailable; RateLimited after too many wrong ones
   */
  async check(
    link: CachedTrackedLink,
    password: string | null | undefined,
    person: { ip: string; relay: string | null },
  ): Promise<void> {
    const locked = lockedOf(link);
    if (!locked) return;
    if (!password) throw new DomainError('LINK_PASSWORD_REQUIRED');
    const attempt = await this.attempts.attempt(locked, password, person.ip, person.relay);
    if (attempt === 'WRONG') throw new DomainError('LINK_PASSWORD_WRONG');
    if (attempt === 'BUSY') throw new Unavailable('Too many passwords are being checked; try again shortly');
    if (attempt !== 'RIGHT') throw new RateLimited(attempt.waitSeconds, 'Too many wrong passwords');
  }
}
