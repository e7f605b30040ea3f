import type { Caller } from '../../../access/caller';
import { ValidationFailed } from '../../../common/errors/errors';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import type { TrackedLinksRepository } from '../tracked-links.repository';
import type { UpdateSettingsRequest } from './tracked-link-settings.dto';

interface Changes<T extends TrackedLinkEntity> {
  change(caller: Caller, id: number, fields: Partial<TrackedLinkEntity>): Promise<T>;
}

/** Console settings of a link or campaign (docs/concepts/links.md#console-settings). */
export class TrackedLinkSettings<T extends TrackedLinkEntity> {
  constructor(
    private readonly rows: TrackedLinksRepository<T>,
    private readonly changes: Changes<T>,
  ) {}

  /** @throws NotFound */
  get(caller: Caller, id: number): Promise<T> {
    return this.rows.get(caller.organizationId, id);
  }

  /** @throws NotFound; ValidationFailed if the window is missing or longer than the plan allows */
  update(caller: Caller, id: number, request: UpdateSettingsRequest): Promise<T> {
    const fields: Partial<TrackedLinkEntity> = {
      ...(request.deduplication && { deduplicationWindowMinutes: windowOf(caller, request.deduplication) }),
      ...(request.adPage && { showAdPage: request.adPage.enabled }),
    };
    return this.changes.change(caller, id, fields);
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
