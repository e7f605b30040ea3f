import type { GoalOptions, Platform, Stage } from './types';
import { EVENT } from './queue';
import { uuid } from './uuid';

export const FUNNEL = '/cross-platform/session/funnel/track';
const MAX_EVENT_TYPE = 50;
const MAX_GOAL_TYPE = 100;

type Os = Platform['os'];

/** A call whose time is set when it gets its session. */
export interface Call {
  path: string;
  body: Record<string, unknown>;
}

/** @throws TypeError for an invalid event */
export function eventCall(eventType: string, eventData: Record<string, unknown> | undefined): Call {
  if (!isText(eventType, MAX_EVENT_TYPE)) throw new TypeError('an event type must have 1 to 50 characters');
  return { path: EVENT, body: { eventType, eventData } };
}

/** @throws TypeError for an invalid goal */
export function goalCall(
  platform: Os,
  goalType: string | null,
  goalValue: number,
  currency: string | null | undefined,
  { transactionId = uuid() }: GoalOptions = {},
): Call {
  if (typeof goalValue !== 'number' || !Number.isFinite(goalValue))
    throw new TypeError('a value must be a number');
  if (goalType !== null && !isText(goalType, MAX_GOAL_TYPE))
    throw new TypeError('a goal type must have 1 to 100 characters, or be null to use that of the link');
  const goal = { goalType, goalValue, currency: currency ? codeOf(currency) : undefined };
  const body = { stage: 'GOAL_COMPLETED', platform, ...goal, transactionId: String(transactionId) };
  return { path: FUNNEL, body };
}

/** @throws TypeError for an invalid purchase */
export function purchaseCall(platform: Os, amount: number, currency: string, options?: GoalOptions): Call {
  return goalCall(platform, `purchase_${codeOf(currency)}`, amount, null, options);
}

/** @throws TypeError without a stage */
export function stageCall(platform: Os, stage: Stage): Call {
  if (!isText(stage, MAX_EVENT_TYPE)) throw new TypeError('a stage must be a text such as CONTENT_VIEWED');
  return { path: FUNNEL, body: { stage, platform } };
}

function isText(text: unknown, max: number): boolean {
  return typeof text === 'string' && text !== '' && text.length <= max;
}

function codeOf(currency: string): string {
  if (typeof currency !== 'string' || !/^[a-z]{3}$/i.test(currency))
    throw new TypeError('a currency must be a code such as KRW');
  return currency.toUpperCase();
}
