import { setTimeout as delay } from 'node:timers/promises';
import type { LiveStream } from '../support/live-clicks';
import type { Customer } from './customer';

const RETRY_MS = 200;

/** A listener to live clicks that comes back by itself, as EventSource does, and to the next process. */
export class Listener {
  /** Ids of the clicks shown, in order. */
  readonly clicks: number[] = [];
  resets = 0;
  /** Streams that have ended. */
  returns = 0;
  private stream: LiveStream | null = null;
  private isGone = false;
  private readonly running: Promise<void>;

  /** @param urls origins of the processes that it comes to in turn */
  constructor(
    private readonly customer: Customer,
    private readonly urls: readonly string[],
  ) {
    this.running = this.listen();
  }

  /** Whether clicks come to it as they are counted. */
  get isReady(): boolean {
    return this.stream !== null && !this.stream.ended && this.stream.named('ready').length > 0;
  }

  /** Everything shown so far. */
  get shown(): number[] {
    return [...this.clicks, ...(this.stream?.clickIds ?? [])];
  }

  /** Leaves its stream, and comes back. */
  leave(): void {
    this.stream?.close();
  }

  async stop(): Promise<void> {
    this.isGone = true;
    this.leave();
    await this.running;
  }

  /** A function, because TypeScript's control flow would narrow the field to false inside the loop. */
  private hasGone(): boolean {
    return this.isGone;
  }

  private async listen(): Promise<void> {
    let lastEventId: string | undefined;
    for (let turn = 0; !this.hasGone(); turn++) {
      const url = this.urls[turn % this.urls.length] ?? '';
      const stream = await this.customer.listen(url, lastEventId).catch(() => null);
      if (stream?.response.statusCode === 200) {
        this.stream = stream;
        if (this.hasGone()) stream.close();
        while (!stream.ended) await delay(20);
        this.stream = null;
        this.clicks.push(...stream.clickIds);
        this.resets += stream.named('reset').length;
        this.returns++;
        lastEventId = stream.lastEventId || lastEventId;
      } else stream?.close();
      if (!this.hasGone()) await delay(RETRY_MS);
    }
  }
}
