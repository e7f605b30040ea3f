import type { Channel } from '../../common/phone/channel-value';
import { textProblem } from '../../common/validation/atom';
import type { Method, NewUnsubscribe } from './unsubscribe';
import type { ImportProblem } from './import/unsubscribe-import.dto';
import { checkValues, shown, timeOf } from './unsubscribe-values';
import { MAX_SOURCE } from './unsubscribes.dto';

/** What items of a request, job or file share. */
interface Shared {
  readonly channel: Channel;
  readonly method: Method;
  /** Of items that name none. */
  readonly source: string | null;
  /** When items that do not say so opted out; `now` by default. */
  readonly at?: Date;
  readonly region: string;
  readonly now: Date;
  /** Place of the first item. */
  readonly start: number;
}

interface Given {
  readonly value?: unknown;
  readonly source?: unknown;
  readonly unsubscribedAt?: unknown;
}

/** Looks at each item by itself. @returns each value once, as its first good item has it */
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
  // What is left out here has been named above.
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
