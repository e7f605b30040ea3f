import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../common/errors/errors';
import { Database } from '../../infrastructure/database/database';
import { AuditLog } from '../audit/audit-log';
import { networkOf } from '../client-ip';
import { signingIn } from './caller-for';
import { hashPassword, NOBODYS_HASH, verifyPassword } from './password';
import { LoginAttempts } from './login-attempts';
import { NetworkFailures } from './network-failures';
import { PasswordSemaphore } from './password-semaphore';

export interface CheckedUser {
  readonly id: number;
  readonly organizationId: number;
  readonly permissions: string[];
  readonly passwordHash: string | null;
}

interface Named {
  readonly id: number;
  readonly username: string;
  readonly organizationId: number;
}

/** Checks and hashes passwords of users, within the limits on guesses and on load (docs/security.md#login-limits). */
@Injectable()
export class PasswordsService {
  private readonly semaphore = new PasswordSemaphore();

  constructor(
    private readonly database: Database,
    private readonly attempts: LoginAttempts,
    private readonly networks: NetworkFailures,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Checks a user's password.
   * @param ip normalized by `normalizeIp`
   * @returns null for an unknown user as for a wrong password
   * @throws RateLimited while the user name or network is locked, or if too many passwords are hashed at once
   */
  check(username: string, password: string, ip: string): Promise<CheckedUser | null> {
    const attempt = async () => {
      const name = await this.nameOf(username);
      return this.attempts.attempt(
        name,
        () => this.verify(username, password),
        () => this.refused(username, ip),
      );
    };
    const source = { username: username.toLowerCase() };
    return this.networks.counted(ip, (network) => this.semaphore.run({ network, ...source }, attempt));
  }

  /** The user name in its stored letter case, so that failures in any case count for the same name. */
  private async nameOf(username: string): Promise<string> {
    const sql = `SELECT u.username FROM users u WHERE lower(u.username) = lower($1)`;
    const [user] = await this.database.read<{ username: string }>(sql, [username]);
    return user?.username ?? username.toLowerCase();
  }

  /**
   * Checks the current password, which changes of password or address require.
   * @throws ValidationFailed if it is missing or wrong; RateLimited as for a login
   */
  async confirm(username: string, password: string | null | undefined, ip: string): Promise<void> {
    if (!password) throw ValidationFailed.field('currentPassword', 'is required for this change');
    if (!(await this.check(username, password, ip))) {
      throw ValidationFailed.field('currentPassword', 'is wrong');
    }
  }

  /**
   * Hashes a new password.
   * @param ip of the caller, normalized by `normalizeIp`
   * @throws RateLimited if too many passwords are hashed at once
   */
  hash(password: string, ip: string): Promise<string> {
    return this.semaphore.run({ network: networkOf(ip) }, () => hashPassword(password));
  }

  /**
   * Audits the failure, unless no user has the name: the text may then be anything, such as a password typed into the
   * wrong field.
   */
  private async refused(username: string, ip: string): Promise<void> {
    await this.database.write(async (tx) => {
      const [user] = await tx.query<Named>(
        `SELECT u.id, u.username, u.organization_id AS "organizationId" FROM users u WHERE lower(u.username) = lower($1)`,
        [username],
      );
      if (!user) return;
      await this.audit.record(tx, signingIn(user.id, user.username, user.organizationId, ip), {
        action: 'user.fail_sign_in',
        resourceType: 'user',
        resourceId: user.id,
      });
      tx.afterCommit(() => this.database.wrote(user.organizationId));
    });
  }

  private async verify(username: string, password: string): Promise<CheckedUser | null> {
    const [user] = await this.database.read<CheckedUser>(
      `SELECT u.id, u.organization_id AS "organizationId", u.permissions, u.password_hash AS "passwordHash"
       FROM users u JOIN organizations o ON o.id = u.organization_id AND o.deleted_at IS NULL
       WHERE lower(u.username) = lower($1)`,
      [username],
    );
    // Verifies a password even if the user does not exist, so that the response takes the same time.
    const right = await verifyPassword(password, user?.passwordHash ?? NOBODYS_HASH);
    return right && user ? user : null;
  }
}
