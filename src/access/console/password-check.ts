import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../common/errors/errors';
import { Database } from '../../infrastructure/database/database';
import { NOBODYS_HASH, verifyPassword } from '../users/password';
import { LoginAttempts } from './login-attempts';
import { LoginSemaphore } from './login-slots';
import { NetworkFailures } from './network-failures';

/** The user whom a password belongs to. */
export interface CheckedUser {
  readonly id: number;
  readonly organizationId: number;
  readonly permissions: string[];
  readonly passwordHash: string | null;
}

/** Checks passwords within the limits on guesses (docs/security.md#login-limits). */
@Injectable()
export class PasswordCheck {
  private readonly slots = new LoginSemaphore();

  constructor(
    private readonly database: Database,
    private readonly attempts: LoginAttempts,
    private readonly networks: NetworkFailures,
  ) {}

  /**
   * @param ip normalized by `normalizeIp`
   * @returns null for an unknown user as for a wrong password
   * @throws RateLimited while the user name or network is locked, or if too many checks run at once
   */
  check(username: string, password: string, ip: string): Promise<CheckedUser | null> {
    const attempt = () => this.attempts.attempt(username, () => this.verify(username, password));
    return this.networks.counted(ip, (network) => this.slots.run(network, attempt));
  }

  /**
   * The current password, which a change of password or address asks for.
   * @throws ValidationFailed if it is missing or wrong, RateLimited like a login
   */
  async confirm(username: string, password: string | null | undefined, ip: string): Promise<void> {
    if (!password) throw ValidationFailed.field('currentPassword', 'is required for this change');
    if (!(await this.check(username, password, ip))) {
      throw ValidationFailed.field('currentPassword', 'is wrong');
    }
  }

  /** Runs other costly work of a sign-in, such as hashing a new password, in the slots of logins. */
  inSlot<T>(network: string, work: () => Promise<T>): Promise<T> {
    return this.slots.run(network, work);
  }

  private async verify(username: string, password: string): Promise<CheckedUser | null> {
    const [user] = await this.database.read<CheckedUser>(
      `SELECT u.id, u.organization_id AS "organizationId", u.permissions, u.password_hash AS "passwordHash"
       FROM users u JOIN organizations o ON o.id = u.organization_id AND o.deleted_at IS NULL
       WHERE u.username = $1`,
      [username],
    );
    // Verifies a password even if the user does not exist, so that the response takes the same time.
    const right = await verifyPassword(password, user?.passwordHash ?? NOBODYS_HASH);
    return right && user ? user : null;
  }
}
