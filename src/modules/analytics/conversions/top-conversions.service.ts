import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { ValidationFailed } from '../../../common/errors/errors';
import { PURCHASE, purchaseCurrency } from '../../sessions/funnel';
import { Clock } from '../../../common/time/clock';
import { TopConversionsQuery } from '../../sessions/statistics/top-conversions.query';
import { RESOURCE_KINDS } from '../analytics.atoms';
import { analyticsRange } from '../analytics-range';
import type { TopConversionsRequest, TopConversionsResponse } from './conversions.dto';
import { OwnedApps } from '../owned-apps';

/** Value of goalType that selects all types. */
const ALL_GOALS = 'all';

/** Links or campaigns with the most goals. */
@Injectable()
export class TopConversionsService {
  constructor(
    private readonly apps: OwnedApps,
    private readonly top: TopConversionsQuery,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailed, InvalidDateRange, APP_NOT_OWNED */
  async of(caller: Caller, query: TopConversionsRequest): Promise<TopConversionsResponse> {
    const { organizationId } = caller;
    const { resourceType, limit } = query;
    const appId = query.appId ?? null;
    const goalType = query.goalType === ALL_GOALS ? null : (query.goalType ?? null);
    const { range, shown } = analyticsRange(caller, query, this.clock.date(), 'eventRetentionDays');
    if (goalType !== null && appId === null && caller.actor.type === 'API_KEY')
      throw ValidationFailed.field('appId', 'is required with goalType');
    if (appId !== null) await this.apps.get(organizationId, appId);
    const kind = RESOURCE_KINDS[resourceType] ?? 'campaign';
    const currency = goalType === null ? null : purchaseCurrency(goalType);
    const goals = { goalType: currency === null ? goalType : PURCHASE, currency };
    const items = await this.top.run({ organizationId, kind, appId, ...goals, limit }, range);
    return { resourceType, goalType: goalType ?? ALL_GOALS, limit, ...shown, items };
  }
}
