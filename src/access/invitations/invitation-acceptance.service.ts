import { Injectable } from '@nestjs/common';
import { Database } from '../../infrastructure/database/database';
import type { Client } from '../console/client';
import { ConsoleSessions, type OpenedSession } from '../console/console-sessions';
import { PasswordsService } from '../console/passwords.service';
import type { AcceptInvitationRequest } from './invitations.dto';
import { OpenInvitations } from './open-invitations';

@Injectable()
export class InvitationAcceptance {
  constructor(
    private readonly invitations: OpenInvitations,
    private readonly passwords: PasswordsService,
    private readonly sessions: ConsoleSessions,
    private readonly database: Database,
  ) {}

  /** @throws INVITATION_NOT_FOUND, AlreadyExists, RateLimited */
  async accept(
    token: string,
    { username, password, name = null }: AcceptInvitationRequest,
    from: Client,
  ): Promise<{ userId: number; session: OpenedSession }> {
    const { ip } = from;
    const invitation = await this.invitations.find(token, ip);
    const passwordHash = await this.passwords.hash(password, ip);
    const { id } = await this.database.write((tx) =>
      this.invitations.use(tx, invitation, { username, name, passwordHash }, ip),
    );
    return { userId: id, session: await this.sessions.open(id, 'INVITATION', from) };
  }
}
