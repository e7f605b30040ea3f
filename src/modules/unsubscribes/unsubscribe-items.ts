import type { Channel } from '../../common/contact-values/channel-value';
import { textProblem } from '../../common/validation/atom';
import type { Method, NewUnsubscribe } from './unsubscribe';
import type { ImportProblem } from './import/unsubscribe-import.dto';
import { checkValues, shown, timeOf } from './unsubscribe-values';
import { MAX_SOURCE } from './unsubscribes.dto';

/** Common to the items of a request, job or file. */
interface Shared {
  readonly channel: Channel;
  readonly method: Method;
  /** Source of items without one. */
  readonly source: string | null;
  /** Time of items without one; `now` by default. */
  readonly at?: Date;
  readonly region: string;
  readonly now: Date;
  /** Index of the first item. */
  readonly start: number;
}

interface Given {
  readonly value?: unknown;
  readonly source?: unknown;
  readonly unsubscribedAt?: unknown;
}

/** Validates items one by one. @returns each value once, from its first valid item */
export function checkItems(
  items: readonly unknown[],
  shared: Shared,
): { entries: NewUnsubscribe[]; invalid: ImportProblem[] } {
  const { channel, method, region, now, start } = shared;
  const invalid: ImportProblem[] = [];
  const good = items.map((item, i) => {
    const { value, source, unsubscribedAt } = givenIn(item);
    const ownSource = source === undefined || source === null || source === '' ? shared.source : source;
    const at =
      unsubscribedAt === undefined || unsubscribedAt === null
        ? (shared.at ?? now)
        : timeOf(unsubscribedAt, now);
    const reason = isBadSource(ownSource) ? 'SOURCE_FORMAT' : at === null ? 'UNSUBSCRIBED_AT_FORMAT' : null;
    if (reason !== null) invalid.push({ index: start + i, value: shown(value), reason });
    return reason === null ? { source: ownSource as string | null, at: at ?? now } : null;
  });
  // Items with other errors have already been reported above.
  const checked = checkValues(channel, items, region, start, (i) => good[i] !== null);
  const entries = [...checked.values].flatMap(([value, index]) => {
    const rest = good[index - start];
    return rest ? [{ value, method, source: rest.source, unsubscribedAt: rest.at }] : [];
  });
  const all = [...invalid, ...checked.invalid].sort((a, b) => a.index - b.index);
  return { entries, invalid: all };
}

function givenIn(item: unknown): Given {
  return typeof item === 'object' && item !== null ? item : {};
}

function isBadSource(source: unknown): boolean {
  return (
    source !== null && (textProblem(source) !== null || Array.from(source as string).length > MAX_SOURCE)
  );
}
