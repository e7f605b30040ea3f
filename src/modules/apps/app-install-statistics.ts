import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { Clock } from '../../common/time/clock';
import { resolveDayRange } from '../../common/date-range';
import { InstallStatisticsQuery } from '../sessions/installs/install-statistics.query';
import {
  filteredPlatform,
  type InstallStatisticsRequest,
  type InstallStatisticsResponse,
} from '../sessions/installs/install-statistics.dto';
import { AppsRepository } from './apps.repository';

/** Installs of an app over a range of UTC days, and clicks from its platform on links that refer to it. */
@Injectable()
export class AppInstallStatistics {
  constructor(
    private readonly apps: AppsRepository,
    private readonly installs: InstallStatisticsQuery,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidDateRange, NotFound */
  async of(caller: Caller, id: number, query: InstallStatisticsRequest): Promise<InstallStatisticsResponse> {
    const { eventRetentionDays: retentionDays } = caller.organization.limits;
    const range = resolveDayRange(query, { now: this.clock.date(), retentionDays });
    const { organizationId } = caller;
    const { appName, platform: runsOn } = await this.apps.get(organizationId, id);
    const isWebApp = runsOn === 'Web';
    return this.installs.run(
      {
        kind: 'app',
        organizationId,
        id,
        name: appName,
        isWebApp,
        runsOn: isWebApp ? null : runsOn,
        platform: filteredPlatform(query),
      },
      range,
    );
  }
}
