import { Injectable } from '@nestjs/common';

/**
 * What is asked for: whether links can be answered and their clicks kept, whether API calls can be answered, or whether
 * what happens behind requests can.
 */
export const PURPOSES = ['redirects', 'api', 'worker'] as const;
export type Purpose = (typeof PURPOSES)[number];

/**
 * What a check found. `degraded`: impaired, and still serving. `down`: nothing can be served. Details must suit the
 * public.
 */
export interface Readiness {
  status: 'up' | 'degraded' | 'down';
  details?: Readonly<Record<string, string | number | boolean>>;
}

export interface ReadinessCheck {
  /** Key in the answer: `postgres`, `clicks`. */
  readonly name: string;
  /**
   * What throws or takes longer than a second says that a store is away: `down`, except for redirects, which go on
   * without.
   */
  check(): Promise<Readiness>;
}

/**
 * What `/health/ready` asks. A module adds its own check in `onModuleInit`:
 * `checks.add({ name: 'clicks', check: async () => ({ status: 'up', details: { backlog: 12 } }) })`.
 */
@Injectable()
export class ReadinessChecks {
  private readonly checks = new Map<string, ReadinessCheck>();

  add(check: ReadinessCheck): void {
    if (this.checks.has(check.name)) throw new Error(`There is a readiness check "${check.name}" already`);
    this.checks.set(check.name, check);
  }

  all(): ReadinessCheck[] {
    return [...this.checks.values()];
  }
}
