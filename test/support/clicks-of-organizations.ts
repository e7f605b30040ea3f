import type { Click } from '../../src/modules/clicks/click';
import { countClicks } from './click-sums';
import type { TestApp } from './test-app';
import { plainClick } from './visits';

export const NOON = Date.parse('2030-05-12T12:00:00Z');
/** Campaign and link of an organization have these ids plus that of the organization. */
const CAMPAIGN = 7;
const LINK = 77;

/** Tables of counted clicks whose keys contain the organization. */
export const CLICK_TABLES = [
  'campaign_customers',
  'click_day_visitors',
  'click_months',
  'click_rollups',
  'compacted_months',
  'customer_days',
  'customer_months',
  'dedup_locks',
];

/** Clicks of several organizations. */
export function clicksOfOrganizations(app: TestApp) {
  let nextId = 1;

  const click = (organizationId: number, fields: Partial<Click> = {}) => {
    const id = nextId++;
    return plainClick({ id, at: NOON + id, trackedLinkId: LINK + organizationId, organizationId, ...fields });
  };
  const visits = (organizationId: number, at: number) => [
    ...Array.from({ length: 210 }, (_, i) =>
      click(organizationId, {
        at: at + i,
        referrer: `https://${String(i)}.example/`,
        variant: 'https://a.example/',
      }),
    ),
    ...Array.from({ length: 20 }, (_, i) =>
      click(organizationId, {
        at: at + i,
        kind: 'campaign',
        trackedLinkId: CAMPAIGN + organizationId,
        customId: `c-${String(i % 4)}`,
        dedup: { address: String(i).padStart(64, '0'), windowMs: 60_000, settled: false },
      }),
    ),
  ];

  async function count(...clicks: Click[]): Promise<void> {
    await countClicks(app, clicks);
  }

  const organizationsIn = async (table: string) =>
    (await app.sql<{ id: number }>(`SELECT DISTINCT organization_id AS id FROM ${table} ORDER BY 1`)).map(
      ({ id }) => id,
    );

  return { click, visits, count, organizationsIn };
}
