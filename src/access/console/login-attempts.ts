import { Injectable } from '@nestjs/common';
import { sha256 } from '../../common/crypto/sha256';
import { Clock } from '../../common/time/clock';
import { RateLimited } from '../access.errors';
import { Database } from '../../infrastructure/database/database';

const MAX_FAILURES = 10;
const WINDOW_MS = 15 * 60_000;
const LOCK_MS = 15 * 60_000;
/** Age of the last attempt from which a row has no effect. */
export const FORGET_AFTER_MS = WINDOW_MS + LOCK_MS;

/** Failures that count: recent ones, except those before an expired lock. */
const RECENT = `ARRAY(SELECT at FROM unnest(f.failed_at) AS at WHERE at > $3 AND f.locked_until IS NULL)`;

const COUNT = `
  INSERT INTO login_failures AS f (username_hash, failed_at, last_at) VALUES ($1, ARRAY[$2::timestamptz], $2)
  ON CONFLICT (username_hash) DO UPDATE SET
    failed_at = ${RECENT} || $2::timestamptz,
    locked_until = CASE WHEN cardinality(${RECENT}) + 1 >= $4 THEN $5::timestamptz END,
    last_at = $2
  WHERE f.locked_until IS NULL OR f.locked_until <= $2
  RETURNING cardinality(failed_at) AS failures`;

/**
 * Locks a user name, existing or not, for 15 minutes after 10 failures in 15 minutes, across all processes
 * (docs/security.md#login-limits).
 */
@Injectable()
export class LoginAttempts {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs an attempt. It counts as a failure before its password is verified, so that concurrent attempts cannot exceed
   * the limit; a success removes the failure again. `PasswordSemaphore` runs the attempts for a user name one at a
   * time, so that concurrent correct passwords do not lock each other out.
   * @param verify returns null if the password is wrong
   * @param failed called for the first failure and for the one that locks the name, but not for the others, which may
   * be many
   * @throws RateLimited while the user name is locked
   */
  async attempt<T extends object>(
    username: string,
    verify: () => Promise<T | null>,
    failed: () => Promise<void>,
  ): Promise<T | null> {
    const name = sha256(username);
    const failures = await this.count(name);
    const result = await verify();
    if (result) await this.database.execute('DELETE FROM login_failures WHERE username_hash = $1', [name]);
    else if (failures === 1 || failures === MAX_FAILURES) await failed();
    return result;
  }

  /** @returns the number of failures that count, including this one */
  private async count(name: Buffer): Promise<number> {
    const now = this.clock.now();
    const [at, windowStart, lockEnd] = [now, now - WINDOW_MS, now + LOCK_MS].map((ms) => new Date(ms));
    const [counted] = await this.database.read<{ failures: number }>(COUNT, [
      name,
      at,
      windowStart,
      MAX_FAILURES,
      lockEnd,
    ]);
    if (counted) return counted.failures;
    const [lock] = await this.database.read<{ until: Date | null }>(
      'SELECT locked_until AS until FROM login_failures WHERE username_hash = $1',
      [name],
    );
    const waitMs = lock?.until ? lock.until.getTime() - now : 0;
    throw new RateLimited(Math.max(1, Math.ceil(waitMs / 1000)), 'Too many failed logins');
  }
}
