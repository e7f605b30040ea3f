import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { migrate } from '../../src/infrastructure/database/migrate';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { startPostgres15 } from '../support/postgres-15';
import { TestApp } from '../support/test-app';
import { visit } from '../support/visits';

describe('Postgres', () => {
  it('older than 15 is refused before anything changes', async () => {
    const dataSource = await connectDataSource({ url: process.env.TEST_POSTGRES_URL ?? '' }, 1);
    const statements = jest
      .spyOn(dataSource, 'query')
      .mockResolvedValueOnce([{ version: '14.11 (Debian 14.11-1)', number: '140011' }]);
    const runners = jest.spyOn(dataSource, 'createQueryRunner');
    await expect(migrate(dataSource)).rejects.toThrow(
      'This is Postgres 14.11 (Debian 14.11-1); Waypost needs Postgres 15 or later. Nothing was changed.',
    );
    expect(statements).toHaveBeenCalledTimes(1);
    expect(runners).not.toHaveBeenCalled();
    await dataSource.destroy();
  });

  it('15 takes every migration, there and back, and serves', async () => {
    const server = await startPostgres15();
    const { url } = server;
    try {
      const dataSource = await connectDataSource({ url }, 2);
      await migrate(dataSource);
      const down = dataSource.migrations.length;
      for (let i = 0; i < down; i++) await dataSource.undoLastMigration({ transaction: 'each' });
      await migrate(dataSource);
      await dataSource.destroy();

      const app = await TestApp.start({ database: { url, redisPrefix: `pg15-${process.pid}` } });
      const organization = await createOrganization(app);
      const { id, shortUrl } = await createLink(organization);
      await visit(app, new URL(shortUrl).pathname).expect(302);
      await eventually(async () => {
        const { body } = await organization.api.get(`/api/v1/service/urls/${id}`).expect(200);
        expect(body.clickCount).toBe(1);
      });
      const stats = await organization.api.get(`/api/v1/service/urls/${id}/stats`).expect(200);
      expect(stats.body).toBeInstanceOf(Object);
      await app.close();
    } finally {
      await server.stop();
    }
  });
});
