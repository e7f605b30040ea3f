import { Field } from '../common/http/api-field';
import { OneOf } from '../common/validation/atoms';
import { type Purpose, PURPOSES } from '../infrastructure/health/readiness-checks';

export class LivenessResponse {
  @Field('Always `ok`: the process responds', 'ok')
  status!: string;
}

export class ReadinessQuery {
  @OneOf(PURPOSES, {
    description: 'What the process should be ready for; default redirects, on a worker its work',
    example: 'api',
    optional: true,
  })
  for?: Purpose | null;
}

const CHECKS = {
  type: 'object' as const,
  additionalProperties: {
    type: 'object' as const,
    properties: { status: { type: 'string' as const, enum: ['up', 'degraded', 'down'] } },
    required: ['status'],
    additionalProperties: true,
  },
};

export class ReadinessResponse {
  @Field(
    'degraded: a store is down that this purpose can do without. error, shutting_down: send no requests',
    'ok',
    { enum: ['ok', 'degraded', 'error', 'shutting_down'] },
  )
  status!: string;

  @Field('Checks that are up or degraded, by name', { postgres: { status: 'up' } }, CHECKS)
  info?: Record<string, unknown>;

  @Field('Checks that are down, by name', {}, CHECKS)
  error?: Record<string, unknown>;

  @Field(
    'Every check, by name: postgres, migrations, redis (if configured), and those of modules',
    { postgres: { status: 'up' } },
    CHECKS,
  )
  details!: Record<string, unknown>;
}
