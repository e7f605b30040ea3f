import { keepPreviousData } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../api/client';
import { type Conversions, useConversions } from '../../kit/use-conversions';
import { entriesOf, type Filters } from '../filters';
import type { Dimension, Metric } from '../types';
import type { AnalyticsView } from '../use-analytics-view';

/** Subject of the statistics: one link, one campaign, or the whole organization. */
export interface Scope {
  readonly link?: number;
  readonly campaign?: number;
}

/** Maximum number of groups per call. */
export const MOST_GROUPS = 100;

interface Asked {
  view: AnalyticsView;
  scope: Scope;
  metric: Metric;
  groupBy?: Dimension;
  limit?: number;
  /** Parameters that differ from the view's. */
  change?: { startDate?: string; endDate?: string; interval?: AnalyticsView['interval'] };
  /** Whether to request the compared range, if the page has one. */
  compare?: boolean;
  enabled?: boolean;
}

/** Figures of `GET /analytics/clicks` for the page. Previous ones are kept, but hidden, while new ones load. */
export function useClicks({
  view,
  scope,
  metric,
  groupBy,
  limit,
  change,
  compare = true,
  enabled = true,
}: Asked) {
  const { startDate, endDate, interval } = view.query;
  return api.useQuery(
    'get',
    '/analytics/clicks',
    {
      params: {
        query: {
          ...(compare ? view.query : { startDate, endDate, interval }),
          ...filtersOf(view.filters, groupBy),
          ...(scope.link !== undefined && { link: [String(scope.link)] }),
          ...(scope.campaign !== undefined && { campaign: [String(scope.campaign)] }),
          metric,
          ...(groupBy && { groupBy }),
          ...(limit !== undefined && { limit }),
          ...change,
        },
      },
    },
    { placeholderData: keepPreviousData, enabled },
  );
}

/** Conversions and revenue for the page; bots have none. @param ids of the visible links or campaigns */
export function useConversionsBy(
  { view, scope, metric, groupBy }: Pick<Asked, 'view' | 'scope' | 'metric'> & { groupBy: Dimension },
  ids: readonly number[],
): Conversions {
  const { startDate, endDate } = view.query;
  const { filters } = view;
  const { link, campaign } = scope;
  const named = groupBy === 'link' || groupBy === 'campaign' ? ids.join(' ') : null;
  const questions = useMemo(
    () =>
      metric === 'bots' || groupBy === 'bot' || named === ''
        ? []
        : [
            {
              startDate,
              endDate,
              ...filtersOf(filters, groupBy),
              ...(link !== undefined && { link: [String(link)] }),
              ...(campaign !== undefined && { campaign: [String(campaign)] }),
              groupBy,
              ...(named !== null && { id: named.split(' ').map(Number) }),
            },
          ],
    [startDate, endDate, filters, link, campaign, metric, groupBy, named],
  );
  return useConversions(questions);
}

/** Omits filters by the dimension that is broken down, so that its other values can be chosen as well. */
function filtersOf(filters: Filters, groupBy?: Dimension): Partial<Record<Dimension, string[]>> {
  const given: Partial<Record<Dimension, string[]>> = {};
  for (const [dimension, value] of entriesOf(filters)) {
    if (dimension !== groupBy) (given[dimension] ??= []).push(value);
  }
  return given;
}
