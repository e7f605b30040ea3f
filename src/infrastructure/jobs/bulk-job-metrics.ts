import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import { Database } from '../database/database';
import type { Sample } from '../metrics/hot-counters';
import { InstallationMetrics } from '../metrics/installation-metrics';
import { BULK_JOB_STATUSES, type BulkJobStatus } from './bulk-job';

/** Metrics cover jobs that ended in this period, so that a scrape does not read all of the retained ones. */
const RECENT_MS = 3_600_000;

const BY_STATE = `
  SELECT status, count(*) AS count FROM bulk_jobs WHERE finished_at IS NULL GROUP BY status
   UNION ALL
  SELECT status, count(*) FROM bulk_jobs WHERE finished_at > $1 GROUP BY status`;
const OLDEST = `SELECT min(created_at) AS "createdAt" FROM bulk_jobs WHERE finished_at IS NULL AND status = 'QUEUED'`;

@Injectable()
export class BulkJobMetrics {
  constructor(
    installation: InstallationMetrics,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    installation.gauge(
      'waypost_bulk_jobs',
      'Bulk jobs by state; completed and failed ones are those that ended within the last hour',
      () => this.byState(),
    );
    installation.gauge(
      'waypost_bulk_job_oldest_queued_seconds',
      'Age of the oldest bulk job that no worker has begun',
      async () => [{ labels: {}, value: await this.oldestQueued() }],
    );
  }

  private async byState(): Promise<Sample[]> {
    const rows = await this.database.read<{ status: BulkJobStatus; count: number }>(BY_STATE, [
      new Date(this.clock.now() - RECENT_MS),
    ]);
    const counts = new Map(rows.map(({ status, count }) => [status, count]));
    return BULK_JOB_STATUSES.map((status) => ({
      labels: { state: status.toLowerCase() },
      value: counts.get(status) ?? 0,
    }));
  }

  private async oldestQueued(): Promise<number> {
    const { createdAt } = await this.database.single<{ createdAt: Date | null }>(OLDEST);
    return createdAt ? Math.max(0, this.clock.now() - createdAt.getTime()) / 1_000 : 0;
  }
}
