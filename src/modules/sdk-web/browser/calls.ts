import { timeZone } from './device';
import type { GoalOptions, Stage } from './types';

const FUNNEL = '/session/funnel/track';
const MAX_EVENT_TYPE = 50;

/** What is tracked, as the API takes it: with its time and number, by which a repeat is known for one. */
export interface Call {
  path: string;
  body: Record<string, unknown>;
}

/** @throws TypeError for what is no goal */
export function goalCall(
  goalType: string | null,
  value: number,
  currency: string | null | undefined,
  options: GoalOptions = {},
): Call {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new TypeError('a value must be a number');
  if (goalType !== null && (typeof goalType !== 'string' || goalType === '')) {
    throw new TypeError('a goal type must be a text, or null for that of the link');
  }
  const body = {
    stage: 'GOAL_COMPLETED',
    goalType,
    goalValue: value,
    ...(currency && { currency: codeOf(currency) }),
    transactionId: options.transactionId ?? randomId(),
    platform: 'WEB',
    timestamp: now(),
  };
  return { path: FUNNEL, body };
}

/** @throws TypeError for what is no purchase */
export function purchaseCall(amount: number, currency: string, options?: GoalOptions): Call {
  return goalCall(`purchase_${codeOf(currency)}`, amount, currency, options);
}

export function stageCall(stage: Stage): Call {
  return { path: FUNNEL, body: { stage, platform: 'WEB', timestamp: now() } };
}

/** @throws TypeError for what is no event */
export function eventCall(eventType: string, eventData: Record<string, unknown> | undefined): Call {
  if (typeof eventType !== 'string' || eventType === '' || eventType.length > MAX_EVENT_TYPE) {
    throw new TypeError(`an event type must have 1 to ${String(MAX_EVENT_TYPE)} characters`);
  }
  const body = { eventType, eventData, clientTimestamp: now(), clientTimezone: timeZone() };
  return { path: '/session/event', body };
}

function codeOf(currency: string): string {
  if (typeof currency !== 'string' || !/^[a-z]{3}$/i.test(currency)) {
    throw new TypeError('a currency must be a code such as KRW');
  }
  return currency.toUpperCase();
}

let lastMs = 0;

/** This moment; no two calls of a page have the same, as the server tells events by it. */
function now(): string {
  lastMs = Math.max(Date.now(), lastMs + 1);
  return new Date(lastMs).toISOString();
}

/** Not `randomUUID`, which pages without TLS do not have. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
