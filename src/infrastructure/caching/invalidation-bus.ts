import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { withDeadline } from '../../common/deadline';
import { CacheLookups } from './cache-lookups';
import type { RedisStore } from '../redis/redis';
import type { PostgresChannel } from './postgres-channel';
import { CHANGED, CHANGED_FOR_MS } from './shared-copy';

/**
 * Ping interval on the subscriber connection: a silently lost connection must not leave stale entries behind.
 */
const PING_EVERY_MS = 250;
const SILENCE_MS = 700;
/** If Redis has not accepted a message within this time, it goes through Postgres. */
const REDIS_TIMEOUT_MS = 300;
/** Limit for filling caches, for which the caller of `fill` waits. */
const FILL_TIMEOUT_MS = 500;
/** Keys per message; a Postgres notification holds at most 8,000 bytes. */
const KEYS = 25;

/** Run on the server that holds the channel's slot: every process subscribes there. */
const PUBLISH = `return redis.call('PUBLISH', KEYS[1], ARGV[1])`;

/** A topic and its changed keys, sent as JSON. */
interface Message {
  readonly text: string;
}

/** Called with the changed keys of a topic; null means that any key may have changed. */
type Listener = (keys: readonly string[] | null) => void;

/**
 * Loads the values of changed keys into the shared cache.
 * @param turn id of the mark that announced the change; null for new keys, which have none
 */
export type Filler = (keys: readonly string[], turn: string | null) => Promise<void>;

/**
 * Announces changes of cached data to every process: through Redis pub/sub, or through Postgres if this
 * process cannot reach Redis. Without REDIS_URL there is only one process.
 */
export class InvalidationBus {
  readonly lookups = new CacheLookups();
  private readonly listeners = new Map<string, Listener[]>();
  private readonly fillers = new Map<string, Filler>();
  private readonly subscriber: Redis | null;
  private readonly channel: string;
  /** Messages that Redis has not accepted yet. */
  private readonly unsent = new Set<Message>();
  private confirmedAt = -Infinity;
  private pinging: NodeJS.Timeout | undefined;

  /** @param fallback used while Redis is unreachable; null without REDIS_URL */
  constructor(
    private readonly store: RedisStore,
    private readonly fallback: PostgresChannel | null,
  ) {
    this.channel = store.key('bus', 'invalidate');
    this.subscriber = store.configured ? store.connectionTo(this.channel) : null;
    if (this.subscriber) this.listen(this.subscriber);
    store.onBack(() => {
      for (const message of this.unsent) void this.send(message);
    });
  }

  /**
   * Whether changes made by other processes arrive here. If not, cached values may be used for at most one
   * second.
   */
  get coherent(): boolean {
    return !this.subscriber || performance.now() - this.confirmedAt < SILENCE_MS;
  }

  on(topic: string, listener: Listener): void {
    if (this.listeners.size === 0) this.fallback?.listen((message) => void this.receive(message));
    this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
  }

  fillWith(topic: string, filler: Filler): void {
    this.fillers.set(topic, filler);
  }

  /**
   * Call it after the commit. Local listeners run at once, other processes hear of it within milliseconds.
   */
  async publish(topic: string, keys: readonly string[]): Promise<void> {
    this.deliver(topic, keys);
    const turn = randomUUID();
    if (this.store.configured) await this.announceAll(topic, keys, turn);
    await this.fill(topic, keys, turn);
  }

  /** Loads new values, and what a redirect to them needs, into the shared cache. Call it after the commit. */
  async fill(topic: string, keys: readonly string[], turn: string | null = null): Promise<void> {
    const filling = this.fillers.get(topic)?.(keys, turn);
    // On a failure, readers load what is missing.
    if (filling) await withDeadline(filling, FILL_TIMEOUT_MS).catch(() => undefined);
  }

  close(): void {
    clearInterval(this.pinging);
    this.subscriber?.disconnect();
    this.fallback?.close();
  }

