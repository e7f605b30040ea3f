import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expectCounted, sql } from './accounts';
import { links, Stage, stormSeconds } from './stage';

const BUILDER = join(__dirname, 'click-sums-builder.cjs');

interface Sums {
  clicks: number;
  bots: number;
  visitors: number;
}

describe('sums of clicks', () => {
  const stage = new Stage();
  const seconds = stormSeconds(6);
  const builders = new Set<ChildProcess>();
  jest.setTimeout((seconds + 300) * 1000);
  afterEach(async () => {
    for (const builder of builders) builder.kill('SIGKILL');
    await stage.clear();
  });

  /** A process that sums up today's clicks again and again, or once. */
  function builder(databaseUrl: string, ...args: string[]): ChildProcess {
    const child = spawn(process.execPath, [BUILDER, ...args], {
      env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    builders.add(child);
    child.once('exit', () => builders.delete(child));
    return child;
  }

  async function begun({ stdout }: ChildProcess): Promise<void> {
    if (stdout) await once(stdout, 'data');
  }

  async function ended(child: ChildProcess): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return child.exitCode;
  }

  it('equal the clicks after two workers counted them and builders were killed at work', async () => {
    const databaseUrl = await stage.database();
    const redis = await stage.redis();
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url };
    const web = await stage.service({ ...env, ROLE: 'web' });
    const load = stage.load({ ports: [web.port], links: await links(web), pauseMs: 2_000 });
    const worker = { ...env, ROLE: 'worker', CLICK_BATCH: '50' };
    await Promise.all([stage.service(worker), stage.service(worker)]);

    let sums = 0;
    const until = performance.now() + seconds * 1000;
    // On a busy machine, the first builders are killed before they have made a sum.
    while (performance.now() < until || sums === 0) {
      const [mortal, other] = [builder(databaseUrl), builder(databaseUrl)];
      await Promise.all([begun(mortal), begun(other)]);
      await delay(Math.random() * 300);
      mortal.kill('SIGKILL');
      await ended(mortal);
      const [row] = await sql<{ sums: number }>(
        databaseUrl,
        `SELECT count(*)::int AS sums FROM click_sums WHERE clicks > 0`,
      );
      sums += row?.sums ?? 0;
      other.kill('SIGKILL');
      await ended(other);
      expect(await differences(databaseUrl)).toEqual([]);
    }
    await load.stop();
    await expectCounted(load, { databaseUrl, redisUrl: redis.url });
    expect(load.failures).toEqual([]);
    // Sums that were made before the last clicks are gone; without a builder, no figure is wrong.
    expect(await differences(databaseUrl)).toEqual([]);
    expect(await ended(builder(databaseUrl, 'once'))).toBe(0);
    expect(await differences(databaseUrl)).toEqual([]);
    const summed = await sql<Sums>(
      databaseUrl,
      `SELECT sum(clicks)::int AS clicks, sum(bots)::int AS bots, sum(visitors)::int AS visitors
         FROM click_sums WHERE unit = 1 AND claim IS NULL`,
    );
    expect(summed).toEqual(await sql<Sums>(databaseUrl, RECOUNTED));
    expect(summed[0]?.clicks).toBeGreaterThan(0);
  });
});

const RECOUNTED = `
  SELECT count(*) FILTER (WHERE NOT is_bot)::int AS clicks, count(*) FILTER (WHERE is_bot)::int AS bots,
         count(DISTINCT (local_day, local_visitor)) FILTER (WHERE NOT is_bot)::int AS visitors
    FROM clicks`;

/** Days with sums whose totals, countries or hours are not those of their clicks, read in one snapshot. */
function differences(databaseUrl: string): Promise<unknown[]> {
  return sql(
    databaseUrl,
    `WITH days AS (
       SELECT organization_id, start AS day, clicks, bots, visitors FROM click_sums WHERE unit = 1 AND claim IS NULL
     ), recounted AS (
       SELECT d.organization_id, d.day, count(*) FILTER (WHERE NOT is_bot) AS clicks,
              count(*) FILTER (WHERE is_bot) AS bots,
              count(DISTINCT local_visitor) FILTER (WHERE NOT is_bot) AS visitors
         FROM days d JOIN clicks c ON c.organization_id = d.organization_id AND c.local_day = d.day
        GROUP BY 1, 2
     ), broken_down AS (
       SELECT d.organization_id, d.day, b.dimension, sum(v.clicks) AS clicks, sum(v.bots) AS bots
         FROM days d JOIN click_breakdowns b ON b.organization_id = d.organization_id AND b.unit = 1 AND b.start = d.day,
              unnest(b.clicks, b.bots) AS v (clicks, bots)
        GROUP BY 1, 2, 3
     )
     SELECT 'total' AS what, d.*, r.clicks AS counted FROM days d LEFT JOIN recounted r USING (organization_id, day)
      WHERE (d.clicks, d.bots, d.visitors) IS DISTINCT FROM
            (coalesce(r.clicks, 0), coalesce(r.bots, 0), coalesce(r.visitors, 0))
     UNION ALL
     SELECT dimension, d.*, b.clicks FROM days d JOIN broken_down b USING (organization_id, day)
      WHERE (d.clicks, d.bots) IS DISTINCT FROM (b.clicks, b.bots)`,
  );
}
