import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { Database, type Tx } from '../../src/infrastructure/database/database';
import type {
  BulkJob,
  BulkJobChunk,
  BulkJobProgress,
  BulkJobType,
} from '../../src/infrastructure/jobs/bulk-job';
import { toBulkJobResponse } from '../../src/infrastructure/jobs/bulk-job.dto';
import { BulkJobHandlers } from '../../src/infrastructure/jobs/bulk-job-handlers';
import { BulkJobRepository } from '../../src/infrastructure/jobs/bulk-job.repository';
import { BulkJobs } from '../../src/infrastructure/jobs/bulk-jobs';
import { BulkJobsProcessor } from '../../src/infrastructure/jobs/bulk-jobs.processor';
import { eventually } from '../support/eventually';
import { createOrganization, type TestOrganization } from '../support/factories';
import { besideTransaction } from '../support/one-connection';
import { TestApp, type TestAppOptions, useTestApp } from '../support/test-app';

/** A job type only for these tests. */
const TYPE = 'TEST' as BulkJobType;

type Owner = Pick<TestOrganization, 'organizationId'>;
type Chunk = BulkJobChunk<{ word: string }, number>;

/** Writes each item down, in chunks of ten; `before` may fail, or wait. */
@Injectable()
class Scribe implements OnModuleInit {
  readonly type = TYPE;
  readonly chunkSize = 10;
  readonly starts: number[] = [];
  before: (chunk: Chunk, tx: Tx) => Promise<unknown> = () => Promise.resolve();

  constructor(private readonly handlers: BulkJobHandlers) {}

  onModuleInit(): void {
    this.handlers.register(this);
  }

  async process(tx: Tx, chunk: Chunk): Promise<BulkJobProgress> {
    this.starts.push(chunk.start);
    await tx.query('INSERT INTO written SELECT $1, unnest($2::int[])', [chunk.jobId, chunk.items]);
    await this.before(chunk, tx);
    const odd = chunk.items.filter((item) => item % 2 === 1);
    return {
      accepted: chunk.items.length - odd.length,
      failed: odd.length,
      errors: odd.map((item, i) => ({
        index: chunk.start + 2 * i + 1,
        value: `+82101234${item}`,
        reason: 'ODD',
      })),
    };
  }
}

@Module({ providers: [Scribe] })
class ScribeModule {}

async function startApp(options: TestAppOptions = {}) {
  const app = await TestApp.start({ ...options, modules: [ScribeModule] });
  return { app, scribe: app.get(Scribe) };
}

