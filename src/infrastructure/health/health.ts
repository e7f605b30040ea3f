import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheckService, type HealthCheckResult, HealthIndicatorService } from '@nestjs/terminus';
import { setTimeout as delay } from 'node:timers/promises';
import { Metrics } from '../metrics/metrics';
import { type Purpose, type ReadinessCheck, ReadinessChecks } from './readiness-checks';

/** Limit of a check: a slower store counts as down. */
const TIME_LIMIT_MS = 1_000;

/** Whether this process should receive requests. */
@Injectable()
export class Health {
  private stopping = false;

  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly checks: ReadinessChecks,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'waypost_check_up',
      '1 if a check of readiness finds all well',
      ['check'],
      async (gauge) => {
        const { details } = await this.ready('redirects');
        for (const [check, { status }] of Object.entries(details))
          gauge.set({ check }, Number(status === 'up'));
      },
    );
  }

  /** Makes this process report that it is not ready, from now on. */
  stop(): void {
    this.stopping = true;
  }

  /** Results of all checks; `error` and `shutting_down` mean not ready. */
  async ready(purpose: Purpose): Promise<HealthCheckResult> {
    if (this.stopping) return { status: 'shutting_down', info: {}, error: {}, details: {} };
    try {
      return await this.health.check(this.checks.all().map((check) => () => this.run(check, purpose)));
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      return error.getResponse() as HealthCheckResult;
    }
  }

  private async run(check: ReadinessCheck, purpose: Purpose) {
    const indicator = this.indicators.check(check.name);
    const unavailable = (message: string) =>
      purpose === 'redirects' ? indicator.degraded(message) : indicator.down(message);
    const stop = new AbortController();
    try {
      const late = delay(TIME_LIMIT_MS, null, { signal: stop.signal });
      // Ignores the result of a check after the timeout.
      const result = await Promise.race([check.check(), late]);
      if (!result) return unavailable('no answer within 1 s');
      const details = { ...result.details };
      if (result.status === 'up') return indicator.up(details);
      return result.status === 'degraded' ? indicator.degraded(details) : indicator.down(details);
    } catch {
      // The response is public, so the cause is only logged.
      return unavailable('not reachable');
    } finally {
      stop.abort();
    }
  }
}
