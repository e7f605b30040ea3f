import { Injectable } from '@nestjs/common';
import { toDateTime } from '../../common/time/format';
import { CredentialsInvalid, RateLimited } from '../access.errors';
import { networkOf } from '../client-ip';
import { RateLimitStorage } from '../rate-limits/rate-limit-storage';
import { NOBODYS_HASH, verifyPassword } from '../users/password';
import { type ConsoleUser, ConsoleSessions } from './console-sessions';
import { LoginAttempts } from './login-attempts';
import { LoginSemaphore } from './login-slots';
import type { LoginRequest, LoginResponse } from './login.dto';
import { Database } from '../../infrastructure/database/database';

/** Failed logins per network and window, for any user names. */
const MAX_FAILURES = 50;
const WINDOW_MS = 15 * 60_000;
const LIMIT_NAME = 'login';

@Injectable()
export class LoginService {
  private readonly slots = new LoginSemaphore();

  constructor(
    private readonly database: Database,
    private readonly attempts: LoginAttempts,
    private readonly sessions: ConsoleSessions,
    private readonly limits: RateLimitStorage,
  ) {}

  /**
   * @throws CredentialsInvalid for an unknown user as for a wrong password
   * @param ip normalized by `normalizeIp`
   * @throws RateLimited while the user name or network is locked, or if too many logins run at once
   */
  async login({ username, password }: LoginRequest, ip: string): Promise<LoginResponse> {
    const attempt = () => this.attempts.attempt(username, () => this.verify(username, password));
    const user = await this.limited(networkOf(ip), attempt);
    if (!user) throw new CredentialsInvalid();
    const { token, expiresAt } = await this.sessions.open(user.id);
    const { organizationId, permissions } = user;
    return { token, expiresAt: toDateTime(expiresAt), organizationId, permissions };
  }

  /** Counts the attempt against its network at first, and takes it back unless the password was wrong. */
  private async limited<T>(network: string, attempt: () => Promise<T | null>): Promise<T | null> {
    const { isBlocked, timeToExpire } = await this.limits.increment(
      network,
      WINDOW_MS,
      MAX_FAILURES,
      0,
      LIMIT_NAME,
    );
    if (isBlocked) throw new RateLimited(timeToExpire, 'Too many failed logins');
    let wrong = false;
    try {
      const result = await this.slots.run(network, attempt);
      wrong = result === null;
      return result;
    } finally {
      if (!wrong) await this.limits.giveBack(network, LIMIT_NAME);
    }
  }

  private async verify(username: string, password: string): Promise<ConsoleUser | null> {
    const [user] = await this.database.read<ConsoleUser & { passwordHash: string }>(
      `SELECT u.id, u.organization_id AS "organizationId", u.username, u.permissions,
         u.password_hash AS "passwordHash"
       FROM users u JOIN organizations o ON o.id = u.organization_id AND o.deleted_at IS NULL
       WHERE u.username = $1`,
      [username],
    );
    // Verifies a password even if the user does not exist, so that the response takes the same time.
    const right = await verifyPassword(password, user?.passwordHash ?? NOBODYS_HASH);
    return right && user ? user : null;
  }
}