describe.each([
  ['with Redis', true],
  ['without Redis', false],
])('bulk jobs %s', (_name, redis) => {
  const app = useTestApp({ redis, modules: [ScribeModule] });
  let org: TestOrganization;
  let scribe: Scribe;

  const start = (options: TestAppOptions = {}) => startApp({ redis, ...options });
  beforeAll(async () => {
    scribe = app.get(Scribe);
    org = await createOrganization(app);
    await app.sql('CREATE TABLE written (job_id bigint, item int)');
  });
  beforeEach(() => {
    app.clock.run();
    scribe.before = () => Promise.resolve();
    scribe.starts.length = 0;
  });

  const items = (count: number) => Array.from({ length: count }, (_, i) => i);
  const enqueue = (count: number, of = app, { organizationId }: Owner = org) =>
    of
      .get(Database)
      .write((tx) =>
        of.get(BulkJobs).enqueue(tx, organizationId, TYPE, { context: { word: 'x' }, items: items(count) }),
      );
  const job = (id: number, { organizationId }: Owner = org) => app.get(BulkJobs).get(organizationId, id);
  const ended = (id: number, owner: Owner = org): Promise<BulkJob> =>
    eventually(async () => {
      const found = await job(id, owner);
      expect(found.finishedAt).not.toBeNull();
      return found;
    });
  const written = async (id: number) =>
    (await app.sql<{ item: number }>('SELECT item FROM written WHERE job_id = $1 ORDER BY item', [id])).map(
      ({ item }) => item,
    );
  /** Expires a lease whose worker no longer renews it. */
  const expire = (id: number) =>
    app.sql(
      `UPDATE bulk_jobs SET lease_until = now() - interval '1 ms' WHERE id = $1 AND finished_at IS NULL`,
      [id],
    );

  /** Runs the sweeps of one minute. */
  const swept = (id: number): Promise<BulkJob> =>
    eventually(async () => {
      await expire(id);
      await app.sql('TRUNCATE scheduled_jobs');
      await app.get(BulkJobsProcessor).sweep();
      const found = await job(id);
      expect(found.finishedAt).not.toBeNull();
      return found;
    });

  it('process each item, and count the results', async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    const id = await enqueue(25);
    const done = toBulkJobResponse(await ended(id));
    expect(done).toEqual({
      jobId: id,
      type: 'TEST',
      status: 'COMPLETED',
      total: 25,
      processed: 25,
      created: 0,
      updated: 0,
      failed: 12,
      accepted: 13,
      duplicated: 0,
      errors: items(25)
        .filter((item) => item % 2 === 1)
        .map((item) => ({ index: item, value: `+82101234${item}`, reason: 'ODD' })),
      createdAt: '2026-11-20T08:32:00Z',
      startedAt: '2026-11-20T08:32:00Z',
      finishedAt: '2026-11-20T08:32:00Z',
    });
    expect(await written(id)).toEqual(items(25));
    expect(scribe.starts).toEqual([0, 10, 20]);
  });

  it.each([0, 1, 10, 11])('end with %d items', async (count) => {
    const done = await ended(await enqueue(count));
    expect(done).toMatchObject({ status: 'COMPLETED', total: count, processed: count });
    expect(await written(done.id)).toEqual(items(count));
  });

  it('show their progress', async () => {
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    scribe.before = ({ start: first }) => (first === 20 ? gate : Promise.resolve());
    const id = await enqueue(30);
    await eventually(async () => expect(scribe.starts).toContain(20));
    expect(await job(id)).toMatchObject({
      status: 'RUNNING',
      processed: 20,
      accepted: 10,
      failed: 10,
      finishedAt: null,
    });
    go();
    expect(await ended(id)).toMatchObject({ processed: 30 });
  });

  it('keep the first 100 errors', async () => {
    const { errors, failed } = await ended(await enqueue(230));
    expect(failed).toBe(115);
    expect(errors.map(({ index }) => index)).toEqual(items(100).map((i) => 2 * i + 1));
  });

  it('never start when their creation is rolled back', async () => {
    let id = 0;
    const failed = app.get(Database).write(async (tx) => {
      id = await app.get(BulkJobs).enqueue(tx, org.organizationId, TYPE, { context: {}, items: [1] });
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await expect(job(id)).rejects.toMatchObject({ status: 404 });
  });

  it('retry a failed chunk from its position', async () => {
    let failures = 2;
    scribe.before = async ({ start: first }) => {
      if (first === 10 && failures-- > 0) throw new Error('a bad moment');
    };
    const id = await enqueue(25);
    expect(await swept(id)).toMatchObject({ status: 'COMPLETED', processed: 25, accepted: 13 });
    expect(failures).toBe(-1);
    expect(await written(id)).toEqual(items(25));
  });

  it('fail when a chunk never succeeds, and keep what was done', async () => {
    scribe.before = async ({ start: first }) => {
      if (first === 10) throw new Error('never');
    };
    const id = await enqueue(25);
    expect(await swept(id)).toMatchObject({ status: 'FAILED', processed: 10 });
    expect(await written(id)).toEqual(items(10));
    expect(await app.sql('SELECT payload, lease FROM bulk_jobs WHERE id = $1', [id])).toEqual([
      { payload: null, lease: null },
    ]);
  });

  it('belong to one worker at a time; one that lost its lease has no effect', async () => {
    const rows = app.get(BulkJobRepository);
    let intruder: unknown = 'not tried';
    scribe.before = async ({ jobId, organizationId, start: first }) => {
      const lease = '00000000-0000-4000-8000-000000000000';
      if (first === 0)
        intruder = await besideTransaction(() => rows.claim({ organizationId, id: jobId }, lease));
    };
    const id = await enqueue(20);
    expect(await ended(id)).toMatchObject({ processed: 20 });
    expect(intruder).toBeNull();

    // Taken over between two chunks, as from a paused process.
    const thief = '00000000-0000-4000-8000-000000000001';
    scribe.before = ({ jobId, start: first }, tx) => {
      if (first > 0) throw new Error('It went on without its lease');
      return tx.query('UPDATE bulk_jobs SET lease = $2 WHERE id = $1', [jobId, thief]);
    };
    scribe.starts.length = 0;
    const other = await enqueue(20);
    await eventually(async () => expect(scribe.starts).toEqual([0]));
    await eventually(async () => expect((await job(other)).processed).toBe(10));
    scribe.before = () => Promise.resolve();
    await swept(other);
    expect(scribe.starts).toEqual([0, 10]);
    expect(await written(other)).toEqual(items(20));
  });

  it('of an organization wait for at most one of each other organization, however many it has', async () => {
    const flood = await createOrganization(app);
    const others = [await createOrganization(app), await createOrganization(app)];
    // In the order of their turns: a job may begin late, for want of a connection.
    const claimed: number[] = [];
    const rows = app.get(BulkJobRepository);
    const claim = rows.claim.bind(rows);
    jest.spyOn(rows, 'claim').mockImplementation(async (...given) => {
      const job = await claim(...given);
      if (job) claimed.push(job.organizationId);
      return job;
    });
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    scribe.before = () => gate;
    for (let i = 0; i < 30; i++) await enqueue(1, app, flood);
    // Both slots of the worker are taken.
    await eventually(async () => expect(claimed).toHaveLength(2));
    const last = [];
    for (let i = 0; i < 3; i++)
      for (const other of others) last.push([await enqueue(1, app, other), other] as const);
    open();
    for (const [id, other] of last) await ended(id, other);
    await eventually(async () => expect(claimed).toHaveLength(36));
    // Three turns of all three, and one more for the other slot.
    expect(claimed.filter((id, i) => id !== flood.organizationId && i >= 2 + 9 + 1)).toEqual([]);
  });

  it('store items encrypted, and delete them at the end', async () => {
    let stored: unknown;
    scribe.before = async ({ jobId }) => {
      stored = await app.sql('SELECT * FROM bulk_jobs WHERE id = $1', [jobId]);
    };
    const id = await app
      .get(Database)
      .write((tx) =>
        app
          .get(BulkJobs)
          .enqueue(tx, org.organizationId, TYPE, { context: { word: '+821012345678' }, items: [1, 3] }),
      );
    await ended(id);
    expect(JSON.stringify(stored)).not.toContain('1012345678');
    const [row] = await app.sql('SELECT * FROM bulk_jobs WHERE id = $1', [id]);
    expect(row?.payload).toBeNull();
    expect(JSON.stringify(row)).not.toContain('8210');
  });

  it('are visible only to their organization, and deleted after 7 days', async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    const id = await enqueue(1);
    await ended(id);
    await expect(app.get(BulkJobs).get(org.organizationId + 1, id)).rejects.toMatchObject({ status: 404 });
    app.clock.advance(7 * 86_400_000 - 1);
    await app.get(BulkJobs).deleteOld();
    await job(id);
    app.clock.advance(1);
    await expect(job(id)).rejects.toMatchObject({ status: 404 });
    await app.get(BulkJobs).deleteOld();
    expect(await app.sql('SELECT 1 FROM bulk_jobs WHERE id = $1', [id])).toEqual([]);
  });

  it('are released by a process that stops, and resumed at the next start', async () => {
    const stopping = await start(redis ? { database: app.database } : {});
    const database = stopping.app.database;
    if (!redis) {
      await stopping.app.sql('CREATE TABLE written (job_id bigint, item int)');
      org = await createOrganization(stopping.app);
    }
    // With Redis either process may be the worker, so both stop after a chunk.
    let seen = 0;
    let reached: () => void = () => undefined;
    const working = new Promise<void>((resolve) => (reached = resolve));
    const slow = async () => {
      if (++seen === 3) reached();
      await stopping.app.sql('SELECT pg_sleep(0.01)');
    };
    stopping.scribe.before = slow;
    scribe.before = slow;
    const id = await enqueue(300, stopping.app);
    await working;
    await stopping.app.close();
    scribe.before = () => Promise.resolve();
    const next = await start({ database });
    const done = await eventually(async () => {
      const found = await next.app.get(BulkJobs).get(org.organizationId, id);
      if (found.finishedAt === null) await next.app.get(BulkJobsProcessor).sweep();
      expect(found).toMatchObject({ status: 'COMPLETED', processed: 300, accepted: 150 });
      return found;
    });
    const rows = await next.app.sql<{ item: number }>(
      'SELECT item FROM written WHERE job_id = $1 ORDER BY item',
      [id],
    );
    expect(rows.map(({ item }) => item)).toEqual(items(done.total));
    await next.app.close();
  });
});

