import { randomBytes } from 'node:crypto';
import { expectCounted, sql } from '../faults/accounts';
import { Customer } from '../faults/customer';
import { Stage } from '../faults/stage';
import { addCitusWorker, createDistributedDatabase, distributeDatabase } from '../support/citus';
import { dropLater, onNode } from '../support/test-databases';

const ORGANIZATIONS = 6;
const NODES_OF_LINKS = `
  SELECT count(DISTINCT nodename || ':' || nodeport)::int AS nodes FROM citus_shards
   WHERE table_name = 'links'::regclass`;
/** A setting that only `npm run distribute` gives to the new node. */
const SETTING = `
  SELECT DISTINCT result AS value FROM run_command_on_workers('SHOW citus.enable_unsafe_triggers')`;

describe('a cluster of Citus that grows', () => {
  const stage = new Stage();
  jest.setTimeout(300_000);
  afterEach(() => stage.clear());

  it('answers every visit and counts it once, while shards move to a new node', async () => {
    // Not a clone of the template, whose catalog of Citus still names the template.
    const name = `wp_test_${randomBytes(6).toString('hex')}`;
    dropLater(name);
    const url = await createDistributedDatabase(name);
    const redis = await stage.redis();
    const service = await stage.service({ DATABASE_URL: url, REDIS_URL: redis.url });
    const customers = await Promise.all(
      Array.from({ length: ORGANIZATIONS }, () => Customer.create(service.url)),
    );
    const links = (
      await Promise.all(customers.map((customer) => customer.createLinks(service.url, 5)))
    ).flat();
    const load = stage.load({ ports: [service.port], links });
    await load.warm();

    await addCitusWorker(url, (end) => stage.ending(end));
    await distributeDatabase(url);
    await onNode(url, 'SELECT citus_rebalance_start()', 'SELECT citus_rebalance_wait()');
    await load.stop();
    expect(await sql(url, NODES_OF_LINKS)).toEqual([{ nodes: 3 }]);
    expect(await sql(url, SETTING)).toEqual([{ value: 'on' }]);

    expect(load.failures).toEqual([]);
    await expectCounted(load, {
      databaseUrl: url,
      redisUrl: redis.url,
      dataDirs: [service.dataDir],
    });
  });
});
