import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually';
import { sql } from './accounts';
import { Customer, visit } from './customer';
import { Stage } from './stage';

describe('de-duplication', () => {
  const stage = new Stage();
  afterEach(() => stage.clear());

  it('counts an address once across an outage of Redis', async () => {
    const databaseUrl = await stage.database();
    const redis = await stage.redis();
    const service = await stage.service({ DATABASE_URL: databaseUrl, REDIS_URL: redis.url });
    const customer = await Customer.create(service.url);
    const before = await customer.createLink(service.url);
    const during = await customer.createLink(service.url);
    const after = await customer.createLink(service.url);
    const links = [before, during, after];
    for (const link of links) await customer.deduplicate(service.url, link);
    const everybodyVisits = async () => {
      for (const link of links) await visit(service.url, link, '198.51.100.1');
    };

    // The first click on each link is before, during or after the outage.
    await visit(service.url, before, '198.51.100.1');
    await redis.stop('SIGKILL');
    await delay(200);
    for (const link of [before, during]) await visit(service.url, link, '198.51.100.1');
    await redis.restart();
    await eventually(async () =>
      expect(await (await fetch(`${service.url}/health/ready`)).json()).toMatchObject({ status: 'ok' }),
    );
    await Promise.all([everybodyVisits(), everybodyVisits()]);
    await visit(service.url, after, '198.51.100.2');

    await eventually(async () => {
      for (const [i, link] of links.entries())
        expect(await customer.clickCount(service.url, link)).toBe(i < 2 ? 1 : 2);
    });
    // Duplicates would be counted within this time.
    await delay(1_500);
    for (const link of [before, during]) expect(await customer.clickCount(service.url, link)).toBe(1);
    const raw = await sql(
      databaseUrl,
      'SELECT tracked_link_id, count(*)::int AS clicks FROM clicks GROUP BY 1',
    );
    expect(raw).toHaveLength(3);
    expect(raw).toEqual(
      expect.arrayContaining([
        { tracked_link_id: before.id, clicks: 1 },
        { tracked_link_id: during.id, clicks: 1 },
        { tracked_link_id: after.id, clicks: 2 },
      ]),
    );
  });
});
