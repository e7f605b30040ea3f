import { timeZone } from './device';
import type { GoalOptions, Stage } from './types';
import { uuid } from './uuid';

const FUNNEL = '/session/funnel/track';
const MAX_EVENT_TYPE = 50;
const MAX_GOAL_TYPE = 100;

/** A call of the API; its timestamp and transaction id make it idempotent. */
export interface Call {
  path: string;
  body: Record<string, unknown>;
}

/** @throws TypeError for an invalid goal */
export function goalCall(
  goalType: string | null,
  value: number,
  currency: string | null | undefined,
  options: GoalOptions = {},
): Call {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new TypeError('a value must be a number');
  if (goalType !== null && !isText(goalType, MAX_GOAL_TYPE)) {
    throw new TypeError('a goal type must have 1 to 100 characters, or be null to use that of the link');
  }
  const body = {
    stage: 'GOAL_COMPLETED',
    goalType,
    goalValue: value,
    ...(currency && { currency: codeOf(currency) }),
    transactionId: String(options.transactionId ?? uuid()),
    platform: 'WEB',
    timestamp: now(),
  };
  return { path: FUNNEL, body };
}

/** @throws TypeError for an invalid purchase */
export function purchaseCall(amount: number, currency: string, options?: GoalOptions): Call {
  return goalCall(`purchase_${codeOf(currency)}`, amount, currency, options);
}

export function stageCall(stage: Stage): Call {
  return { path: FUNNEL, body: { stage, platform: 'WEB', timestamp: now() } };
}

/** @throws TypeError for an invalid event */
export function eventCall(eventType: string, eventData: Record<string, unknown> | undefined): Call {
  if (!isText(eventType, MAX_EVENT_TYPE)) throw new TypeError('an event type must have 1 to 50 characters');
  const body = { eventType, eventData, clientTimestamp: now(), clientTimezone: timeZone() };
  return { path: '/session/event', body };
}

function isText(text: unknown, max: number): boolean {
  return typeof text === 'string' && text !== '' && text.length <= max;
}

function codeOf(currency: string): string {
  if (typeof currency !== 'string' || !/^[a-z]{3}$/i.test(currency)) {
    throw new TypeError('a currency must be a code such as KRW');
  }
  return currency.toUpperCase();
}

let lastMs = 0;

/** The current time, unique among the calls of a page because the server de-duplicates events by it. */
function now(): string {
  lastMs = Math.max(Date.now(), lastMs + 1);
  return new Date(lastMs).toISOString();
}
