import { useEffect, useState } from 'react';
import { client, type Schemas } from '../../api/client';
import { organizationUrl } from '../../api/session-fetch';

export type LiveClick = Schemas['ClickResponse'];
type Connection = 'connecting' | 'connected' | 'reconnecting';

/** Number of clicks that are kept. */
const KEPT = 50;
const RECONNECT_MS = 3_000;

interface Received {
  /** Newest first. */
  readonly clicks: readonly LiveClick[];
  /** Number of clicks received, including those that are no longer kept. */
  readonly count: number;
  /** Whether clicks may be missing before the newest ones. */
  readonly missed: boolean;
}

export interface LiveClicksState extends Received {
  readonly connection: Connection;
  readonly paused: boolean;
  /** Clicks received during a pause, which are shown when it ends. */
  readonly waiting: number;
  readonly togglePause: () => void;
}

/** The newest clicks, live. */
export function useLiveClicks(): LiveClicksState {
  const [connection, setConnection] = useState<Connection>('connecting');
  const [received, setReceived] = useState<Received>({ clicks: [], count: 0, missed: false });
  const [frozen, setFrozen] = useState<Received | null>(null);
  useEffect(() => {
    return listen({
      onConnection: setConnection,
      onMissed: () => setReceived((before) => ({ ...before, missed: true })),
      onClicks: (clicks) =>
        setReceived((before) => ({
          clicks: [...clicks.toReversed(), ...before.clicks].slice(0, KEPT),
          count: before.count + clicks.length,
          missed: before.missed,
        })),
    });
  }, []);
  return {
    ...(frozen ?? received),
    connection,
    paused: frozen !== null,
    waiting: frozen === null ? 0 : received.count - frozen.count,
    togglePause: () => setFrozen(frozen === null ? received : null),
  };
}

interface Listener {
  onConnection: (connection: Connection) => void;
  onClicks: (clicks: readonly LiveClick[]) => void;
  onMissed: () => void;
}

/** Follows the stream, and reopens it when `EventSource` gives up. @returns a function that ends it */
function listen({ onConnection, onClicks, onMissed }: Listener): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastEventId = '';
  let left = false;
  const open = () => {
    const query = lastEventId && `?${new URLSearchParams({ lastEventId })}`;
    source = new EventSource(organizationUrl(`/clicks/live${query}`));
    source.addEventListener('ready', (event) => {
      lastEventId = event.lastEventId;
      onConnection('connected');
    });
    source.addEventListener('reset', onMissed);
    source.addEventListener('clicks', (event: MessageEvent<string>) => {
      lastEventId = event.lastEventId;
      onClicks(JSON.parse(event.data) as LiveClick[]);
    });
    source.onerror = () => {
      onConnection('reconnecting');
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(() => void reopen(), RECONNECT_MS);
    };
  };
  // `EventSource` hides the status 401, so this call detects it, and waits until the user has signed in again.
  const reopen = async () => {
    await client.GET('/api/v1/console/me').catch(() => undefined);
    if (!left) open();
  };
  open();
  return () => {
    left = true;
    clearTimeout(timer);
    source.close();
  };
}
