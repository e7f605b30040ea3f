import type { Caller } from './caller';
import { WaypostError } from './errors';
import type { Contacts, Unsubscribes } from './operations.gen';
import { delayBefore, sleepUnlessAborted } from './retries';
import type { components } from './schema.gen';
import type { CallOptions } from './types';

type Schemas = components['schemas'];

export interface FollowOptions extends Pick<CallOptions, 'signal' | 'timeout' | 'maxRetries'> {
  /** Polling interval in milliseconds; default: 30,000. */
  interval?: number | undefined;
  /** False stops at the newest change instead of polling, for scheduled jobs. */
  wait?: boolean | undefined;
}

interface Change {
  /** Store it after processing the change: `follow` resumes after it. */
  readonly cursor: string;
}

/** A contact was changed, or deleted: match by `id`. */
export type ContactChange = Change & Schemas['ContactChangeItem'];

type Created = Omit<Schemas['UnsubscribeFeedItem'], 'cursor'> & { readonly type: 'CREATED' };
type Deleted = Omit<Schemas['DeletionFeedItem'], 'cursor' | 'sourceId'> & { readonly type: 'DELETED' };
/** An opt-out was registered, or removed: match by `id`, which is that of the opt-out. */
export type UnsubscribeChange = Change & (Created | Deleted);

export interface FollowUnsubscribes {
  /**
   * The changes of a channel's opt-outs behind a cursor, or all opt-outs and then their changes. It waits for more at
   * the end, goes on through outages, and ends when the signal aborts.
   */
  follow(
    cursor?: string | null,
    options?: FollowOptions & { channel?: Schemas['UnsubscribeFeedItem']['channel'] | undefined },
  ): AsyncGenerator<UnsubscribeChange, void, undefined>;
}

export interface FollowContacts {
  /**
   * The changes of contacts behind a cursor, or all contacts and then their changes. It waits for more at the end,
   * goes on through outages, and ends when the signal aborts.
   */
  follow(cursor?: string | null, options?: FollowOptions): AsyncGenerator<ContactChange, void, undefined>;
}

export function contactsFeed(caller: Caller, contacts: Contacts): FollowContacts {
  return {
    follow: (start, options = {}) => {
      let cursor = start ?? undefined;
      return poll(caller, options, async function* (call) {
        for await (const page of contacts.listContactChanges({ cursor }, call).pages()) {
          yield* page.items;
          cursor = page.nextCursor;
        }
      });
    },
  };
}

/** Follows the procedure of docs/concepts/opt-outs.md#following-the-feeds. A cursor here is one of each feed. */
export function unsubscribesFeed(caller: Caller, unsubscribes: Unsubscribes): FollowUnsubscribes {
  return {
    follow: (start, { channel, ...options } = {}) => {
      let [list, deletions] = (start ?? '').split('.');
      let isCurrent = false;
      return poll<UnsubscribeChange>(caller, options, async function* (call) {
        if (
          isCurrent &&
          (await unsubscribes.getUnsubscribeWatermark({ channel }, call)).latestCursor === list
        )
          return;
        isCurrent = false;
        for await (const page of unsubscribes.listUnsubscribes({ channel, cursor: list }, call).pages()) {
          for (const item of page.items)
            yield { ...item, type: 'CREATED', cursor: `${item.cursor}.${deletions ?? ''}` };
          list = page.nextCursor;
        }
        for await (const page of unsubscribes
          .listUnsubscribeDeletions({ channel, cursor: deletions }, call)
          .pages()) {
          for (const { sourceId, ...item } of page.items) {
            yield { ...item, id: sourceId, type: 'DELETED', cursor: `${list ?? ''}.${item.cursor}` };
          }
          deletions = page.nextCursor;
        }
        isCurrent = true;
      });
    },
  };
}

const INTERVAL = 30_000;

async function* poll<T>(
  caller: Caller,
  { interval = INTERVAL, wait = true, ...call }: FollowOptions,
  read: (call: CallOptions) => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  const { signal } = call;
  let failures = 0;
  while (!signal?.aborted) {
    let delay = interval;
    try {
      for await (const change of read(call)) {
        if (signal?.aborted) return;
        yield change;
      }
      if (!wait) return;
      failures = 0;
    } catch (error) {
      if (signal?.aborted) return;
      const pause = wait && error instanceof WaypostError ? delayBefore(error, failures++, true) : null;
      if (pause === null) throw error;
      delay = pause;
    }
    await sleepUnlessAborted(caller, delay, signal);
  }
}
