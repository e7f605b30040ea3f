import type { NextFunction, Response } from 'express';
import { type ApiRequest, routeOf } from '../../common/http/api-request';
import type { Metrics } from './metrics';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Measures every response by route pattern, method and status; requests without a route share one label. */
export function httpMetrics(metrics: Metrics) {
  const durations = metrics.histogram(
    'http_request_duration_seconds',
    'Time from the request to the end of the response',
    ['method', 'route', 'status'],
    BUCKETS,
  );
  return (request: ApiRequest, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    response.on('close', () => {
      const labels = {
        method: request.method,
        route: routeOf(request) ?? 'none',
        status: response.statusCode,
      };
      durations.observe(labels, (performance.now() - startedAt) / 1000);
    });
    next();
  };
}
