import type { Plan } from './caller';

interface PlanTerms {
  /** Whether the plan includes the Service API. */
  readonly apiAccess: boolean;
  /** Retention of clicks and statistics in days. */
  readonly retentionDays: number;
  /** Maximum click de-duplication window in minutes. */
  readonly deduplicationCapMinutes: number;
  /** Maximum number of links, not counting deleted ones. */
  readonly maxLinks: number;
}

/** What each plan includes (docs/concepts/access.md#plans). */
export const PLAN_TERMS: Readonly<Record<Plan, PlanTerms>> = {
  FREE: { apiAccess: false, retentionDays: 90, deduplicationCapMinutes: 60, maxLinks: 10_000 },
  PRO: { apiAccess: true, retentionDays: 400, deduplicationCapMinutes: 1_440, maxLinks: 1_000_000 },
  ENTERPRISE: {
    apiAccess: true,
    retentionDays: 1_100,
    deduplicationCapMinutes: 10_080,
    maxLinks: 100_000_000,
  },
};
