import { Database } from '../../src/infrastructure/database/database';
import { ClickSumBuilder } from '../../src/modules/click-statistics/breakdowns/click-sum-builder';
import { ClickIngest } from '../../src/modules/click-statistics/counting/click-ingest';
import type { Click } from '../../src/modules/clicks/click';
import type { TestOrganization } from './factories';
import type { TestApp } from './test-app';
import { plainClick } from './visits';

export type GivenClick = Partial<Click> & { at: number };

interface Answer {
  total: number;
  series: { start: string; value: number }[];
  groups: { key: string; value: number }[];
  comparison: { groups: { key: string; value: number }[] };
}

/** Counts clicks in one batch. Resolves to the number of new ones. */
export async function countClicks(app: TestApp, clicks: readonly Click[]): Promise<number> {
  const ingest = app.get(ClickIngest);
  const prepared = await ingest.prepare(clicks);
  return app.get(Database).write((tx) => ingest.ingest(tx, prepared));
}

/** Counts clicks, builds sums and reads figures. */
export function clickSums(app: TestApp) {
  let nextId = 700_000;
  return {
    count: async ({ organizationId }: TestOrganization, clicks: readonly GivenClick[]): Promise<void> => {
      const made = clicks.map((click) =>
        plainClick({ id: nextId++, organizationId, trackedLinkId: 1, ...click }),
      );
      await countClicks(app, made);
    },

    /** Builds the sums of all finished days and months. */
    build: () => app.get(ClickSumBuilder).build(400),

    get: async ({ api }: TestOrganization, query: object): Promise<Answer> =>
      await api.read<Answer>('/api/v1/service/analytics/clicks', query),

    /** First days of an organization's stored periods. */
    stored: async ({ organizationId }: TestOrganization, unit: 'day' | 'month'): Promise<string[]> => {
      const rows = await app.sql<{ start: string }>(
        `SELECT start::text FROM click_sums WHERE organization_id = $1 AND unit = $2 AND claim IS NULL ORDER BY start`,
        [organizationId, unit === 'day' ? 1 : 2],
      );
      return rows.map(({ start }) => start);
    },
  };
}
