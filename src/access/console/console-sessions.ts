import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, type Repository } from 'typeorm';
import { Clock } from '../../common/time/clock';
import { Database } from '../../infrastructure/database/database';
import type { Role } from '../roles';
import { ConsoleSession } from './console-session.entity';

const LIFETIME_MS = 12 * 3_600_000;

/** The user behind a console token. */
export interface ConsoleUser {
  readonly id: number;
  readonly organizationId: number;
  readonly username: string;
  readonly permissions: string[];
  readonly role: Role;
}

/** Console tokens of users: random, stored as a hash, valid for 12 hours. */
@Injectable()
export class ConsoleSessions {
  constructor(
    @InjectRepository(ConsoleSession) private readonly sessions: Repository<ConsoleSession>,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async open(userId: number): Promise<{ token: string; expiresAt: Date }> {
    const token = `wp_console_${randomBytes(32).toString('base64url')}`;
    const now = this.clock.date();
    const expiresAt = new Date(now.getTime() + LIFETIME_MS);
    await this.sessions.insert({ tokenHash: hashToken(token), userId, createdAt: now, expiresAt });
    await this.sessions.delete({ expiresAt: LessThanOrEqual(now) });
    return { token, expiresAt };
  }

  /** @returns null if the token is unknown or expired, or its user or organization is deleted */
  async find(token: string): Promise<ConsoleUser | null> {
    const [user] = await this.database.read<ConsoleUser>(
      `SELECT u.id, u.organization_id AS "organizationId", u.username, u.permissions, u.role
       FROM console_sessions s
       JOIN users u ON u.id = s.user_id
       JOIN organizations o ON o.id = u.organization_id AND o.deleted_at IS NULL
       WHERE s.token_hash = $1 AND s.expires_at > $2`,
      [hashToken(token), this.clock.date()],
    );
    return user ?? null;
  }
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
