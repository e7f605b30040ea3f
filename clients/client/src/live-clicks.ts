import type { Caller } from './caller';
import { WaypostError } from './errors';
import type { Operation } from './operation';
import { delayBefore, sleepUnlessAborted } from './retries';
import type { components } from './schema.gen';
import type { CallOptions } from './types';

/**
 * `clicks` holds clicks as they are counted, each once. `ready` tells that they come from here on, `reset` that some
 * may be missing, because the connection was away for more than ten minutes. `id` continues the stream, as
 * `lastEventId`.
 */
export type LiveEvent =
  | { readonly type: 'ready' | 'reset'; readonly id: string }
  | {
      readonly type: 'clicks';
      readonly id: string;
      readonly clicks: readonly components['schemas']['ClickResponse'][];
    };

const RECONNECT_DELAY = 1_000;

/** Follows server-sent events over reconnections, until the signal aborts or the caller stops. */
export async function* liveClicks(
  caller: Caller,
  operation: Operation,
  params: Record<string, unknown> = {},
  options: CallOptions = {},
): AsyncGenerator<LiveEvent, void, undefined> {
  const { signal } = options;
  let { lastEventId } = params;
  let hasOpened = false;
  let failures = 0;
  while (!signal?.aborted) {
    let delay = RECONNECT_DELAY;
    let isOpen = false;
    try {
      const body = await caller.call(operation, { ...params, lastEventId }, options);
      isOpen = hasOpened = true;
      failures = 0;
      for await (const event of eventsOf(body as ReadableStream<Uint8Array>)) {
        lastEventId = event.id;
        yield event;
      }
    } catch (error) {
      if (signal?.aborted) return;
      // A stream that is cut fails with an error of the platform's own.
      if (!isOpen) {
        const wait = hasOpened && error instanceof WaypostError ? delayBefore(error, failures++, true) : null;
        if (wait === null) throw error;
        delay = wait;
      }
    }
    await sleepUnlessAborted(caller, delay, signal);
  }
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<LiveEvent, void, undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunksOf(body)) {
    const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
    text = blocks.pop() ?? '';
    yield* blocks.flatMap(eventOf);
  }
}

/** Comments and blocks without an event have none. */
function eventOf(block: string): LiveEvent[] {
  const fields = new Map(
    block.split('\n').flatMap((line) => {
      const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value ?? ''] as const];
    }),
  );
  const id = fields.get('id') ?? '';
  const type = fields.get('event');
  if (type === 'ready' || type === 'reset') return [{ type, id }];
  if (type !== 'clicks') return [];
  return [{ type, id, clicks: JSON.parse(fields.get('data') ?? '[]') as never }];
}

/** Not every platform iterates over streams. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
