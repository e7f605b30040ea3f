import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { migrate } from '../../src/infrastructure/database/migrate';
import { CONTACTS, createBook, saveContact } from '../support/contacts';
import { eventually } from '../support/eventually';
import { serviceApi, type TestOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { POSTGRES_15_PROGRAMS, startPostgres15 } from '../support/postgres-15';
import { temporaryFolder, type TestServer } from '../support/servers';
import { TestApp } from '../support/test-app';
import { visit } from '../support/visits';

const DOCKER = resolve(__dirname, '../../docker');
const URLS = '/api/v1/service/urls';

/** What docs/scaling.md#your-own-postgres creates. */
const ROLE = 'service';

/** Exit code of a script with its stderr, and its stdout if it succeeded. */
interface Ended {
  code: number;
  output: string;
}

describe('docker/backup.sh and docker/restore.sh', () => {
  const backups = temporaryFolder('backups');
  let server: TestServer | undefined;
  afterAll(() => server?.stop());

  /** Where the role of the service reaches its database. */
  function ownUrl(): string {
    const url = new URL(server?.url ?? '');
    url.username = ROLE;
    url.pathname = '/waypost';
    return url.href;
  }

  /** The environment of the scripts, without a superuser. */
  function environment(): Record<string, string> {
    const { hostname, port, username } = new URL(ownUrl());
    return {
      PATH: `${POSTGRES_15_PROGRAMS}:${process.env.PATH}`,
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
      PGDATABASE: 'waypost',
      BACKUP_DIR: backups,
      BACKUP_KEEP: '2',
    };
  }

  async function run(script: 'backup.sh' | 'restore.sh', file?: string, env = environment()): Promise<Ended> {
    try {
      const args = [join(DOCKER, script), ...(file === undefined ? [] : [file])];
      const { stdout, stderr } = await promisify(execFile)('sh', args, { env });
      return { code: 0, output: `${stderr}${stdout}` };
    } catch (error) {
      const { code, stderr } = error as { code: number; stderr: string };
      return { code, output: stderr };
    }
  }

  async function admin(statement: string): Promise<string[]> {
    const client = new Client({ connectionString: server?.url });
    await client.connect();
    const { rows } = await client.query<{ datname: string }>(statement).finally(() => client.end());
    return rows.map(({ datname }) => datname);
  }

  const databases = () =>
    admin(`SELECT datname FROM pg_database WHERE datname LIKE 'waypost%' ORDER BY datname`);

  function start(): Promise<TestApp> {
    return TestApp.start({
      database: { url: ownUrl(), redisPrefix: `restore-${process.pid}` },
      redis: false,
    });
  }

  /** What the customer reads of links, their clicks and contacts. */
  async function figures(api: TestOrganization['api'], linkId: number) {
    const read = async (path: string) => (await api.get(path).expect(200)).body as object;
    return Promise.all([URLS, `${URLS}/${linkId}`, `${URLS}/${linkId}/stats`, CONTACTS].map(read));
  }

  it('bring back links, counted clicks and encrypted contacts, and the next ids', async () => {
    server = await startPostgres15();
    await admin(`CREATE ROLE ${ROLE} LOGIN CREATEDB`);
    await admin(`CREATE DATABASE waypost OWNER ${ROLE}`);
    const dataSource = await connectDataSource({ url: ownUrl() }, 2);
    await migrate(dataSource);
    await dataSource.destroy();

    const before = await start();
    const organization = await createBook(before);
    const { apiKey, api } = organization;
    const link = await createLink(organization);
    const path = new URL(link.shortUrl).pathname;
    for (const ip of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
      await visit(before, path, { ip }).expect(302);
    }
    await eventually(async () => {
      const { body } = await api.get(`${URLS}/${link.id}`).expect(200);
      expect(body.clickCount).toBe(3);
    });
    const contact = await saveContact(organization, { phone: '+82 10-1234-5678', email: 'kim@example.com' });
    expect(contact).toMatchObject({ email: 'kim@example.com' });
    const expected = await figures(api, link.id);

    for (const age of ['20250101', '20250102', '20250103']) {
      writeFileSync(join(backups, `waypost-${age}T000000Z.dump`), '');
    }
    writeFileSync(join(backups, 'notes.txt'), '');
    const dumped = await run('backup.sh');
    expect(dumped).toMatchObject({ code: 0, output: expect.stringMatching(/waypost-\d{8}T\d{6}Z\.dump\n$/) });
    const dump = dumped.output.trim();
    expect(readdirSync(backups).sort()).toEqual(
      ['notes.txt', 'waypost-20250103T000000Z.dump', dump.slice(backups.length + 1)].sort(),
    );

    // A dump that fails leaves nothing behind.
    const nowhere = { ...environment(), PGDATABASE: 'nowhere' };
    expect((await run('backup.sh', undefined, nowhere)).code).not.toBe(0);
    expect(readdirSync(backups).filter((name) => name.endsWith('.partial'))).toEqual([]);

    // The loop of the container: it dumps at once, and ends when it is told to.
    const loop = spawn('sh', [join(DOCKER, 'backup.sh'), 'every', '3600'], { env: environment() });
    const ended = once(loop, 'exit');
    await once(loop.stdout, 'data');
    loop.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);

    expect(await run('restore.sh', dump)).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^waypost has \d+ connections: stop every process of the service first, and PgBouncer/,
      ),
    });
    // Of after the dump, so gone after the restore.
    const later = await createLink(organization);
    await before.close();

    const cut = join(backups, 'cut.dump');
    const bytes = readFileSync(dump);
    writeFileSync(cut, bytes.subarray(0, bytes.length - 2_000));
    expect((await run('restore.sh', cut)).code).not.toBe(0);
    expect(await databases()).toContain('waypost');

    expect(await run('restore.sh', dump)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^waypost is restored\. What it replaced is waypost_replaced\.\n/),
    });
    expect(await databases()).toEqual(['waypost', 'waypost_replaced']);
    expect((await run('restore.sh', dump)).output).toContain('dropdb waypost_replaced');
    for (const name of ['waypost', 'waypost_replaced']) await admin(`DROP DATABASE ${name}`);
    expect((await run('restore.sh', dump)).code).toBe(0);

    const after = await start();
    const restored = { ...organization, api: serviceApi(after, apiKey) };
    expect(await figures(restored.api, link.id)).toEqual(expected);
    await restored.api.get(`${URLS}/${later.id}`).expect(404);

    await visit(after, path, { ip: '203.0.113.4' }).expect(302);
    const next = await createLink(restored);
    expect(next.id).toBeGreaterThan(link.id);
    const nextContact = await saveContact(restored, { phone: '+82 10-8765-4321' });
    expect(nextContact.id).toBeGreaterThan(contact.id);
    await visit(after, new URL(next.shortUrl).pathname).expect(302);
    await eventually(async () => {
      const { body } = await restored.api.get(`${URLS}/${link.id}`).expect(200);
      expect(body.clickCount).toBe(4);
    });
    await after.close();
  });
});
