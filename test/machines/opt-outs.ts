import { setTimeout as delay } from 'node:timers/promises';
import type { Customer } from '../faults/customer';
import { eventually } from '../support/eventually';
import { phone, UNSUBSCRIBES } from '../support/unsubscribes';
import type { WebhookReceiver } from '../support/webhook-receiver';

const CHANNEL = 'SMS';
const PAUSE_MS = 100;

interface Feed {
  items: { value: string }[];
  nextCursor: string;
  hasMore: boolean;
}

/** Registers opt-outs until stopped, one at a time. What was answered has to be in the feed once, and delivered. */
export class OptOuts {
  /** Shared, because what an earlier fault has registered would be in the feed and delivered already. */
  private static next = 0;
  private readonly answered: string[] = [];
  private stopping = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly customer: Customer,
    private readonly url: string,
    private readonly receiver: WebhookReceiver,
  ) {
    this.running = this.run();
  }

  get count(): number {
    return this.answered.length;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.running;
  }

  /** Waits until the feed and the receiver have all of them. */
  async expectComplete(): Promise<void> {
    await eventually(async () => {
      const feed = await this.feed();
      expect(feed.filter((value, i) => feed.indexOf(value) !== i)).toEqual([]);
      const inFeed = new Set(feed);
      expect(this.answered.filter((value) => !inFeed.has(value))).toEqual([]);
      const delivered = new Set(this.receiver.received.map(({ body }) => body.data.value));
      expect(this.answered.filter((value) => !delivered.has(value))).toEqual([]);
    });
  }

  private async run(): Promise<void> {
    while (!this.stopped()) {
      const value = phone(OptOuts.next++);
      const body = { channel: CHANNEL, value };
      const status = await this.customer.service(this.url, 'POST', '/messaging/unsubscribes', body).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status === 201) this.answered.push(value);
      await delay(PAUSE_MS);
    }
  }

  /** A function, because TypeScript's control flow would narrow the field to false inside the loop. */
  private stopped(): boolean {
    return this.stopping;
  }

  private async feed(): Promise<string[]> {
    const values: string[] = [];
    let page: Feed = { items: [], nextCursor: '', hasMore: true };
    while (page.hasMore) {
      const query = new URLSearchParams({ channel: CHANNEL, limit: '1000' });
      if (page.nextCursor) query.set('cursor', page.nextCursor);
      const path = `${UNSUBSCRIBES.replace('/api/v1/service', '')}?${query.toString()}`;
      page = (await this.customer.service<Feed>(this.url, 'GET', path)).body;
      values.push(...page.items.map(({ value }) => value));
    }
    return values;
  }
}
