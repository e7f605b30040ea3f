import { Injectable } from '@nestjs/common';

/** What a check found. `degraded`: impaired, and still serving. Details must suit the public. */
export interface Readiness {
  status: 'up' | 'degraded' | 'down';
  details?: Readonly<Record<string, string | number | boolean>>;
}

export interface ReadinessCheck {
  /** Key in the answer: `postgres`, `clicks`. */
  readonly name: string;
  /** What throws is `down`, as is what takes longer than 2 s. */
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
