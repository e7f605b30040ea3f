import { PURCHASE, purchaseCurrency, type SessionPlatform } from './funnel';
import type { TrackedLinkRef } from './rollups/funnel-sums';

/** A conversion in a session, such as a purchase or a sign-up. */
export interface Goal {
  organizationId: number;
  id: number;
  appId: number;
  sessionId: string;
  /** Also `purchase` for `purchase_<CURRENCY>`. */
  goalType: string;
  value: number;
  currency: string;
  transactionId: string | null;
  platform: SessionPlatform;
  deviceType: string | null;
  trackedLink: TrackedLinkRef | null;
  customId: string | null;
  externalUserId: string | null;
  clientTimestamp: Date | null;
  occurredAt: Date;
  /** Day of `occurredAt` in the organization's time zone, `YYYY-MM-DD`. */
  day: string;
}

/**
 * Goal type and currency for statistics. `purchase_<CURRENCY>` is a purchase in that currency; a goal without a
 * currency is in the base currency at the time (docs/concepts/statistics.md#currencies).
 */
export function countedGoalType(
  goalType: string,
  currency: string | null,
  baseCurrency: string,
): { goalType: string; currency: string } {
  const named = purchaseCurrency(goalType);
  if (named !== null) return { goalType: PURCHASE, currency: named };
  return { goalType, currency: currency ?? baseCurrency };
}

const MAX_AGE_MS = 7 * 86_400_000;

/** Time of a goal: the client's, unless it is older than seven days or in the future. */
export function occurredAt(clientTimestamp: Date | null, now: Date): Date {
  const age = clientTimestamp ? now.getTime() - clientTimestamp.getTime() : -1;
  return clientTimestamp && age >= 0 && age <= MAX_AGE_MS ? clientTimestamp : now;
}