  private async announceAll(topic: string, keys: readonly string[], turn: string): Promise<void> {
    const messages: Message[] = [];
    for (let i = 0; i < keys.length; i += KEYS) {
      messages.push({ text: JSON.stringify([topic, ...keys.slice(i, i + KEYS)]) });
    }
    for (const message of messages) this.unsent.add(message);
    await Promise.all(messages.map((message) => this.announce(message, turn)));
  }

  private async announce(message: Message, turn: string): Promise<void> {
    const accepted = await withDeadline(this.send(message, turn), REDIS_TIMEOUT_MS).catch(() => false);
    // If Postgres fails too, the message stays unsent until Redis is back.
    if (!accepted) await this.fallback?.send(message.text).catch(() => undefined);
  }

  /** @returns whether Redis accepted the message; if not, it is sent again when Redis is back */
  private async send(message: Message, turn?: string): Promise<boolean> {
    try {
      await this.mark(message.text, turn);
      const redis = this.store.readyFor(this.channel);
      if (!redis) return false;
      await redis.eval(PUBLISH, 1, this.channel, message.text);
      return this.unsent.delete(message);
    } catch {
      return false;
    }
  }

  /** Marks the shared copies of a message's keys as changed. @throws if any could not be marked */
  private async mark(message: string, turn: string = randomUUID()): Promise<void> {
    const [topic, ...keys] = JSON.parse(message) as [string, ...string[]];
    const copies = this.store.byServer(keys.map((key) => this.store.copyKey(topic, key)));
    const marks = [...copies].map(async ([redis, names]) => {
      if (!redis) throw new Error('Redis is unavailable');
      const batch = redis.pipeline();
      for (const name of names) {
        // The turn is set before the mark, so that a value loaded in an earlier turn cannot replace the mark.
        batch.set(this.store.turnKey(name), turn, 'PX', CHANGED_FOR_MS);
        batch.set(name, CHANGED, 'PX', CHANGED_FOR_MS);
      }
      for (const [error] of (await batch.exec()) ?? []) if (error) throw error;
    });
    const failed = (await Promise.allSettled(marks)).find(({ status }) => status === 'rejected');
    if (failed) throw new Error('A changed copy could not be marked', { cause: failed });
  }

  /** Handles a message from a process that could not reach Redis and so has not marked the shared copies. */
  private async receive(message: string): Promise<void> {
    const [topic, ...keys] = JSON.parse(message) as [string, ...string[]];
    this.deliver(topic, keys);
    await this.mark(message).catch(() => undefined);
    this.deliver(topic, keys);
  }

  private listen(subscriber: Redis): void {
    subscriber.on('ready', () => {
      const sentAt = performance.now();
      void subscriber.subscribe(this.channel).then(
        () => {
          this.confirmedAt = sentAt;
          // Messages published while the connection was down are lost, so any key may have changed.
          for (const topic of this.listeners.keys()) this.deliver(topic, null);
        },
        // Reconnecting subscribes again.
        () => subscriber.disconnect(true),
      );
    });
    subscriber.on('close', () => (this.confirmedAt = -Infinity));
    subscriber.on('message', (_channel, text: string) => {
      const [topic, ...keys] = JSON.parse(text) as [string, ...string[]];
      this.deliver(topic, keys);
    });
    this.pinging = setInterval(() => void this.ping(subscriber), PING_EVERY_MS).unref();
  }

  /**
   * Once both replies have arrived, every message published before has arrived too. The second is the reply to a write
   * that changes nothing: a master cut off from the cluster refuses it, in which case messages may be published on
   * another one.
   */
  private async ping(subscriber: Redis): Promise<void> {
    const redis = this.store.readyFor(this.channel);
    if (subscriber.status !== 'ready' || !redis || this.confirmedAt === -Infinity) return;
    const sentAt = performance.now();
    const answered = await Promise.all([subscriber.ping(), redis.del(this.channel)]).catch(() => false);
    if (answered && this.confirmedAt !== -Infinity) this.confirmedAt = sentAt;
  }

  private deliver(topic: string, keys: readonly string[] | null): void {
    for (const listener of this.listeners.get(topic) ?? []) listener(keys);
  }
}
