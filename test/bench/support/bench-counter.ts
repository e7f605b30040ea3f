import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';

const BATCH_MS = 100;

/** Stores and announces clicks of an organization at a steady rate, as a worker does, but without its other work. */
export class BenchCounter {
  private isStopped = false;
  private readonly running: Promise<void>;

  private constructor(
    private readonly database: DataSource,
    private readonly organizationId: number,
    private readonly clicksASecond: number,
  ) {
    this.running = this.run();
    // Thrown when it is stopped.
    this.running.catch(() => undefined);
  }

  static async prepare(database: DataSource): Promise<void> {
    const month = new Date().toISOString().slice(0, 7);
    await database.query('CREATE SEQUENCE bench_clicks');
    await database.query(
      `CREATE TABLE clicks_${month.replace('-', '_')} PARTITION OF clicks
         FOR VALUES FROM ('${month}-01Z') TO ('2100-01-01Z')`,
    );
  }

  static start(database: DataSource, organizationId: number, clicksASecond: number): BenchCounter {
    return new BenchCounter(database, organizationId, clicksASecond);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  /** A function, because TypeScript's control flow would narrow the field to false inside the loop. */
  private hasStopped(): boolean {
    return this.isStopped;
  }

  private async run(): Promise<void> {
    const size = (this.clicksASecond * BATCH_MS) / 1_000;
    for (let next = performance.now(); !this.hasStopped(); next += BATCH_MS) {
      await this.database.query(COUNT, [this.organizationId, size]);
      await delay(Math.max(0, next + BATCH_MS - performance.now()));
    }
  }
}

const COUNT = `
  WITH counted AS (
    INSERT INTO clicks (id, clicked_at, organization_id, tracked_link_id, dimensions, kind, is_bot, local_day, local_visitor)
    SELECT nextval('bench_clicks'), now(), $1, 1 + n % 1000,
           '{country:KR,device:Desktop,os:Windows,browser:Chrome,referrer:www.google.com,utm_source:news}', 1, false,
           now(), n
      FROM generate_series(1, $2::integer) AS n RETURNING id, clicked_at
  )
  INSERT INTO live_batches (organization_id, part, ids, times)
  SELECT $1, part, array_agg(id ORDER BY id), array_agg(clicked_at ORDER BY id)
    FROM (SELECT id, clicked_at, (row_number() OVER (ORDER BY id) - 1) / 100 + 1 AS part FROM counted) AS numbered
   GROUP BY part`;
