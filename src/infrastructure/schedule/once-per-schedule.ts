import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ClientBase } from 'pg';
import { LOGGER } from '../../common/logging/logger';
import { Clock } from '../../common/time/clock';
import { Config } from '../../config/config';
import { Database } from '../database/database';
import { ScheduleMetrics } from './schedule-metrics';

type Work = (lost: AbortSignal) => Promise<unknown>;

/**
 * Runs scheduled work once a period, in one process at a time (docs/operations.md#scheduled-work).
 *
 * ```ts
 * @Cron('17 * * * *')
 * purge(): Promise<boolean> {
 *   return this.schedule.run('idempotency.purge', 3600, () => this.deleteExpired());
 * }
 * ```
 *
 * The timers of all processes fire; the first process to lock the job's row runs it. A killed process loses the lock
 * with its connection, and the next tick runs the job: make it safe to repeat.
 */
@Injectable()
export class OncePerSchedule implements BeforeApplicationShutdown {
  private readonly running = new Set<Promise<boolean>>();
  private closing = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly metrics: ScheduleMetrics,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param name stable, `feature.job`
   * @param everySeconds the schedule's period; a tick within half of it after the last run does nothing
   * @param work gets a signal that the lock is lost, with which it ends what must not run in two processes at once
   * @returns whether this process ran the job. Failures are logged, because a timer has no caller to throw to
   */
  async run(name: string, everySeconds: number, work: Work): Promise<boolean> {
    this.metrics.fired(name, everySeconds);
    if (this.closing || this.config.role === 'web') return false;
    const run = this.attempt(name, everySeconds, work).catch((error: unknown) => {
      this.logger.error({ job: name, err: error }, 'scheduled job failed');
      this.metrics.failed(name);
      return false;
    });
    this.running.add(run);
    return run.finally(() => this.running.delete(run));
  }

  /** Waits for running jobs. */
  async beforeApplicationShutdown(): Promise<void> {
    this.closing = true;
    await Promise.all(this.running);
  }

  private async attempt(name: string, everySeconds: number, work: Work): Promise<boolean> {
    await this.database.execute('INSERT INTO scheduled_jobs (name) VALUES ($1) ON CONFLICT DO NOTHING', [
      name,
    ]);
    // The lock needs a dedicated connection, because the work commits on others.
    return this.database.session(async (client) => {
      const lost = new AbortController();
      const lose = () => lost.abort();
      client.on('error', lose);
      try {
        await client.query('BEGIN');
        const due = await this.lockIfDue(client, name, everySeconds);
        if (due) {
          await work(lost.signal);
          const lastRunAt = this.clock.date();
          await client.query('UPDATE scheduled_jobs SET last_run_at = $2 WHERE name = $1', [name, lastRunAt]);
        }
        await client.query('COMMIT');
        return due;
      } catch (error) {
        // Frees the lock at once; the connection is closed later.
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      } finally {
        client.off('error', lose);
      }
    });
  }

  private async lockIfDue(client: ClientBase, name: string, everySeconds: number): Promise<boolean> {
    const now = this.clock.now();
    const { rows } = await client.query(
      `SELECT 1 FROM scheduled_jobs
       WHERE name = $1 AND (last_run_at IS NULL OR last_run_at <= $2 OR last_run_at > $3)
       FOR UPDATE SKIP LOCKED`,
      [name, new Date(now - everySeconds * 500), new Date(now)],
    );
    return rows.length > 0;
  }
}