describe('several processes', () => {
  it('share the jobs, whichever accepted them; a web-only process runs none', async () => {
    const { app: web, scribe: idle } = await startApp({ redis: true, env: { ROLE: 'web' } });
    await web.sql('CREATE TABLE written (job_id bigint, item int)');
    const { organizationId } = await createOrganization(web);
    const workers = [await startApp({ database: web.database }), await startApp({ database: web.database })];
    for (const { app, scribe } of workers) {
      scribe.before = async () => {
        await app.sql('SELECT pg_sleep(0.002)');
      };
    }
    const count = 40;
    const ids: number[] = [];
    for (let i = 0; i < count; i++) {
      const payload = { context: {}, items: Array.from({ length: 25 }, (_, item) => item) };
      ids.push(
        await web.get(Database).write((tx) => web.get(BulkJobs).enqueue(tx, organizationId, TYPE, payload)),
      );
    }
    await eventually(async () => {
      const [row] = await web.sql(`SELECT count(*) AS open FROM bulk_jobs WHERE status <> 'COMPLETED'`);
      expect(row?.open).toBe(0);
    });
    const [sum] = await web.sql(
      'SELECT count(*) AS all, count(DISTINCT (job_id, item)) AS distinct FROM written',
    );
    expect(sum).toEqual({ all: 25 * count, distinct: 25 * count });
    expect(idle.starts).toEqual([]);
    expect(workers.map(({ scribe }) => scribe.starts.length > 0)).toEqual([true, true]);
    await Promise.all(workers.map(({ app }) => app.close()));
    await web.close();
  });
});
