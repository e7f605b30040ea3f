import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { ValidationFailed } from '../../common/errors/errors';
import type { Link } from './link.entity';
import type { UpdateLinkSettingsRequest } from './link-settings.dto';
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
  update(caller: Caller, id: number, request: UpdateLinkSettingsRequest): Promise<Link> {
    const fields: Partial<Link> = {
      ...(request.deduplication && { deduplicationWindowMinutes: windowOf(caller, request.deduplication) }),
      ...(request.adPage && { showAdPage: request.adPage.enabled }),
    };
    return this.links.change(caller, id, () => fields);
  }
}

function windowOf(
  { organization }: Caller,
  { enabled, windowMinutes }: { enabled: boolean; windowMinutes?: number | null },
): number | null {
  if (!enabled) return null;
  const cap = organization.deduplicationCapMinutes;
  if (!windowMinutes || windowMinutes > cap) {
    const message = `must be an integer from 1 to ${cap}, the cap of plan ${organization.plan}`;
    throw ValidationFailed.field('deduplication.windowMinutes', message);
  }
  return windowMinutes;
}
