import { Injectable } from '@nestjs/common';
import { toDateTime } from '../../common/time/format';
import type { Client } from './client';
import { ConsoleSessions, type OpenedSession } from './console-sessions';
import type { LoginRequest, LoginResponse } from './login.dto';
import { type CheckedUser, PasswordsService } from './passwords.service';
import { DomainError } from '../../common/errors/domain-error';

@Injectable()
export class LoginService {
  constructor(
    private readonly passwords: PasswordsService,
    private readonly sessions: ConsoleSessions,
  ) {}

  /** @throws CREDENTIALS_INVALID, RateLimited */
  async login(request: LoginRequest, from: Client): Promise<LoginResponse> {
    const { user, session } = await this.open(request, from);
    const { organizationId, permissions } = user;
    return { token: session.token, expiresAt: toDateTime(session.expiresAt), organizationId, permissions };
  }

  /**
   * @throws CREDENTIALS_INVALID for an unknown user as for a wrong password
   * @throws RateLimited while the user name or network is locked, or if too many logins run at once
   */
  async open(
    { username, password }: LoginRequest,
    from: Client,
  ): Promise<{ user: CheckedUser; session: OpenedSession }> {
    const user = await this.passwords.check(username, password, from.ip);
    if (!user) throw new DomainError('CREDENTIALS_INVALID');
    return { user, session: await this.sessions.open(user.id, 'PASSWORD', from, user.passwordHash) };
  }
}
