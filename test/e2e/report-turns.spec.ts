import type { Response } from 'supertest';
import type { DataSource } from 'typeorm';
import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { CONNECTION } from '../../src/infrastructure/database/database-address';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { scrape } from '../support/scrape';
import { perSuite, TestApp } from '../support/test-app';

const POOL = 10;
const CALLS = 100;
const SLOW = '/api/v1/service/analytics/conversions/top';
const OTHER = '/api/v1/service/analytics/clicks?groupBy=link';

describe('An organization with a hundred slow statistics at once', () => {
  const usual = CONNECTION.connectionTimeoutMillis;
  let app: TestApp;
  let tool: DataSource;

  beforeAll(async () => {
    CONNECTION.connectionTimeoutMillis = 5_000;
    app = await TestApp.start({ env: { DATABASE_POOL: String(POOL), OPERATIONS_PORT: '0' } });
    tool = await connectDataSource({ url: app.database.url }, 1);
  });
  const slow = perSuite(() => createOrganization(app));
  const other = perSuite(() => createOrganization(app));
  beforeAll(() => slow.api.get(SLOW).expect(200));
  afterAll(async () => {
    CONNECTION.connectionTimeoutMillis = usual;
    await tool.destroy();
    await app.close();
  });

  const waiting = async (pool: string) => (await scrape(app)).get(`waypost_database_waiting{pool="${pool}"}`);

  /** Holds up the statistics of `SLOW` while `work` runs. */
  async function heldUp(work: () => Promise<void>): Promise<void> {
    await tool.transaction(async (manager) => {
      await manager.query('LOCK TABLE goal_rollups IN ACCESS EXCLUSIVE MODE');
      await work();
    });
  }

  it('does not hold up others, and is told to come back', async () => {
    const statuses: number[] = [];
    let calls: Promise<Response>[] = [];
    await heldUp(async () => {
      calls = Array.from({ length: CALLS }, async () => {
        const answer = await slow.api.get(SLOW);
        statuses.push(answer.status);
        return answer;
      });
      await eventually(async () => expect(await waiting('turns')).toBeGreaterThan(POOL));

      for (let i = 0; i < 10; i++) await other.api.get(OTHER).expect(200);
      expect(await waiting('main')).toBe(0);

      await eventually(async () => expect(statuses).toEqual(Array(CALLS - POOL / 2).fill(503)));
    });
    const refused = (await Promise.all(calls)).filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(CALLS - POOL / 2);
    for (const { body, headers } of refused)
      expect([body.code, headers['retry-after']]).toEqual(['UNAVAILABLE', '5']);
    expect(await waiting('turns')).toBe(0);
    await slow.api.get(SLOW).expect(200);
  });
});
