import { sql } from './accounts';
import { Customer, type TestLink, visit } from './customer';
import type { Service } from './service';
import { Stage } from './stage';

describe('links with maxClicks, on two processes', () => {
  const stage = new Stage();
  afterEach(() => stage.clear());

  let databaseUrl: string;
  let services: [Service, Service];
  let customer: Customer;
  beforeEach(async () => {
    databaseUrl = await stage.database();
    const redis = await stage.redis();
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url };
    services = [await stage.service(env), await stage.service(env)];
    customer = await Customer.create(services[0].url);
  });

  /** Statuses of concurrent visits, half of them to each process; 0 without a response. */
  const visits = (link: TestLink, count: number) =>
    Array.from({ length: count }, (_, i) =>
      visit(services[i % 2 ? 1 : 0].url, link, `198.51.100.${i % 250}`).catch(() => 0),
    );
  const usedClicks = async ({ id }: TestLink) =>
    (await sql(databaseUrl, `SELECT used_clicks FROM links WHERE id = ${id}`))[0];

  it('never redirect more when a process is killed midway', async () => {
    const link = await customer.createLink(services[0].url, { maxClicks: 300 });
    const running = visits(link, 500);
    await Promise.any(running.filter((_, i) => i % 2 === 0));
    await services[0].kill();
    const first = await Promise.all(running);
    await services[0].restart();
    const second = await Promise.all(visits(link, 600));
    const passed = [...first, ...second].filter((status) => status === 302).length;
    expect(passed).toBeLessThanOrEqual(300);
    // Only visits in flight at the kill are used up without a response.
    const unanswered = first.filter((status) => status === 0).length;
    expect(passed).toBeGreaterThanOrEqual(300 - unanswered);
    expect(await usedClicks(link)).toEqual({ used_clicks: 300 });
  });
});
