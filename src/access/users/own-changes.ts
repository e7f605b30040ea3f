import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { PasswordsService } from '../console/passwords.service';
import type { Requester } from '../caller';
import { User } from './user.entity';

/** What users change of themselves; undefined: unchanged. */
interface OwnChange {
  readonly username?: string | null;
  readonly email?: string | null;
  readonly password?: string | null;
  readonly currentPassword?: string | null;
}

/** Asks users for their current password (docs/security.md#ones-own-account). */
@Injectable()
export class OwnChanges {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly passwords: PasswordsService,
  ) {}

  /** @throws ValidationFailed if the current password is needed, and missing or wrong; RateLimited */
  async confirm({ userId, ip }: Requester, change: OwnChange): Promise<void> {
    const { username, email, password, currentPassword } = change;
    const user = await this.users.findOneBy({ id: userId ?? 0 });
    if (!user?.passwordHash) return;
    // Wrong passwords count by user name, so a new name would start the count anew.
    const isRenamed = Boolean(username) && username !== user.username;
    const hasOtherEmail = email !== undefined && email !== user.email;
    if (!password && !isRenamed && !hasOtherEmail) return;
    await this.passwords.confirm(user.username, currentPassword, ip);
  }
}
