import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG } from '../../config/config.module';
import type { Config } from '../../config/config';
import { ConsoleTokenInvalid } from '../access.errors';
import { PERMISSIONS, type Requester } from '../caller';
import { normalizeIp } from '../client-ip';
import { ConsoleSessions } from './console-sessions';
import { SessionCookie } from './session-cookie';

/** A caller of the console: the platform may do everything, a user only acts in one organization. */
export interface ConsoleRequester extends Requester {
  /** Null for the platform. */
  readonly ownOrganizationId: number | null;
}

/** Authenticates console tokens. */
@Injectable()
export class ConsoleTokens {
  private readonly platformToken: Buffer | null;

  constructor(
    @Inject(CONFIG) { consoleToken }: Config,
    private readonly sessions: ConsoleSessions,
    private readonly cookie: SessionCookie,
  ) {
    this.platformToken = consoleToken === undefined ? null : digest(consoleToken);
  }

  /**
   * The bearer token decides if there is an Authorization header, else the cookie, which holds a session only.
   * @throws ConsoleTokenInvalid, also if both are missing; OriginNotAllowed
   */
  async authenticate(request: Request): Promise<ConsoleRequester> {
    const ip = normalizeIp(request.ip);
    const header = request.get('authorization');
    if (header === undefined) return this.user(this.cookie.read(request), ip);
    const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
    if (token && this.platformToken && timingSafeEqual(digest(token), this.platformToken)) {
      return platform(ip);
    }
    return this.user(token, ip);
  }

  private async user(token: string | undefined, ip: string): Promise<ConsoleRequester> {
    const user = token === undefined ? null : await this.sessions.find(token);
    if (!user) throw new ConsoleTokenInvalid();
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

/** The platform, for its token and for the service's own first start. */
export function platform(ip: string): ConsoleRequester {
  const actor = { type: 'PLATFORM', id: null, name: 'platform' } as const;
  const permissions = new Set(PERMISSIONS);
  const role = 'PLATFORM' as const;
  return { actor, userId: null, username: null, permissions, role, ip, ownOrganizationId: null };
}

/** A digest of fixed length, as constant-time comparison requires. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
