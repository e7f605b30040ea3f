import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { ValidationFailed } from '../../common/errors/errors';
import { Clock } from '../../common/time/clock';
import { TopConversionsQuery } from '../statistics/top-conversions.query';
import { RESOURCE_KINDS } from './analytics.atoms';
import { analyticsRange } from './analytics-range';
import type { TopConversionsRequest, TopConversionsResponse } from './conversions.dto';
import { OwnedApps } from './owned-apps';

/** The links or campaigns that led to most goals. */
@Injectable()
export class TopConversionsService {
  constructor(
    private readonly apps: OwnedApps,
    private readonly top: TopConversionsQuery,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailed, InvalidDateRange, AppNotOwned */
  async of(caller: Caller, query: TopConversionsRequest): Promise<TopConversionsResponse> {
    const { organizationId } = caller;
    const { resourceType, limit } = query;
    const appId = query.appId ?? null;
    const goalType = query.goalType ?? null;
    const { range, shown } = analyticsRange(caller, query, this.clock.date());
    if (goalType !== null && appId === null)
      throw ValidationFailed.field('appId', 'must be given with goalType');
    if (appId !== null) await this.apps.get(organizationId, appId);
    const kind = RESOURCE_KINDS[resourceType] ?? 'campaign';
    const items = await this.top.run({ organizationId, kind, appId, goalType, limit }, range);
    return { resourceType, goalType: goalType ?? 'all', limit, ...shown, items };
  }
}
