import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../../infrastructure/database/database';
import { NotFound } from '../../common/errors/errors';
import { Organization } from '../organizations/organization.entity';
import { User } from '../user.entity';
import type { UpdateMeRequest } from './users.dto';
import { UsersService } from './users.service';
import { type MeResponse, toMeResponse } from './me.dto';
import type { SignedInUser } from '../console/signed-in';

@Injectable()
export class MeService {
  constructor(
    private readonly database: Database,
    @InjectRepository(Organization) private readonly organizations: Repository<Organization>,
    private readonly changes: UsersService,
  ) {}

  /** @throws NotFound if the user has been deleted meanwhile */
  async get(userId: number): Promise<MeResponse> {
    const user = await this.database.repository(User).findOneBy({ id: userId });
    const organization = user && (await this.organizations.findOneBy({ id: user.organizationId }));
    if (!organization) throw new NotFound('User');
    return toMeResponse(user, organization.name);
  }

  /** @throws AlreadyExists, RateLimited; ValidationFailed if the current password is required, and missing or wrong */
  async update(user: SignedInUser, request: UpdateMeRequest): Promise<MeResponse> {
    const { username, name, email, password, currentPassword } = request;
    // Fields are picked, because the request object also carries unknown ones such as permissions.
    await this.changes.update(user, user.userId, { username, name, email, password, currentPassword });
    return this.get(user.userId);
  }
}
