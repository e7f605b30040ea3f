import type { Caller } from '../../access/caller';
import { ValidationFailed } from '../../common/errors/errors';
import type { TargetEntity } from '../../common/target.entity';
import type { UpdateSettingsRequest } from './target-settings.dto';

/**
 * What the console's settings change of a link or campaign (4-decisions §4).
 * @throws ValidationFailed when the window is missing, or longer than the plan allows
 */
export function settingsFieldsOf(caller: Caller, request: UpdateSettingsRequest): Partial<TargetEntity> {
  return {
    ...(request.deduplication && { deduplicationWindowMinutes: windowOf(caller, request.deduplication) }),
    ...(request.adPage && { showAdPage: request.adPage.enabled }),
  };
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
