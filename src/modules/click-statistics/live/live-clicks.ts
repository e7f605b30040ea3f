import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { describeError } from '../../../common/logging/logger';
import { LiveBatchesQuery, type LivePage } from './live-batches.query';
import { LiveEvents } from './live-events';
import { LiveFeeds, LOST_MS } from './live-feeds';
import type { LiveListener } from './live-listener';
import { type FeedPosition, positionAt } from './feed-position';

const READ_EVERY_MS = 400;
/** Batches per read for all listeners, and for a single one; each has up to a hundred clicks. */
const PAGE = 200;
const OWN_PAGE = 20;
const RENEW_MS = 60_000;
/** Before the first read, every transaction is in the future. */
const NOWHERE: FeedPosition = positionAt({ snapshot: '1:1:', at: 0 });

/**
 * Streams clicks to the listeners of this process as they are counted by any process
 * (docs/adr/0046-live-clicks-are-read-by-snapshots.md). One read serves all listeners that keep up, which have the same
 * position after each read.
 */
@Injectable()
export class LiveClicks {
  private readonly logger = new Logger(LiveClicks.name);
  private readonly listeners = new Set<LiveListener>();
  private running = false;
  private closing = false;
  private position = NOWHERE;
  private renewAt = 0;
  private pause = new AbortController();

  constructor(
    private readonly batches: LiveBatchesQuery,
    private readonly feeds: LiveFeeds,
  ) {}

  get count(): number {
    return this.listeners.size;
  }

  /** Starts streaming clicks to a listener, until it is removed. Keeps the feed of its organization open. */
  add(listener: LiveListener): void {
    if (this.closing) {
      this.end(listener);
      return;
    }
    this.listeners.add(listener);
    if (listener.position?.towards) this.fallBehind(listener, listener.position);
    if (!this.running) void this.run();
    this.pause.abort();
  }

  remove(listener: LiveListener): void {
    listener.state = 'closed';
    listener.position = null;
    this.listeners.delete(listener);
  }

  /** Ends a stream; its client reconnects and continues. */
  end(listener: LiveListener): void {
    this.remove(listener);
    listener.end();
  }

  /** Ends all streams, including those added later. */
  close(): void {
    this.closing = true;
    for (const listener of this.listeners) this.end(listener);
  }

  private async run(): Promise<void> {
    this.running = true;
    for (let failing = false; this.listeners.size > 0;) {
      this.pause = new AbortController();
      try {
        await this.renew();
        await this.read();
        failing = false;
      } catch (error) {
        if (!failing) this.logger.warn(`Live clicks are delayed: ${describeError(error).message}`);
        failing = true;
      }
      const { signal } = this.pause;
      await delay(READ_EVERY_MS, undefined, { signal: failing ? undefined : signal }).catch(() => undefined);
    }
    this.running = false;
    this.position = NOWHERE;
  }

  /** Prolongs the feeds. Listeners are told if their feed had ended meanwhile. */
  private async renew(): Promise<void> {
    if (performance.now() < this.renewAt) return;
    const organizationIds = new Set([...this.listeners].map(({ filter }) => filter.organizationId));
    const started = await this.feeds.keep([...organizationIds]);
    for (const listener of this.listeners) {
      const startedAt = started.get(listener.filter.organizationId);
      if (startedAt !== undefined && startedAt !== listener.startedAt) listener.reset(startedAt);
    }
    this.renewAt = performance.now() + RENEW_MS;
  }

  private async read(): Promise<void> {
    // Only listeners that joined before this read, because their positions precede it.
    const joining = this.inState('joining');
    for (let full = true; full;) {
      const organizationIds = new Set(this.inState('live').map(({ filter }) => filter.organizationId));
      const page = await this.batches.read([...organizationIds], this.position, PAGE);
      if (isLost(this.position, page)) {
        for (const listener of this.inState('live')) listener.reset(listener.startedAt);
      }
      const events = new LiveEvents(page);
      for (const listener of this.inState('live')) this.show(listener, events, page);
      this.position = page.next;
      ({ full } = page);
    }
    for (const listener of joining) if (listener.state === 'joining') await this.join(listener);
  }

  private inState(state: LiveListener['state']): LiveListener[] {
    return [...this.listeners].filter((listener) => listener.state === state);
  }

  private show(listener: LiveListener, events: LiveEvents, { held, next }: LivePage): void {
    if (listener.isSlow || held.has(listener.filter.organizationId)) this.fallBehind(listener, this.position);
    else {
      listener.send(events.for(listener));
      listener.position = next;
    }
  }

  /** Sends what a listener lacks up to the position of the others, and lets it share their reads. */
  private async join(listener: LiveListener): Promise<void> {
    if (listener.position && !(await this.readUp(listener, listener.position))) return;
    listener.position = this.position;
    listener.state = 'live';
    listener.announce();
  }

  /** @returns whether the listener has reached the position of the others */
  private async readUp(listener: LiveListener, from: FeedPosition): Promise<boolean> {
    const { organizationId } = listener.filter;
    const page = await this.batches.read([organizationId], from, OWN_PAGE, this.position.since);
    if (listener.position !== from) return false;
    if (isLost(from, page)) {
      listener.reset(listener.startedAt);
      return false;
    }
    listener.send(new LiveEvents(page).for(listener));
    const held = page.held.get(organizationId);
    if (!held && !page.full) return true;
    this.fallBehind(listener, held ?? page.next);
    return false;
  }

  private fallBehind(listener: LiveListener, position: FeedPosition): void {
    listener.state = 'behind';
    listener.position = position;
    void this.catchUp(listener, position);
  }

  /**
   * Reads for a single listener, at the pace of its client and of clicks becoming visible, until it has caught up with
   * the others.
   */
  private async catchUp(listener: LiveListener, start: FeedPosition): Promise<void> {
    const { organizationId } = listener.filter;
    for (let position = start, more = true; more;) {
      await listener.drained();
      // The listener has been removed or reset.
      if (listener.position !== position) return;
      try {
        const page = await this.batches.read([organizationId], position, OWN_PAGE);
        if (!Object.is(listener.position, position)) return;
        if (isLost(position, page)) {
          listener.reset(listener.startedAt);
          return;
        }
        listener.send(new LiveEvents(page).for(listener));
        const held = page.held.get(organizationId);
        listener.position = position = held ?? page.next;
        more = page.full || held !== undefined;
        if (held) await delay(READ_EVERY_MS);
      } catch {
        await delay(READ_EVERY_MS);
      }
    }
    listener.state = 'joining';
    this.pause.abort();
  }
}

/** Whether batches after a position may have been deleted before they were read. */
function isLost({ since }: FeedPosition, { now }: LivePage): boolean {
  return now - since.at > LOST_MS;
}
