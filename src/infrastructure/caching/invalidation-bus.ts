import type { Redis } from 'ioredis';
import { withDeadline } from '../../common/deadline';
import { connectRedis, type RedisStore } from '../redis/redis';
import type { PostgresChannel } from './postgres-channel';
import { CHANGED, CHANGED_FOR_MS } from './shared-copy';

/** Pings on the subscriber connection: a peer that vanished without a word must not leave stale entries behind. */
const PING_EVERY_MS = 250;
const SILENCE_MS = 700;
/** Where Redis has not taken a message by then, Postgres carries it. */
const PROMPT_MS = 300;
/** Keys a message; Postgres takes 8,000 bytes. */
const KEYS = 25;

/** A topic and keys of it, as JSON. */
interface Message {
  readonly text: string;
}

/** Keys of a topic that changed; null means any of them may have. */
type Listener = (keys: readonly string[] | null) => void;

/**
 * Tells every process that cached things have changed: through Redis pub/sub, and where this process can't reach
 * Redis while others may, through Postgres. Without REDIS_URL there are no others.
 */
export class InvalidationBus {
  private readonly listeners = new Map<string, Listener[]>();
  private readonly subscriber: Redis | null;
  private readonly channel: string;
  /** Messages that Redis has not taken yet. */
  private readonly unsent = new Set<Message>();
  private heardAt = -Infinity;
  private pinging: NodeJS.Timeout | undefined;

  /** @param fallback null without REDIS_URL */
  constructor(
    private readonly store: RedisStore,
    redisUrl: string | undefined,
    private readonly fallback: PostgresChannel | null,
  ) {
    this.channel = store.key('bus', 'invalidate');
    this.subscriber = redisUrl ? connectRedis(redisUrl) : null;
    if (this.subscriber) this.listen(this.subscriber);
    store.client?.on('ready', () => {
      for (const message of this.unsent) void this.send(message);
    });
  }

  /** Whether changes of other processes arrive here. When not, nothing should be believed for over a second. */
  get coherent(): boolean {
    return !this.subscriber || performance.now() - this.heardAt < SILENCE_MS;
  }

  on(topic: string, listener: Listener): void {
    if (this.listeners.size === 0) this.fallback?.listen((message) => void this.hear(message));
    this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
  }

  /** Call it after the commit. It is heard here at once, elsewhere within milliseconds. */
  async publish(topic: string, keys: readonly string[]): Promise<void> {
    this.deliver(topic, keys);
    if (!this.store.client) return;
    const messages: Message[] = [];
    for (let i = 0; i < keys.length; i += KEYS) {
      messages.push({ text: JSON.stringify([topic, ...keys.slice(i, i + KEYS)]) });
    }
    for (const message of messages) this.unsent.add(message);
    await Promise.all(messages.map((message) => this.announce(message)));
  }

  close(): void {
    clearInterval(this.pinging);
    this.subscriber?.disconnect();
    this.fallback?.close();
  }

  private async announce(message: Message): Promise<void> {
    const taken = await withDeadline(this.send(message), PROMPT_MS).catch(() => false);
    // When Postgres is away too, right after it took the change, Redis hears of it as soon as it is back.
    if (!taken) await this.fallback?.send(message.text).catch(() => undefined);
  }

  /** @returns whether Redis has taken it; if not, it is sent again when Redis is back */
  private async send(message: Message): Promise<boolean> {
    try {
      await this.mark(message.text)?.publish(this.channel, message.text).exec();
      return this.unsent.delete(message);
    } catch {
      return false;
    }
  }

  /** Marks the shared copies of a message's keys, in a transaction that goes on. */
  private mark(message: string) {
    const [topic, ...keys] = JSON.parse(message) as [string, ...string[]];
    const batch = this.store.client?.multi();
    for (const key of keys) batch?.set(this.store.copyKey(topic, key), CHANGED, 'PX', CHANGED_FOR_MS);
    return batch;
  }

  /** A message of a process that could not reach Redis: its copies have yet to be marked. */
  private async hear(message: string): Promise<void> {
    const [topic, ...keys] = JSON.parse(message) as [string, ...string[]];
    this.deliver(topic, keys);
    await this.mark(message)
      ?.exec()
      .catch(() => undefined);
    this.deliver(topic, keys);
  }

  private listen(subscriber: Redis): void {
    subscriber.on('ready', () => {
      const sentAt = performance.now();
      void subscriber.subscribe(this.channel).then(
        () => {
          this.heardAt = sentAt;
          // What was published while the connection was down is unknown.
          for (const topic of this.listeners.keys()) this.deliver(topic, null);
        },
        // Connected anew, it tries again.
        () => subscriber.disconnect(true),
      );
    });
    subscriber.on('close', () => (this.heardAt = -Infinity));
    subscriber.on('message', (_channel, text: string) => {
      const [topic, ...keys] = JSON.parse(text) as [string, ...string[]];
      this.deliver(topic, keys);
    });
    this.pinging = setInterval(() => void this.ping(subscriber), PING_EVERY_MS).unref();
  }

  /** An answer means that everything published before the question has arrived. */
  private async ping(subscriber: Redis): Promise<void> {
    if (subscriber.status !== 'ready' || this.heardAt === -Infinity) return;
    const sentAt = performance.now();
    const answered = await subscriber.ping().catch(() => false);
    if (answered && this.heardAt !== -Infinity) this.heardAt = sentAt;
  }

  private deliver(topic: string, keys: readonly string[] | null): void {
    for (const listener of this.listeners.get(topic) ?? []) listener(keys);
  }
}
