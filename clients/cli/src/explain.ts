import type { Service } from './service';

export interface Change {
  dimension: string;
  key: string;
  name: string;
  before: number;
  after: number;
  difference: number;
}

type Query = NonNullable<Parameters<Service['analytics']['getClickAnalytics']>[0]>;
type Dimension = NonNullable<Query['groupBy']>;

/** Groups of a dimension that are compared; the rest is one group. */
const GROUPS = 100;

/** What changed most between two ranges, by several dimensions. */
export async function explain(api: Service, query: Query, dimensions: readonly Dimension[], limit: number) {
  const changes: Change[] = [];
  let totals = { before: 0, after: 0 };
  for (const dimension of dimensions) {
    const figures = await api.analytics.getClickAnalytics({ ...query, groupBy: dimension, limit: GROUPS });
    totals = { before: figures.comparison?.total ?? 0, after: figures.total };
    for (const [i, { key, name, value }] of figures.groups.entries()) {
      const before = figures.comparison?.groups[i]?.value ?? 0;
      if (before !== value)
        changes.push({ dimension, key, name, before, after: value, difference: value - before });
    }
  }
  changes.sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
  const { startDate, endDate, compareStartDate, compareEndDate } = query;
  return {
    range: { startDate, endDate },
    comparedWith: { startDate: compareStartDate, endDate: compareEndDate },
    ...totals,
    difference: totals.after - totals.before,
    changes: changes.slice(0, limit),
  };
}
