import { ValidationFailed } from '../../common/errors/errors';
import { type Channel, normalizeChannelValue } from '../../common/contact-values/channel-value';
import { withoutInvisible } from '../../common/contact-values/pasted';
import { refused } from '../../common/contact-values/normalized';
import { parseStart } from '../../common/time/parse';
import type { InvalidItem } from './unsubscribes.dto';
import { cut } from '../../common/sanitize-text';

const WORDS = {
  VALUE_REQUIRED: 'must not be empty',
  PHONE_FORMAT: 'must be a phone number',
  EMAIL_FORMAT: 'must be an e-mail address',
} as const;

/** Characters of an invalid value that are shown. */
const MAX_SHOWN = 200;

/** Normalizes a value. @throws ValidationFailed */
export function valueOf(channel: Channel, text: string, region: string): string {
  const { value, problem } = normalizeChannelValue(channel, text, region);
  if (problem !== null) throw ValidationFailed.field('value', WORDS[problem]);
  return value;
}

/**
 * Normalizes a value in a query string. An unencoded plus sign arrives as a space; it is restored if that makes the
 * number valid. @throws ValidationFailed
 */
export function queryValueOf(channel: Channel, text: string, region: string): string {
  const seen = withoutInvisible(text);
  if (channel !== 'EMAIL' && /^ \d/.test(seen)) {
    const { value } = normalizeChannelValue(channel, `+${seen.slice(1)}`, region);
    if (value !== null) return value;
  }
  return valueOf(channel, text, region);
}

/** Normalizes a value for a look-up; null if it is invalid, in which case nobody can have opted out with it. */
export function lookedUpValue(
  channel: Channel,
  text: string,
  region: string,
): { value: string | null; problem: 'PHONE_FORMAT' | 'EMAIL_FORMAT' | null } {
  const { value, problem } = normalizeChannelValue(channel, text, region);
  if (problem === null) return { value, problem: null };
  try {
    return { value: queryValueOf(channel, text, region), problem: null };
  } catch (error) {
    if (problem === 'VALUE_REQUIRED' || !(error instanceof ValidationFailed)) throw error;
    return { value: null, problem };
  }
}

/** The time of an opt-out; a date means its first second. @throws ValidationFailed if it is in the future */
export function unsubscribedAtOf(text: string | null | undefined, now: Date): Date {
  if (text === null || text === undefined) return now;
  const at = timeOf(text, now);
  if (!at) throw ValidationFailed.field('unsubscribedAt', 'must not be in the future');
  return at;
}

/** @returns null if it is invalid or in the future */
export function timeOf(text: unknown, now: Date): Date | null {
  if (typeof text !== 'string') return null;
  const at = parseStart(text);
  return at && at <= now ? at : null;
}

export interface CheckedValues {
  /** Each value once, with the index of its first item. */
  readonly values: ReadonlyMap<string, number>;
  /** Number of items that repeat an earlier value. */
  readonly repeated: number;
  readonly invalid: InvalidItem[];
}

/**
 * @param start index of the first item, for a part of a longer list
 * @param isWanted selects the items to check
 */
export function checkValues(
  channel: Channel,
  items: readonly unknown[],
  region: string,
  start = 0,
  isSelected: (index: number) => boolean = () => true,
): CheckedValues {
  const values = new Map<string, number>();
  const invalid: InvalidItem[] = [];
  let repeated = 0;
  for (const [i, item] of items.entries()) {
    if (!isSelected(i)) continue;
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

/** An invalid value in the form in which it is shown. */
export function shown(given: unknown): string | null {
  if (given === undefined || given === null) return null;
  return cut((typeof given === 'string' ? given : JSON.stringify(given)).toWellFormed(), MAX_SHOWN);
}
