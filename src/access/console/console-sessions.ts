import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, type Repository } from 'typeorm';
import { NotFound } from '../../common/errors/errors';
import type { PageQuery } from '../../common/pagination/page';
import { sha256 } from '../../common/crypto/sha256';
import { Clock } from '../../common/time/clock';
import { Database, type Tx } from '../../infrastructure/database/database';
import { AuditLog } from '../audit/audit-log';
import type { Role } from '../roles';
import { signingIn } from './caller-for';
import { type Client, deviceOf } from './client';
import { ConsoleSession, type SessionOrigin } from './console-session.entity';
import { DomainError } from '../../common/errors/domain-error';

const LIFETIME_MS = 12 * 3_600_000;
const MINUTE_MS = 60_000;

/** Locks the user, so that a concurrent change of password or a deletion is either seen here or ends the session. */
const OPEN = `
  WITH signed_in AS (
    UPDATE users SET last_sign_in_at = $6 WHERE id = $2 AND ($8::text IS NULL OR password_hash = $8)
    RETURNING id, organization_id, username
  ), opened AS (
  INSERT INTO console_sessions (token_hash, user_id, opened_by, browser, operating_system, created_at, expires_at)
  SELECT $1, id, $3, $4, $5, $6, $7 FROM signed_in
  )
  SELECT organization_id AS "organizationId", username FROM signed_in`;

export interface ConsoleUser {
  readonly id: number;
  readonly organizationId: number;
  readonly username: string;
  readonly permissions: string[];
  readonly role: Role;
  readonly sessionId: number;
}

export interface OpenedSession {
  /** In plain text; only its hash is stored. */
  readonly token: string;
  readonly expiresAt: Date;
}

/** Console sessions: a random token, stored as a hash, valid for 12 hours. */
@Injectable()
export class ConsoleSessions {
  constructor(
    @InjectRepository(ConsoleSession) private readonly sessions: Repository<ConsoleSession>,
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * @param passwordHash hash of the password that was checked, if any
   * @throws CREDENTIALS_INVALID if the user has been deleted or the password changed meanwhile
   */
  async open(
    userId: number,
    openedBy: SessionOrigin,
    { userAgent, ip }: Client,
    passwordHash: string | null = null,
  ): Promise<OpenedSession> {
    const token = `wp_console_${randomBytes(32).toString('base64url')}`;
    const now = this.clock.date();
    const expiresAt = new Date(now.getTime() + LIFETIME_MS);
    const { browser, operatingSystem } = deviceOf(userAgent);
    const facts = [sha256(token), userId, openedBy, browser, operatingSystem, now, expiresAt, passwordHash];
    await this.database.write(async (tx) => {
      const [user] = await tx.query<{ organizationId: number; username: string }>(OPEN, facts);
      if (!user) throw new DomainError('CREDENTIALS_INVALID');
      const { organizationId, username } = user;
      await this.audit.record(tx, signingIn(userId, username, organizationId, ip), {
        action: 'user.sign_in',
        resourceType: 'user',
        resourceId: userId,
        changes: { method: { from: null, to: openedBy } },
      });
      // The request has no organization before the sign-in, so WrittenInterceptor does not record it.
      tx.afterCommit(() => this.database.wrote(organizationId));
    });
    return { token, expiresAt };
  }

  /** @returns null if the token is unknown or expired, or its user or organization is deleted */
  async find(token: string): Promise<ConsoleUser | null> {
    const now = this.clock.now();
    const minute = new Date(now - (now % MINUTE_MS));
    const [found] = await this.database.read<ConsoleUser & { unseen: boolean }>(
      `SELECT u.id, u.organization_id AS "organizationId", u.username, u.permissions, u.role,
         s.id AS "sessionId", s.last_seen_at IS NULL OR s.last_seen_at < $3 AS unseen
       FROM console_sessions s
       JOIN users u ON u.id = s.user_id
       JOIN organizations o ON o.id = u.organization_id AND o.deleted_at IS NULL
       WHERE s.token_hash = $1 AND s.expires_at > $2`,
      [sha256(token), new Date(now), minute],
    );
    if (!found) return null;
    const { unseen, ...user } = found;
    if (unseen) await this.seen(user.sessionId, minute);
    return user;
  }

  /** Open sessions, newest first. */
  list(userId: number, { page, size }: PageQuery): Promise<[rows: ConsoleSession[], total: number]> {
    return this.sessions.findAndCount({
      where: { userId, expiresAt: MoreThan(this.clock.date()) },
      order: { id: 'DESC' },
      skip: page * size,
      take: size,
    });
  }

  /** @throws NotFound if the user has no such open session */
  async end(userId: number, id: number): Promise<Pick<ConsoleSession, 'openedBy'>> {
    const [ended] = await this.database.read<Pick<ConsoleSession, 'openedBy'>>(
      `DELETE FROM console_sessions WHERE user_id = $1 AND id = $2 AND expires_at > $3
       RETURNING opened_by AS "openedBy"`,
      [userId, id, this.clock.date()],
    );
    if (!ended) throw new NotFound('Session');
    return ended;
  }

  /** Only the first request of each minute writes. */
  private async seen(id: number, minute: Date): Promise<void> {
    await this.database.execute(
      `UPDATE console_sessions SET last_seen_at = $2
       WHERE id = $1 AND (last_seen_at IS NULL OR last_seen_at < $2)`,
      [id, minute],
    );
  }
}

/**
 * Ends the sessions of a user, and deletes their sign-in links, which could open new ones.
 * @param except id of a session that stays open
 * @returns the number of ended sessions
 */
export async function endSessionsOf(tx: Tx, userId: number, except?: number): Promise<number> {
  await tx.execute('DELETE FROM sign_in_links WHERE user_id = $1', [userId]);
  return tx.execute('DELETE FROM console_sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2', [
    userId,
    except ?? null,
  ]);
}
