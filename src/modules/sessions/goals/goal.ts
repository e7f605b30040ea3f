import { PURCHASE, purchaseCurrency, type SessionPlatform } from '../funnel';
import type { FunnelTarget } from '../rollups/funnel-sums';

/** What a session was for: a purchase, a sign-up. */
export interface Goal {
  organizationId: number;
  id: number;
  appId: number;
  sessionId: string;
  /** `purchase` for `purchase_<CURRENCY>` too. */
  goalType: string;
  value: number;
  currency: string | null;
  transactionId: string | null;
  platform: SessionPlatform;
  deviceType: string | null;
  target: FunnelTarget | null;
  customId: string | null;
  externalUserId: string | null;
  clientTimestamp: Date | null;
  occurredAt: Date;
  /** The organization's day of occurredAt, `YYYY-MM-DD`. */
  day: string;
}

/**
 * A goal's type and currency as they are counted: `purchase_<CURRENCY>` is a purchase in that currency, and a goal that
 * names none is in the base currency of its time (docs/concepts/statistics.md#currencies).
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

/** When it happened: by the client's clock, where that is no more than seven days back and not ahead of ours. */
export function occurredAt(clientTimestamp: Date | null, now: Date): Date {
  const age = clientTimestamp ? now.getTime() - clientTimestamp.getTime() : -1;
  return clientTimestamp && age >= 0 && age <= MAX_AGE_MS ? clientTimestamp : now;
}
