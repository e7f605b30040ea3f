import { setTimeout as delay } from 'node:timers/promises';
import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { within } from '../support/eventually';
import { phone, UNSUBSCRIBES } from '../support/unsubscribes';
import { Customer } from './customer';
import { Stage, stormSeconds } from './stage';

const JOBS = 14;
const ITEMS = 1000;

describe('bulk jobs', () => {
  const stage = new Stage();
  const seconds = stormSeconds(3);
  jest.setTimeout((seconds + 300) * 1000);
  afterEach(() => stage.clear());

  it.each([
    ['a worker of two', true],
    ['the only process, without Redis,', false],
  ])('process each item once while %s is killed repeatedly', async (_name, withRedis) => {
    const databaseUrl = await stage.database();
    const env = {
      DATABASE_URL: databaseUrl,
      ...(withRedis && { REDIS_URL: (await stage.redis()).url }),
    };
    const mortal = await stage.service({ ...env, ROLE: withRedis ? 'worker' : 'all' });
    const web = withRedis ? await stage.service({ ...env, ROLE: 'web' }) : mortal;
    if (withRedis) await stage.service({ ...env, ROLE: 'worker' });
    const customer = await Customer.create(web.url);

    // Half of each job's values are in the next one too, and each job has invalid ones.
    for (let job = 0; job < JOBS; job++) {
      const items = Array.from({ length: ITEMS }, (_, i) => ({
        value: i % 100 === 0 ? '010-12' : phone((job * ITEMS) / 2 + i),
      }));
      await customer.post(web.url, `${UNSUBSCRIBES}/bulk?async=true`, { items });
      if (withRedis && job % 7 === 6) {
        await mortal.kill();
        await mortal.restart();
      }
    }
    const until = performance.now() + seconds * 1000;
    while (performance.now() < until) {
      await mortal.kill();
      await mortal.restart();
      await delay(Math.random() * 600);
    }

    const database = await connectDataSource({ url: databaseUrl }, 1);
    const jobs = await within(90, async () => {
      const rows = await database.query<Record<string, number>[]>(
        'SELECT status, total, processed, accepted, duplicated, failed FROM bulk_jobs ORDER BY id',
      );
      expect(rows.map(({ status }) => status)).toEqual(Array(JOBS).fill('COMPLETED'));
      return rows;
    });
    const sum = (field: string) => jobs.reduce((all, job) => all + Number(job[field]), 0);
    expect(jobs.map(({ processed }) => processed)).toEqual(Array(JOBS).fill(ITEMS));
    expect(sum('failed')).toBe((JOBS * ITEMS) / 100);
    expect(sum('accepted') + sum('duplicated') + sum('failed')).toBe(JOBS * ITEMS);

    const [entries] = await database.query<Record<string, number>[]>(
      'SELECT count(*) AS count, count(DISTINCT value_hash) AS values, max(position) AS last FROM unsubscribes',
    );
    const accepted = sum('accepted');
    expect(entries).toEqual({ count: accepted, values: accepted, last: accepted });
    const [head] = await database.query<Record<string, number>[]>('SELECT total FROM unsubscribe_heads');
    expect(head).toEqual({ total: accepted });
    const [events] = await database.query<{ count: number }[]>(
      `SELECT count(*) AS count FROM outbox_events WHERE name = 'unsubscribe.bulk_changed'`,
    );
    expect(events?.count).toBe(jobs.filter((job) => Number(job.accepted) > 20).length);
    await database.destroy();
  });
});
