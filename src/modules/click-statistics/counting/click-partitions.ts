import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/time/clock';
import { Database } from '../../../infrastructure/database/database';

/** Creating a partition waits for running queries of the parent table. */
const PARTITION_LIMIT_MS = 10_000;

/** Creates the monthly partitions of raw clicks before the first click of a month is written. */
@Injectable()
export class ClickPartitions {
  private readonly known = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    database.onPrimaryChange(() => this.known.clear());
  }

  /** Creates missing partitions. @param days UTC, `YYYY-MM-DD` */
  async ensure(days: ReadonlySet<string>): Promise<void> {
    const months = new Set([...days].map((day) => day.slice(0, 7)));
    // Rechecked for past months, whose partition retention may have dropped.
    const current = this.clock.date().toISOString().slice(0, 7);
    for (const month of months) {
      if (month < current || !this.known.has(month)) await this.create(month);
    }
  }

  private async create(month: string): Promise<void> {
    const from = new Date(`${month}-01T00:00:00Z`);
    const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1));
    // IF NOT EXISTS still fails if two processes create the same table concurrently.
    await this.database.writeWithin(PARTITION_LIMIT_MS, async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock(hashtext('click_partitions'))`);
      await tx.query(
        `CREATE TABLE IF NOT EXISTS clicks_${month.replace('-', '_')} PARTITION OF clicks
           FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
      );
    });
    this.known.add(month);
  }
}
