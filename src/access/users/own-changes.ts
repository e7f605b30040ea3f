import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { PasswordsService } from '../console/passwords.service';
import type { Requester } from '../caller';
import { User } from '../user.entity';

/** Changes that users make to themselves; undefined: unchanged. */
interface OwnChange {
  readonly username?: string | null;
  readonly email?: string | null;
  readonly password?: string | null;
  readonly currentPassword?: string | null;
}

/** Requires the current password for sensitive changes (docs/security.md#ones-own-account). */
@Injectable()
export class OwnChanges {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly passwords: PasswordsService,
  ) {}

  /** @throws ValidationFailed if the current password is required, and missing or wrong; RateLimited */
  async confirm({ userId, ip }: Requester, change: OwnChange): Promise<void> {
    const { username, email, password, currentPassword } = change;
    const user = await this.users.findOneBy({ id: userId ?? 0 });
    if (!user?.passwordHash) return;
    // A new name would reset the count of wrong passwords, which is per user name.
    const isRenamed = Boolean(username) && username !== user.username;
    const hasOtherEmail = email !== undefined && email !== user.email;
    if (!password && !isRenamed && !hasOtherEmail) return;
    await this.passwords.confirm(user.username, currentPassword, ip);
  }
}
