import type { ServerResponse } from 'node:http';
import type { TrackedLinkKind } from '../../clicks/click';
import type { BotChoice } from '../click-log/click-log.query';
import { cursorOf, type FeedPosition } from './feed-position';

/** Which clicks of the organization a listener gets. */
export interface LiveFilter {
  readonly organizationId: number;
  readonly bots: BotChoice;
  /** Null for all links and campaigns. */
  readonly link: { readonly kind: TrackedLinkKind; readonly id: number } | null;
}

/**
 * `joining`: goes on with the others from the next read on. `live`: stands where they stand. `behind`: reads by itself,
 * because it has much to read or reads slowly.
 */
export type ListenerState = 'joining' | 'live' | 'behind' | 'closed';

/** Milliseconds after which clients connect again. */
const RETRY_MS = 1_000;

/** An open response that shows clicks as they are counted, as server-sent events. */
export class LiveListener {
  state: ListenerState = 'joining';
  /** What has been sent; null: starts with the next read. */
  position: FeedPosition | null = null;
  /** Whether it has to be told that clicks may be missing. */
  isReset = false;

  constructor(
    readonly filter: LiveFilter,
    private readonly response: ServerResponse,
    /** Start of the organization's feed. */
    public startedAt: number,
  ) {
    // A write that crosses the end of the connection fails, which its end tells anyway.
    response.on('error', () => undefined);
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      // nginx and some others would hold events back to fill a buffer.
      'X-Accel-Buffering': 'no',
    });
    response.write(`retry: ${RETRY_MS}\n\n`);
  }

  /** Whether the client reads more slowly than it is written to. */
  get isSlow(): boolean {
    return this.response.writableNeedDrain;
  }

  send(text: Buffer): void {
    if (text.length > 0) this.response.write(text);
  }

  /** Tells that from now on clicks come as they are counted, or that some may be missing. */
  announce(): void {
    const event = this.isReset ? 'reset' : 'ready';
    this.isReset = false;
    this.response.write(`event: ${event}\n${this.idLine()}data: {}\n\n`);
  }

  /** A comment that keeps the connection open. The id lets a client without clicks resume where it is. */
  beat(): void {
    if (!this.isSlow) this.response.write(`: \n${this.state === 'live' ? this.idLine() : ''}\n`);
  }

  /** Goes on from now, because what was to follow is gone. */
  reset(startedAt: number): void {
    this.startedAt = startedAt;
    this.position = null;
    this.isReset = true;
    this.state = 'joining';
  }

  /** Resolves when the client has read what was written, or has left. */
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
