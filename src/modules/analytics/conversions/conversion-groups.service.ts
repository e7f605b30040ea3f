import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { ValidationFailed } from '../../../common/errors/errors';
import { Clock } from '../../../common/time/clock';
import { toDateTime } from '../../../common/time/format';
import { DEFAULT_DOMAIN_VALUE, type ValueFilter } from '../../click-statistics/breakdowns/breakdowns';
import type { TrackedLinkKind } from '../../clicks/click';
import { type GoalGroup, GoalGroupsQuery } from '../../sessions/statistics/goal-groups.query';
import { seesConversions, seesRevenue } from '../../sessions/statistics/revenue-access';
import { analyticsRange } from '../analytics-range';
import { ClickFilterReader } from '../clicks/click-filters';
import type {
  ConversionGroup,
  ConversionGroupsRequest,
  ConversionGroupsResponse,
} from './conversion-groups.dto';

/** Goals and revenue by the same dimensions as clicks (docs/concepts/statistics.md#conversions-by-dimension). */
@Injectable()
export class ConversionGroupsService {
  constructor(
    private readonly filters: ClickFilterReader,
    private readonly goals: GoalGroupsQuery,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailed, InvalidDateRange, NotFound, APP_NOT_OWNED */
  async of(caller: Caller, request: ConversionGroupsRequest): Promise<ConversionGroupsResponse> {
    const { organizationId, organization } = caller;
    const { groupBy, allTime } = request;
    const ids = request.id ?? null;
    const kind = groupBy === 'link' || groupBy === 'campaign' ? groupBy : null;
    if (ids !== null && kind === null)
      throw ValidationFailed.field('id', 'must not be combined with this groupBy');
    const filters = await this.filters.read(organizationId, request);
    if (allTime) checkAllTime(request, { kind, filters });
    const { range, shown } = analyticsRange(caller, request, this.clock.date(), 'eventRetentionDays');
    if (ids !== null && kind !== null) {
      const wanted = { breakdown: kind, included: ids, excluded: [] };
      await this.filters.check(organizationId, wanted, 'id');
      if (filters.length > 0) filters.push(wanted);
    }
    const showsConversions = seesConversions(caller);
    const showsRevenue = seesRevenue(caller);
    const { baseCurrency } = organization;
    const question = { organizationId, range: allTime ? null : range };
    const groups =
      !showsConversions && !showsRevenue
        ? []
        : kind !== null && filters.length === 0
          ? await this.goals.ofSubjects({ ...question, kind, ids })
          : await this.goals.ofClicks({ ...question, breakdown: groupBy, filters });
    return {
      startDate: allTime ? null : shown.startDate,
      endDate: allTime ? null : shown.endDate,
      timeZone: organization.timeZone,
      timeZoneChangedAt: toDateTime(organization.timeZoneChangedAt),
      currency: baseCurrency,
      groupBy,
      showsConversions,
      showsRevenue,
      groups: groups.map((group) => ({
        key: this.keyOf(request, group),
        conversions: showsConversions ? group.goals : null,
        ...(showsRevenue ? amountsOf(group, baseCurrency) : { revenue: null, otherRevenue: null }),
      })),
    };
  }

  private keyOf({ groupBy }: ConversionGroupsRequest, { key }: GoalGroup): string {
    return groupBy === 'domain' && key === DEFAULT_DOMAIN_VALUE ? this.filters.shortDomain : key;
  }
}

function checkAllTime(
  { startDate, endDate }: ConversionGroupsRequest,
  { kind, filters }: { kind: TrackedLinkKind | null; filters: readonly ValueFilter[] },
): void {
  if (startDate || endDate)
    throw ValidationFailed.field('allTime', 'must not be combined with startDate or endDate');
  if (kind === null) throw ValidationFailed.field('allTime', 'must not be combined with this groupBy');
  if (filters.length > 0) throw ValidationFailed.field('allTime', 'must not be combined with filters');
}

function amountsOf(
  { revenue }: GoalGroup,
  baseCurrency: string,
): Pick<ConversionGroup, 'revenue' | 'otherRevenue'> {
  return {
    revenue: revenue.get(baseCurrency) ?? 0,
    otherRevenue: [...revenue]
      .filter(([currency]) => currency !== baseCurrency)
      .map(([currency, amount]) => ({ currency, revenue: amount })),
  };
}
