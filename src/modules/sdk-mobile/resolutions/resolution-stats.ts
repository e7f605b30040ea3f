import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../../access/caller';
import type { FailureReason } from '../../sessions/funnel';
import { Clock } from '../../../common/time/clock';
import type { Tx } from '../../../infrastructure/database/transactions';
import { AppDirectory } from '../../apps/cache/app-cache';
import type { Platform } from '../../apps/app.entity';
import type { FunnelTarget } from '../../sessions/rollups/funnel-sums';
import { JourneyRollups } from '../../sessions/rollups/session-rollups';
import { JourneySums } from '../../sessions/rollups/session-deltas';
import { Reengagements } from '../../attribution/reengagements';

/** An app's attempt to find out where it was led. */
export interface Attempt {
  /** What was found; null when nothing was. */
  target: FunnelTarget | null;
  /** null: it went well. */
  failure: FailureReason | null;
  /** When somebody came back to the app who had it: what the app runs on, and the user agent. */
  returned: { platform: Platform; userAgent: string } | null;
}

/** Counts attempts: each is a resolution, and many are somebody who has come back (doc 1 §2). */
@Injectable()
export class Attempts {
  constructor(
    private readonly apps: AppDirectory,
    private readonly reengagements: Reengagements,
    private readonly rollups: JourneyRollups,
    private readonly clock: Clock,
  ) {}

  async record({ manager }: Tx, app: AppCaller, attempt: Attempt): Promise<void> {
    const { organizationId, appId, ip } = app;
    const { target, failure, returned } = attempt;
    const common = { organizationId, appId, target, at: this.clock.now() };
    const found = await this.apps.find(appId);
    const platform = found && found.platform !== 'Web' ? found.platform : null;
    const sums = new JourneySums();
    sums.addResolution({ ...common, platform, byFingerprint: false, failure });
    if (returned) {
      const { userAgent } = returned;
      const reengagement = {
        ...common,
        user: this.reengagements.userOf(ip, userAgent),
        platform: returned.platform === 'Web' ? ('Other' as const) : returned.platform,
        successful: failure === null,
      };
      sums.funnel.add(await this.reengagements.record(manager, reengagement));
    }
    await this.rollups.write(manager, sums);
  }
}
