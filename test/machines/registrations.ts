import { setTimeout as delay } from 'node:timers/promises';
import type { Customer } from '../faults/customer';
import { eventually } from '../support/eventually';
import { phone } from '../support/unsubscribes';
import type { WebhookReceiver } from '../support/webhook-receiver';

const PAUSE_MS = 100;

/** Something that is registered by a name of its own, has a feed, and is reported by webhooks. */
interface Kind {
  readonly events: string;
  readonly path: string;
  readonly nameOf: (number: number) => string;
  readonly body: (name: string) => object;
  readonly feed: string;
  /** Field of the feed's items and of deliveries that has the name. */
  readonly field: string;
}

const KINDS: readonly Kind[] = [
  {
    events: 'unsubscribe.*',
    path: '/messaging/unsubscribes',
    nameOf: phone,
    body: (value) => ({ channel: 'SMS', value }),
    feed: '/messaging/unsubscribes?channel=SMS',
    field: 'value',
  },
  {
    events: 'contact.*',
    path: '/messaging/contacts',
    nameOf: (number) => `person-${number}`,
    body: (externalUserId) => ({ externalUserId }),
    feed: '/messaging/contacts/changes?',
    field: 'externalUserId',
  },
];

/** Events that a receiver of all kinds subscribes to. */
export const EVENTS = KINDS.map(({ events }) => events);

interface Page {
  items: Record<string, string>[];
  nextCursor: string;
  hasMore: boolean;
}

/**
 * Registers opt-outs and contacts until stopped, one of each at a time. What was answered has to be in its feed once, and
 * delivered.
 */
export class Registrations {
  /** Shared, because what an earlier fault has registered would be in the feed and delivered already. */
  private static next = 0;
  private readonly answered = new Map<Kind, string[]>(KINDS.map((kind) => [kind, []]));
  private stopping = false;
  private readonly running: Promise<unknown>;

  constructor(
    private readonly customer: Customer,
    private readonly url: string,
    private readonly receiver: WebhookReceiver,
    private readonly slowdown = 1,
  ) {
    this.running = Promise.all(KINDS.map((kind) => this.run(kind)));
  }

  /** How many were answered, by kind: opt-outs, then contacts. */
  get counts(): number[] {
    return [...this.answered.values()].map(({ length }) => length);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.running;
  }

  /** Waits until the feeds and the receiver have all of them. */
  async expectComplete(): Promise<void> {
    for (const [kind, names] of this.answered) {
      await eventually(async () => {
        const feed = await this.feed(kind);
        const inFeed = new Set<string>();
        expect(feed.filter((name) => inFeed.has(name) || !inFeed.add(name))).toEqual([]);
        expect(names.filter((name) => !inFeed.has(name))).toEqual([]);
        const delivered = new Set(this.receiver.received.map(({ body }) => body.data[kind.field]));
        expect(names.filter((name) => !delivered.has(name))).toEqual([]);
      });
    }
  }

  private async run(kind: Kind): Promise<void> {
    while (!this.stopped()) {
      const name = kind.nameOf(Registrations.next++);
      const status = await this.customer.service(this.url, 'POST', kind.path, kind.body(name)).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status === 201) this.answered.get(kind)?.push(name);
      await delay(PAUSE_MS * this.slowdown);
    }
  }

  /** A function, because TypeScript's control flow would narrow the field to false inside the loop. */
  private stopped(): boolean {
    return this.stopping;
  }

  private async feed({ feed, field }: Kind): Promise<string[]> {
    const names: string[] = [];
    let page: Page = { items: [], nextCursor: '', hasMore: true };
    while (page.hasMore) {
      const query = new URLSearchParams({ limit: '1000', cursor: page.nextCursor });
      page = (await this.customer.service<Page>(this.url, 'GET', `${feed}&${query.toString()}`)).body;
      names.push(...page.items.map((item) => item[field] ?? ''));
    }
    return names;
  }
}
