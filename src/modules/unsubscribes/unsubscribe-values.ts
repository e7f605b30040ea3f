import { ValidationFailed } from '../../common/errors/errors';
import { type Channel, normalizeChannelValue } from '../../common/phone/channel-value';
import { refused } from '../../common/phone/normalized';
import { parseDateTime } from '../../common/time/parse';
import type { InvalidItem } from './unsubscribes.dto';

const WORDS = {
  VALUE_REQUIRED: 'must not be empty',
  PHONE_FORMAT: 'must be a phone number',
  EMAIL_FORMAT: 'must be an e-mail address',
} as const;

/** Longer than what could be a value; what is shown of one that is not. */
const SHOWN = 200;

/** A value in its one form. @throws ValidationFailed */
export function valueOf(channel: Channel, text: string, region: string): string {
  const { value, problem } = normalizeChannelValue(channel, text, region);
  if (problem !== null) throw ValidationFailed.field('value', WORDS[problem]);
  return value;
}

/**
 * A value of a query string. A plus sign that was not encoded arrives as a space: where the number can be meant with
 * it, it is. @throws ValidationFailed
 */
export function queryValueOf(channel: Channel, text: string, region: string): string {
  if (channel !== 'EMAIL' && /^ \d/.test(text)) {
    const { value } = normalizeChannelValue(channel, `+${text.slice(1)}`, region);
    if (value !== null) return value;
  }
  return valueOf(channel, text, region);
}

/** When somebody opted out: a date alone is its beginning. @throws ValidationFailed when that is in the future */
export function unsubscribedAtOf(text: string | null | undefined, now: Date): Date {
  if (text === null || text === undefined) return now;
  const at = timeOf(text, now);
  if (!at) throw ValidationFailed.field('unsubscribedAt', 'must not be in the future');
  return at;
}

/** @returns null when it is no time, or in the future */
export function timeOf(text: unknown, now: Date): Date | null {
  if (typeof text !== 'string') return null;
  const at = parseDateTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  return at && at <= now ? at : null;
}

/** What many items came to, each looked at by itself. */
export interface CheckedValues {
  /** Each value once, with the place of its first item. */
  readonly values: ReadonlyMap<string, number>;
  /** Items that say again what one before has said. */
  readonly repeated: number;
  readonly invalid: InvalidItem[];
}

/**
 * @param start place of the first item, where these are a part of more
 * @param isWanted which items to look at
 */
export function checkValues(
  channel: Channel,
  items: readonly unknown[],
  region: string,
  start = 0,
  isWanted: (index: number) => boolean = () => true,
): CheckedValues {
  const values = new Map<string, number>();
  const invalid: InvalidItem[] = [];
  let repeated = 0;
  for (const [i, item] of items.entries()) {
    if (!isWanted(i)) continue;
    const given = valueIn(item);
    const { value, problem } = isOtherType(given)
      ? refused(channel === 'EMAIL' ? 'EMAIL_FORMAT' : 'PHONE_FORMAT')
      : normalizeChannelValue(channel, given, region);
    if (problem !== null) invalid.push({ index: start + i, value: shown(given), reason: problem });
    else if (values.has(value)) repeated++;
    else values.set(value, start + i);
  }
  return { values, repeated, invalid };
}

function valueIn(item: unknown): unknown {
  return typeof item === 'object' && item !== null ? (item as { value?: unknown }).value : undefined;
}

function isOtherType(given: unknown): boolean {
  return given !== undefined && given !== null && typeof given !== 'string';
}

/** What is shown of a value that was sent. */
export function shown(given: unknown): string | null {
  if (given === undefined || given === null) return null;
  return (typeof given === 'string' ? given : JSON.stringify(given)).slice(0, SHOWN).toWellFormed();
}
