import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sha256 } from '../../common/crypto/sha256';
import type { Request } from 'express';
import { Config } from '../../config/config';
import { PERMISSIONS, type Requester } from '../caller';
import { normalizeIp } from '../client-ip';
import { ConsoleSessions } from './console-sessions';
import { SessionCookie } from './session-cookie';
import { DomainError } from '../../common/errors/domain-error';

/** A caller of the console: the platform acts in every organization, a user only in their own. */
export interface ConsoleRequester extends Requester {
  /** Null for the platform. */
  readonly ownOrganizationId: number | null;
}

@Injectable()
export class ConsoleTokens {
  private readonly platformToken: Buffer | null;

  constructor(
    { consoleToken }: Config,
    private readonly sessions: ConsoleSessions,
    private readonly cookie: SessionCookie,
  ) {
    this.platformToken = consoleToken === undefined ? null : sha256(consoleToken);
  }

  /**
   * Authenticates by the Authorization header if there is one, else by the cookie, which can only contain a session.
   * @throws CONSOLE_TOKEN_INVALID, also without either; ORIGIN_NOT_ALLOWED
   */
  async authenticate(request: Request): Promise<ConsoleRequester> {
    const ip = normalizeIp(request.ip);
    const header = request.get('authorization');
    if (header === undefined) return this.user(this.cookie.read(request), ip);
    const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
    // Hashes, because timingSafeEqual compares only equal lengths.
    if (token && this.platformToken && timingSafeEqual(sha256(token), this.platformToken)) {
      return platform(ip);
    }
    return this.user(token, ip);
  }

  private async user(token: string | undefined, ip: string): Promise<ConsoleRequester> {
    const user = token === undefined ? null : await this.sessions.find(token);
    if (!user) throw new DomainError('CONSOLE_TOKEN_INVALID');
    const { id, username, organizationId, sessionId } = user;
    return {
      actor: { type: 'USER', id, name: username },
      userId: id,
      username,
      permissions: new Set(user.permissions),
      role: user.role,
      ip,
      ownOrganizationId: organizationId,
      sessionId,
    };
  }
}

/** The platform as a caller: for its token, and for changes by the service itself. */
export function platform(ip: string): ConsoleRequester {
  const actor = { type: 'PLATFORM', id: null, name: 'platform' } as const;
  const permissions = new Set(PERMISSIONS);
  const role = 'PLATFORM' as const;
  return { actor, userId: null, username: null, permissions, role, ip, ownOrganizationId: null };
}
