import { randomBytes } from 'node:crypto';
import { expectCounted } from '../faults/accounts';
import { Customer } from '../faults/customer';
import { Stage } from '../faults/stage';
import { createCitusDatabase, distributeDatabase } from '../support/citus';
import { eventually } from '../support/eventually';
import { migrateDatabase } from '../support/migrate-database';
import { dropLater } from '../support/test-databases';

const CUSTOMERS = 3;

describe('npm run distribute beside a running service', () => {
  const stage = new Stage();
  jest.setTimeout(300_000);
  afterEach(() => stage.clear());

  it('fails no visit and no click, and no call otherwise than with 503', async () => {
    const name = `wp_test_${randomBytes(6).toString('hex')}`;
    dropLater(name);
    const url = await createCitusDatabase(name);
    await migrateDatabase(url);
    const redis = await stage.redis();
    const service = await stage.service({ DATABASE_URL: url, REDIS_URL: redis.url });
    const customers = await Promise.all(
      Array.from({ length: CUSTOMERS }, () => Customer.create(service.url)),
    );
    const links = (await Promise.all(customers.map((each) => each.createLinks(service.url, 5)))).flat();
    const load = stage.load({ ports: [service.port], links });
    await load.warm();

    const calls = { stopped: false, failed: [] as string[], writes: 0 };
    stage.ending(() => Promise.resolve((calls.stopped = true)));
    const calling = customers.map(async (customer) => {
      while (!calls.stopped) {
        const list = await customer.service(service.url, 'GET', '/urls');
        const created = await customer.service(service.url, 'POST', '/urls', {
          url: 'https://shop.example.com/',
        });
        for (const { status, body } of [list, created]) {
          if (![200, 201, 503].includes(status)) calls.failed.push(`${status} ${JSON.stringify(body)}`);
        }
        if (created.status === 201) calls.writes++;
      }
    });
    await distributeDatabase(url);
    const { writes } = calls;
    await eventually(async () => {
      await customers[0]?.createLink(service.url);
      expect(calls.writes).toBeGreaterThan(writes + CUSTOMERS);
    });
    calls.stopped = true;
    await Promise.all(calling);
    await load.stop();
    expect(load.failures).toEqual([]);
    expect(calls.failed).toEqual([]);

    await service.kill();
    await service.restart();
    for (const customer of customers) await customer.createLink(service.url);
    await expectCounted(load, { databaseUrl: url, redisUrl: redis.url, dataDirs: [service.dataDir] });
  });
});
