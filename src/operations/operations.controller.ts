import { Controller, Get, Header, Query, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../access/access.decorator';
import { ApiEndpoint } from '../common/http/api-endpoint';
import { Config } from '../config/config';
import { Health } from '../infrastructure/health/health';
import type { Purpose } from '../infrastructure/health/readiness-checks';
import { METRICS_TYPE, Metrics } from '../infrastructure/metrics/metrics';
import { LivenessResponse, ReadinessQuery, ReadinessResponse } from './operations.dto';

/** Probes for operators (docs/operations.md#health-checks). */
@ApiTags('Operations')
@Controller()
export class HealthController {
  constructor(
    private readonly health: Health,
    private readonly config: Config,
  ) {}

  @Get('health/live')
  @Public('liveness probe')
  @ApiEndpoint({
    operationId: 'getLiveness',
    summary: 'Check liveness',
    description: 'Checks no store, because restarting a process does not bring a store back.',
    response: { type: LivenessResponse, description: 'The process is alive' },
  })
  live(): LivenessResponse {
    return { status: 'ok' };
  }

  @Get('health/ready')
  @Public('readiness probe')
  @ApiEndpoint({
    operationId: 'getReadiness',
    summary: 'Check readiness',
    description:
      'By default 200 as long as links can be answered and their clicks recorded: a store that is down ' +
      'is reported as `degraded`, and named in the details. `?for=api` and `?for=worker` are 503 if ' +
      'Postgres is down. The response takes at most a second; docs/operations.md has the probes of ' +
      'HAProxy, nginx, Caddy and Kubernetes.',
    response: { type: ReadinessResponse, description: 'Ready, possibly degraded' },
  })
  @ApiResponse({ status: 503, type: ReadinessResponse, description: 'Not ready' })
  async ready(
    @Query() query: ReadinessQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReadinessResponse> {
    const readiness = await this.health.ready(query.for ?? this.ownPurpose);
    response.status(['ok', 'degraded'].includes(readiness.status) ? 200 : 503);
    return readiness;
  }

  private get ownPurpose(): Purpose {
    return this.config.role === 'worker' ? 'worker' : 'redirects';
  }
}

/** Metrics on PORT, unless OPERATIONS_PORT is set (docs/operations.md#the-operations-port). */
@ApiTags('Operations')
@Controller()
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get('metrics')
  @Public('scraped by Prometheus; contains no customer data')
  @ApiEndpoint({
    operationId: 'getMetrics',
    summary: 'Get the metrics of this process',
    description: 'Prometheus text format, version 0.0.4.',
    response: {
      description: 'Metrics',
      content: { 'text/plain': { schema: { type: 'string' }, example: 'process_open_fds 24' } },
    },
  })
  @Header('Content-Type', METRICS_TYPE)
  scrape(): Promise<string> {
    return this.metrics.text();
  }
}
