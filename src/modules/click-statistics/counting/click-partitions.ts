import { Injectable } from '@nestjs/common';
import { Database } from '../../../infrastructure/database/database';

/** Making a table waits for whoever reads the parent just then. */
const LIMIT_MS = 10_000;

/** The monthly partitions of raw clicks, made when the first click of a month is about to be written. */
@Injectable()
export class ClickPartitions {
  private readonly known = new Set<string>();

  constructor(private readonly database: Database) {}

  /** Makes sure that clicks of these UTC days (`YYYY-MM-DD`) have a partition. */
  async ensure(days: ReadonlySet<string>): Promise<void> {
    const months = new Set([...days].map((day) => day.slice(0, 7)));
    for (const month of months) if (!this.known.has(month)) await this.create(month);
  }

  private async create(month: string): Promise<void> {
    const from = new Date(`${month}-01T00:00:00Z`);
    const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1));
    // Two processes may want the same month at once, and IF NOT EXISTS alone lets one of them fail.
    await this.database.writeWithin(LIMIT_MS, async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock(hashtext('click_partitions'))`);
      await tx.query(
        `CREATE TABLE IF NOT EXISTS clicks_${month.replace('-', '_')} PARTITION OF clicks
           FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
      );
    });
    this.known.add(month);
  }
}
