import { Database } from '../../src/infrastructure/database/database';
import { OncePerSchedule } from '../../src/infrastructure/schedule/once-per-schedule';
import { eventually } from '../support/eventually';
import { TestApp, useTestApp } from '../support/test-app';

describe('scheduled work', () => {
  const one = useTestApp();
  const two = useTestApp(() => ({ database: one.database }));

  beforeAll(() => {
    for (const app of [one, two]) app.clock.set('2026-11-20T08:00:00Z');
  });
  beforeEach(() => one.sql('TRUNCATE scheduled_jobs'));

  const tick = (app: TestApp, work: () => Promise<unknown>, name = 'test.job') =>
    app.get(OncePerSchedule).run(name, 60, work);

  it('runs in one of the processes that tick together', async () => {
    let running = 0;
    const work = async () => {
      running++;
      await one.sql('SELECT pg_sleep(0.05)');
    };
    const done = await Promise.all([one, two, one, two].map((app) => tick(app, work)));
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(running).toBe(1);
  });

  it('runs once per period', async () => {
    const work = jest.fn(async () => undefined);
    expect(await tick(one, work)).toBe(true);
    expect(await tick(two, work)).toBe(false);
    expect(await tick(two, work, 'another.job')).toBe(true);
    for (const app of [one, two]) app.clock.advance(59_000);
    expect(await tick(two, work)).toBe(true);
    expect(work).toHaveBeenCalledTimes(3);
  });

  it('is retried at the next tick after a failure, which ends no process', async () => {
    expect(await tick(one, () => Promise.reject(new Error('no')))).toBe(false);
    expect(await tick(two, async () => undefined)).toBe(true);
  });

  it('is taken over when its process loses the database midway', async () => {
    const broken = tick(one, () =>
      two.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND state = 'idle in transaction'`),
    );
    expect(await broken).toBe(false);
    expect(await tick(two, async () => undefined)).toBe(true);
  });

  it('does not run in web-only processes', async () => {
    const web = await TestApp.start({ database: one.database, env: { ROLE: 'web' } });
    const done = await tick(web, async () => undefined, 'web.job');
    await web.close();
    expect(done).toBe(false);
  });

  it('leaves the pool to the statements of its jobs', async () => {
    const small = await TestApp.start({ database: one.database, env: { DATABASE_POOL: '2' } });
    let started = 0;
    const work = async () => {
      started++;
      await eventually(async () => expect(started).toBe(3));
      await small.get(Database).read('SELECT 1');
    };
    const jobs = ['first.job', 'second.job', 'third.job'].map((name) => tick(small, work, name));
    expect(await Promise.all(jobs)).toEqual([true, true, true]);
    await small.close();
  });

  it('finishes before its process stops', async () => {
    const stopping = await TestApp.start({ database: one.database });
    let finished = false;
    const running = tick(stopping, async () => {
      await stopping.sql('SELECT pg_sleep(0.2)');
      finished = true;
    });
    await stopping.close();
    expect(finished).toBe(true);
    expect(await running).toBe(true);
  });
});
