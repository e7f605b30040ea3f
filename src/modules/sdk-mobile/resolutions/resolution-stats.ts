import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../../access/caller';
import type { FailureReason } from '../../sessions/funnel';
import { DedupLocks } from '../../clicks/dedup-locks';
import { Visitors } from '../../clicks/visitors';
import { Clock } from '../../../common/time/clock';
import { AppCache } from '../../apps/cache/app-cache';
import type { Platform } from '../../apps/app.entity';
import type { TrackedLinkRef } from '../../sessions/rollups/funnel-sums';
import { SessionRollups } from '../../sessions/rollups/session-rollups';
import { SessionDeltas } from '../../sessions/rollups/session-deltas';
import { Reengagements } from '../../attribution/reengagements';
import type { Tx } from '../../../infrastructure/database/database';

export interface Attempt {
  trackedLink: TrackedLinkRef | null;
  /** Null on success. */
  failure: FailureReason | null;
  /** Platform and user agent of a person who already had the app, else null. */
  returned: { platform: Platform; userAgent: string } | null;
  /** The app's id of the opening, by which a repeated call is recognized. */
  requestId: string | null;
}

/** Counts resolutions, and re-engagements of people with the app (docs/concepts/statistics.md#install-statistics). */
@Injectable()
export class ResolutionStats {
  constructor(
    private readonly apps: AppCache,
    private readonly reengagements: Reengagements,
    private readonly locks: DedupLocks,
    private readonly visitors: Visitors,
    private readonly rollups: SessionRollups,
    private readonly clock: Clock,
  ) {}

  async record(tx: Tx, app: AppCaller, attempt: Attempt): Promise<void> {
    const { organizationId, appId, ip } = app;
    const { trackedLink, failure, returned, requestId } = attempt;
    const at = this.clock.now();
    if (trackedLink && requestId) {
      const address = this.visitors.addressHash(`opening ${appId} ${requestId}`);
      if (!(await this.locks.claim(tx, organizationId, trackedLink, { address, at }))) return;
    }
    const common = { organizationId, appId, trackedLink, at };
    const found = await this.apps.find(appId);
    const platform = found && found.platform !== 'Web' ? found.platform : null;
    const sums = new SessionDeltas();
    sums.addResolution({ ...common, platform, byFingerprint: false, failure });
    if (returned) {
      const { userAgent } = returned;
      const reengagement = {
        ...common,
        user: this.reengagements.userOf(ip, userAgent),
        platform: returned.platform === 'Web' ? ('Other' as const) : returned.platform,
        successful: failure === null,
      };
      sums.funnel.add(await this.reengagements.record(tx, reengagement));
    }
    await this.rollups.write(tx, sums);
  }
}
