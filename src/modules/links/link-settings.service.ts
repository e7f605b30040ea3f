import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { settingsFieldsOf } from '../targets/target-settings';
import type { UpdateSettingsRequest } from '../targets/target-settings.dto';
import type { Link } from './link.entity';
import { LinksRepository } from './links.repository';
import { LinksService } from './links.service';

/** What the console sets on a link (4-decisions §4). */
@Injectable()
export class LinkSettingsService {
  constructor(
    private readonly repository: LinksRepository,
    private readonly links: LinksService,
  ) {}

  /** @throws NotFound */
  get(caller: Caller, id: number): Promise<Link> {
    return this.repository.get(caller.organizationId, id);
  }

  /** @throws NotFound, ValidationFailed when the window is missing, or longer than the plan allows */
  update(caller: Caller, id: number, request: UpdateSettingsRequest): Promise<Link> {
    const fields = settingsFieldsOf(caller, request);
    return this.links.change(caller, id, () => fields);
  }
}
