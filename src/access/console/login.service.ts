import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { toDateTime } from '../../common/time/format';
import { CredentialsInvalid } from '../access.errors';
import { NOBODYS_HASH, verifyPassword } from '../users/password';
import { type ConsoleUser, ConsoleSessions } from './console-sessions';
import { LoginAttempts } from './login-attempts';
import type { LoginRequest, LoginResponse } from './login.dto';

/** Console logins of users. */
@Injectable()
export class LoginService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly attempts: LoginAttempts,
    private readonly sessions: ConsoleSessions,
  ) {}

  /**
   * @throws CredentialsInvalid for an unknown user and a wrong password alike
   * @throws RateLimited while the user name is locked
   */
  async login({ username, password }: LoginRequest): Promise<LoginResponse> {
    const user = await this.attempts.attempt(username, () => this.verify(username, password));
    if (!user) throw new CredentialsInvalid();
    const { token, expiresAt } = await this.sessions.open(user.id);
    const { organizationId, permissions } = user;
    return { token, expiresAt: toDateTime(expiresAt), organizationId, permissions };
  }

  private async verify(username: string, password: string): Promise<ConsoleUser | null> {
    const [user] = await this.dataSource.query<(ConsoleUser & { passwordHash: string })[]>(
      `SELECT u.id, u.organization_id AS "organizationId", u.username, u.permissions,
         u.password_hash AS "passwordHash"
       FROM users u JOIN organizations o ON o.id = u.organization_id AND o.deleted_at IS NULL
       WHERE u.username = $1`,
      [username],
    );
    // Also when there is no such user, so that the answer takes the same time.
    const right = await verifyPassword(password, user?.passwordHash ?? NOBODYS_HASH);
    return right && user ? user : null;
  }
}
