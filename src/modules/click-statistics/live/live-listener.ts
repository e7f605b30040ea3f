import type { ServerResponse } from 'node:http';
import type { TrackedLinkKind } from '../../clicks/click';
import type { BotChoice } from '../click-log/click-log.query';
import { cursorOf, type FeedPosition } from './feed-position';

export interface LiveFilter {
  readonly organizationId: number;
  readonly bots: BotChoice;
  /** Null for all links and campaigns. */
  readonly link: { readonly kind: TrackedLinkKind; readonly id: number } | null;
}

/**
 * `joining`: shares the reads of the others from the next one on. `live`: shares them. `behind`: reads separately,
 * because it has much to catch up on, or its client is slow.
 */
export type ListenerState = 'joining' | 'live' | 'behind' | 'closed';

/** Delay after which clients reconnect. */
const RETRY_MS = 1_000;

/** An open response that streams clicks as server-sent events. */
export class LiveListener {
  state: ListenerState = 'joining';
  /** Position up to which clicks have been sent; null: starts with the next read. */
  position: FeedPosition | null = null;
  /** Whether the client must be told that clicks may be missing. */
  isReset = false;

  constructor(
    readonly filter: LiveFilter,
    private readonly response: ServerResponse,
    /** Start of the organization's feed. */
    public startedAt: number,
  ) {
    // Writing to a closed connection fails, which `close` reports as well.
    response.on('error', () => undefined);
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      // nginx and other proxies would buffer events.
      'X-Accel-Buffering': 'no',
    });
    response.write(`retry: ${RETRY_MS}\n\n`);
  }

  /** Whether the client reads more slowly than events are written. */
  get isSlow(): boolean {
    return this.response.writableNeedDrain;
  }

  send(text: Buffer): void {
    if (text.length > 0) this.response.write(text);
  }

  /** Tells the client that live clicks follow, or that some may be missing. */
  announce(): void {
    const event = this.isReset ? 'reset' : 'ready';
    this.isReset = false;
    this.response.write(`event: ${event}\n${this.idLine()}data: {}\n\n`);
  }

  /** Sends a comment that keeps the connection open. The id lets a client that has received no clicks resume. */
  beat(): void {
    if (!this.isSlow) this.response.write(`: \n${this.state === 'live' ? this.idLine() : ''}\n`);
  }

  /** Continues from now, because earlier clicks are no longer available. */
  reset(startedAt: number): void {
    this.startedAt = startedAt;
    this.position = null;
    this.isReset = true;
    this.state = 'joining';
  }

  /** Resolves when the client has read everything written, or has disconnected. */
  async drained(): Promise<void> {
    const { response } = this;
    if (!response.writableNeedDrain || response.destroyed) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        response.off('drain', done).off('close', done);
        resolve();
      };
      response.on('drain', done).on('close', done);
    });
  }

  end(): void {
    this.response.end();
  }

  private idLine(): string {
    return this.position ? `id: ${cursorOf({ startedAt: this.startedAt, position: this.position })}\n` : '';
  }
}
