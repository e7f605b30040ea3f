import { Injectable } from '@nestjs/common';
import { sha256 } from '../../common/crypto/sha256';
import { Clock } from '../../common/time/clock';
import { Config } from '../../config/config';
import { Database } from '../../infrastructure/database/database';
import type { Client } from '../console/client';
import { ConsoleSessions, type OpenedSession } from '../console/console-sessions';
import { NetworkFailures } from '../console/network-failures';
import { addSignInLink, type LinkedUser } from './sign-in-token';
import { DomainError } from '../../common/errors/domain-error';

const TAKE = `
  UPDATE sign_in_links SET used_at = $2
  WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2 AND user_id IN (
    SELECT u.id FROM sign_in_links l JOIN users u ON u.id = l.user_id
    JOIN organizations o ON o.id = u.organization_id AND o.deleted_at IS NULL WHERE l.token_hash = $1)
  RETURNING user_id AS "userId"`;

/** Links that sign a user in once within 24 hours (docs/security.md#sign-in-links). */
@Injectable()
export class SignInLinks {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly networks: NetworkFailures,
    private readonly sessions: ConsoleSessions,
    private readonly clock: Clock,
  ) {}

  /** @returns the URL of a new link; null if there is no such user */
  create(user: LinkedUser): Promise<string | null> {
    return addSignInLink(this.database, this.config.baseUrl, user, this.clock.now());
  }

  /** Opens a session; only one of several concurrent calls succeeds. @throws SIGN_IN_LINK_INVALID, RateLimited */
  async open(token: string, from: Client): Promise<{ userId: number; session: OpenedSession }> {
    const taken = await this.networks.counted(from.ip, async () => {
      const parameters = [sha256(token), this.clock.date()];
      const [row] = await this.database.read<{ userId: number }>(TAKE, parameters);
      return row ?? null;
    });
    if (!taken) throw new DomainError('SIGN_IN_LINK_INVALID');
    return { userId: taken.userId, session: await this.sessions.open(taken.userId, 'LINK', from) };
  }
}
