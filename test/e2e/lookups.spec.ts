import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Database } from '../../src/infrastructure/database/database';
import { createOrganization } from '../support/factories';
import { createAppOwner, SESSIONS } from '../support/journeys';
import { createLink } from '../support/links';
import { TestApp } from '../support/test-app';
import { visit } from '../support/visits';

const POOL = 2;

describe('reads of caches while transactions hold every connection of the pool', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await TestApp.start({ env: { DATABASE_POOL: String(POOL) } });
  });
  afterEach(() => app.close());

  it('do not wait: an uncached link redirects', async () => {
    const { shortUrl } = await createLink(await createOrganization(app));
    let end = () => {};
    const held = new Promise<void>((resolve) => (end = resolve));
    const begun: Promise<void>[] = [];
    const transactions = Array.from({ length: POOL }, () =>
      app.get(Database).write((tx) => {
        begun.push(tx.query('SELECT 1').then(() => undefined));
        return held;
      }),
    );
    while (begun.length < POOL) await new Promise(setImmediate);
    await Promise.all(begun);
    await visit(app, new URL(shortUrl).pathname).expect(302);
    const main = app.get(Database).pools()[0];
    expect(main).toEqual({ name: 'main', size: POOL, inUse: POOL, idle: 0, waiting: expect.any(Number) });
    end();
    await Promise.all(transactions);
  });

  it('work inside these transactions: many sessions started at once', async () => {
    const { sdk } = await createAppOwner(app);
    const goal = { goalType: 'purchase', transactionId: 'only-one' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        sdk.post(`${SESSIONS}/funnel/track`, { sessionId: randomUUID(), ...goal }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
    expect(answers.filter((answer) => answer.body.duplicated)).toHaveLength(9);
  });

  it('are all that a transaction may use beside its own connection', async () => {
    const dataSource = app.get(DataSource);
    const asking = app.get(Database).write(() => dataSource.query('SELECT 1'));
    await expect(asking).rejects.toThrow('second connection');
  });
});

describe('connections to Postgres', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.close());

  it.each([
    ['close a transaction that its process has left', '5min', (sql: string) => app.get(Database).read(sql)],
    [
      'keep one that is the lock of a job, however long the job takes',
      '0',
      (sql: string) => app.get(Database).session(async (client) => (await client.query(sql)).rows),
    ],
  ])('%s', async (_, limit, run) => {
    expect(await run('SHOW idle_in_transaction_session_timeout')).toEqual([
      { idle_in_transaction_session_timeout: limit },
    ]);
  });

  it.each([
    ['statements', (sql: string) => app.get(Database).read(sql)],
    ['locks', (sql: string) => app.get(Database).session(async (client) => (await client.query(sql)).rows)],
  ])(
    'probe the network, so that the server notices in 20 s that a process has vanished: %s',
    async (_, run) => {
      expect(await run(PROBES)).toEqual([
        { name: 'tcp_keepalives_count', setting: '3' },
        { name: 'tcp_keepalives_idle', setting: '5' },
        { name: 'tcp_keepalives_interval', setting: '5' },
      ]);
    },
  );
});

const PROBES = `
  SELECT name, setting FROM pg_settings WHERE name LIKE 'tcp_keepalives_%' ORDER BY name`;
