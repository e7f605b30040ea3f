import { randomBytes } from 'node:crypto';
import { expectCounted } from '../faults/accounts';
import { links, Stage } from '../faults/stage';
import { createCitusDatabase, distributeDatabase } from '../support/citus';
import { migrateDatabase } from '../support/migrate-database';
import { dropLater, onEachNode } from '../support/test-databases';

describe('a service on Citus as a user that owns its tables, and is no superuser', () => {
  const stage = new Stage();
  jest.setTimeout(300_000);
  afterEach(() => stage.clear());

  it('migrates, makes the tables of a month, and counts clicks', async () => {
    const name = `wp_test_${randomBytes(6).toString('hex')}`;
    const user = `${name}_owner`;
    dropLater(name);
    await onEachNode('postgres', `SET citus.enable_create_role_propagation = off; CREATE ROLE ${user} LOGIN`);
    const superuser = await createCitusDatabase(name);
    await onEachNode(
      name,
      `SET citus.enable_alter_database_owner = off; ALTER DATABASE ${name} OWNER TO ${user}`,
    );
    const owner = new URL(superuser);
    owner.username = user;
    await migrateDatabase(owner.href);
    await distributeDatabase(superuser);

    const redis = await stage.redis();
    const service = await stage.service({ DATABASE_URL: owner.href, REDIS_URL: redis.url });
    const load = stage.load({ ports: [service.port], links: await links(service, 5) });
    await load.warm();
    await load.stop();
    expect(load.failures).toEqual([]);
    await expectCounted(load, { databaseUrl: superuser, redisUrl: redis.url, dataDirs: [service.dataDir] });
  });
});
