/** `unknown`: not checked yet. `unhealthy`: failed three times in three days (docs/concepts/links.md#health). */
export const HEALTH_STATUSES = ['unknown', 'healthy', 'unhealthy'] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

export const HEALTH_PROBLEMS = [
  'NOT_FOUND',
  'CLIENT_ERROR',
  'SERVER_ERROR',
  'TIMEOUT',
  'DNS',
  'TLS',
  'CONNECTION',
  'BAD_ANSWER',
  'REDIRECT_LOOP',
  'NOT_ALLOWED',
] as const;
export type HealthProblem = (typeof HEALTH_PROBLEMS)[number];

export interface StoredHealth {
  readonly status: HealthStatus;
  readonly problem: HealthProblem | null;
  /** ISO 8601. */
  readonly checkedAt: string | null;
}
