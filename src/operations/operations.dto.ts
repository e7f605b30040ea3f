import { ApiProperty } from '@nestjs/swagger';
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

  @ApiProperty({
    ...CHECKS,
    description: 'Checks that are up or degraded, by name',
    example: { postgres: { status: 'up' } },
  })
  info?: Record<string, unknown>;

  @ApiProperty({ ...CHECKS, description: 'Checks that are down, by name', example: {} })
  error?: Record<string, unknown>;

  @ApiProperty({
    ...CHECKS,
    description: 'Every check, by name: postgres, migrations, redis (if configured), and those of modules',
    example: { postgres: { status: 'up' } },
  })
  details!: Record<string, unknown>;
}
