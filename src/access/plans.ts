import type { Plan } from './caller';
import { type LimitOverrides, type Limits, limitsFrom } from './limits/limits';

interface PlanTerms {
  readonly apiAccess: boolean;
  /** Maximum click de-duplication window in minutes. */
  readonly deduplicationCapMinutes: number;
  readonly limits: Limits;
}

/** What each plan includes (docs/concepts/access.md#plans). */
export const PLAN_TERMS: Readonly<Record<Plan, PlanTerms>> = {
  FREE: {
    apiAccess: false,
    deduplicationCapMinutes: 60,
    limits: {
      links: 10_000,
      monthlyClicks: 100_000,
      contacts: 10_000,
      concurrentImports: 2,
      importRows: 10_000,
      webhookEndpoints: 10,
      apps: 20,
      customDomains: 50,
      campaigns: 1_000,
      contactGroups: 100,
      apiKeys: 20,
      users: 50,
      invitations: 50,
      allowListEntries: 50,
      liveListeners: 10,
      clickRetentionDays: 90,
      eventRetentionDays: 90,
      rollupRetentionMonths: 37,
      auditRetentionMonths: 25,
    },
  },
  PRO: {
    apiAccess: true,
    deduplicationCapMinutes: 1_440,
    limits: {
      links: 1_000_000,
      monthlyClicks: 10_000_000,
      contacts: 1_000_000,
      concurrentImports: 5,
      importRows: 1_000_000,
      webhookEndpoints: 50,
      apps: 200,
      customDomains: 1_000,
      campaigns: 10_000,
      contactGroups: 500,
      apiKeys: 100,
      users: 500,
      invitations: 200,
      allowListEntries: 200,
      liveListeners: 100,
      clickRetentionDays: 400,
      eventRetentionDays: 400,
      rollupRetentionMonths: 37,
      auditRetentionMonths: 25,
    },
  },
  ENTERPRISE: {
    apiAccess: true,
    deduplicationCapMinutes: 10_080,
    limits: {
      links: 100_000_000,
      monthlyClicks: 1_000_000_000,
      contacts: 100_000_000,
      concurrentImports: 20,
      importRows: 1_000_000,
      webhookEndpoints: 500,
      apps: 1_000,
      customDomains: 5_000,
      campaigns: 100_000,
      contactGroups: 5_000,
      apiKeys: 1_000,
      users: 10_000,
      invitations: 1_000,
      allowListEntries: 1_000,
      liveListeners: 1_000,
      clickRetentionDays: 1_100,
      eventRetentionDays: 1_100,
      rollupRetentionMonths: 37,
      auditRetentionMonths: 25,
    },
  },
};

/** The limits of an organization. @param overrides null if the platform has set none */
export function limitsOf(plan: Plan, overrides: LimitOverrides | null): Limits {
  const { limits } = PLAN_TERMS[plan];
  return limitsFrom((name) => overrides?.[name] ?? limits[name]);
}
