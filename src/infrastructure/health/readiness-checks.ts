import { Injectable } from '@nestjs/common';

/** What a probe asks about: serving links and recording their clicks, API calls, or background work. */
export const PURPOSES = ['redirects', 'api', 'worker'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** Result of a check. `degraded`: impaired but serving. `down`: unable to serve. Details are public. */
export interface Readiness {
  status: 'up' | 'degraded' | 'down';
  details?: Readonly<Record<string, string | number | boolean>>;
}

export interface ReadinessCheck {
  /** Key in the response, such as `postgres`. */
  readonly name: string;
  /** An exception or a timeout (1 s) counts as `down`, or as `degraded` for redirects, which work without stores. */
  check(): Promise<Readiness>;
}

/**
 * Checks run by `/health/ready`. A module adds its own in `onModuleInit`: `checks.add({ name: 'clicks',
 * check: async () => ({ status: 'up', details: { backlog: 12 } }) })`.
 */
@Injectable()
export class ReadinessChecks {
  private readonly checks = new Map<string, ReadinessCheck>();

  add(check: ReadinessCheck): void {
    if (this.checks.has(check.name)) throw new Error(`There is already a readiness check "${check.name}"`);
    this.checks.set(check.name, check);
  }

  all(): ReadinessCheck[] {
    return [...this.checks.values()];
  }
}
