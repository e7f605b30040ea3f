import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { migrate } from '../../src/infrastructure/database/migrate';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { LeftOut } from '../support/left-out';
import { freePort } from '../support/servers';
import { TestApp } from '../support/test-app';
import { visit } from '../support/visits';

/** The oldest supported version, from Debian's package `postgresql-15`. */
const PROGRAMS = '/usr/lib/postgresql/15/bin';

/** Runs a program as an ordinary user, because Postgres refuses to run as root. */
function asUser(program: string, args: string[]): [string, string[]] {
  const path = join(PROGRAMS, program);
  return process.getuid?.() === 0 ? ['runuser', ['-u', 'postgres', '--', path, ...args]] : [path, args];
}

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
    if (!existsSync(PROGRAMS)) throw new LeftOut('Postgres 15 (apt-get install postgresql-15)');
    const folder = mkdtempSync(join(tmpdir(), 'waypost-postgres-15-'));
    chmodSync(folder, 0o777);
    const data = join(folder, 'data');
    execFileSync(
      ...asUser('initdb', ['-D', data, '--auth=trust', '-U', 'waypost', '-E', 'UTF8', '--no-sync']),
      {
        stdio: 'ignore',
        cwd: folder,
      },
    );
    const port = await freePort();
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
    const server = spawn(
      ...asUser('postgres', ['-D', data, '-p', String(port), ...settings.flatMap((each) => ['-c', each])]),
      { stdio: 'ignore', cwd: folder },
    );
    const url = `postgres://waypost@127.0.0.1:${port}/postgres`;
    try {
      await eventually(async () => {
        const client = new Client({ connectionString: url });
        await client.connect().finally(() => client.end());
      });
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
      const [pid] = execFileSync('head', ['-1', join(data, 'postmaster.pid')], { encoding: 'utf8' }).split(
        '\n',
      );
      const ended = new Promise((resolve) => server.once('exit', resolve));
      process.kill(Number(pid), 'SIGQUIT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
