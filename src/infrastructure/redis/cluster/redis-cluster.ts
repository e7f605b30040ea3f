import type { Redis, RedisOptions } from 'ioredis';
import type { HostAndPort, RedisAddress } from '../../../config/redis-address';
import { connectRedis, NOT_THE_HOLDER } from '../connection';
import { holderConnector } from './holder-connector';
import { slotOf, SLOTS } from './key-slot';
import { type SlotRange, slotRanges } from './slot-ranges';
import { type Holds, RedisServer, type RedisServers, type ServerEvents } from '../redis-servers';

/** How often the slot map is read, and so how late a fail-over is noticed. */
const REFRESH_MS = 1_000;

interface Node extends HostAndPort {
  readonly server: RedisServer;
}

/**
 * A Redis Cluster: one connection to each master, and a slot map that is read again every second. A command goes to the
 * holder of its key or fails: unlike ioredis's `Cluster`, nothing waits or is resent while a master is down, because
 * every caller has a fallback (docs/adr/0054-holders-of-slots.md).
 */
export class RedisCluster implements RedisServers {
  /** Connections by address: to masters, or to the nodes of REDIS_URL while no master answers. */
  private readonly nodes = new Map<string, Node>();
  private holders: (Node | undefined)[] = [];
  private readonly dedicated = new Map<Redis, number>();
  private readonly access: RedisOptions;
  private readonly timer: NodeJS.Timeout;
  private refreshing = false;
  private closed = false;

  constructor(
    private readonly address: RedisAddress & { kind: 'cluster' },
    private readonly events: ServerEvents,
  ) {
    this.access = { ...address.credentials, ...(address.tls && { tls: {} }) };
    this.timer = setInterval(() => void this.refresh(), REFRESH_MS).unref();
    this.connectGiven();
  }

  holderOf(key: string): RedisServer | null {
    return this.holders[slotOf(key)]?.server ?? null;
  }

  all(): RedisServer[] {
    return [...new Set(this.holders)].flatMap((node) => node?.server ?? []);
  }

  connectionTo(key: string, options: RedisOptions): Redis {
    const slot = slotOf(key);
    const redis = connectRedis({
      ...this.access,
      reconnectOnError: ({ message }) => NOT_THE_HOLDER.test(message),
      ...options,
      Connector: holderConnector(() => this.holders[slot], this.address.tls),
    });
    this.dedicated.set(redis, slot);
    redis.once('end', () => this.dedicated.delete(redis));
    return redis;
  }

  close(): void {
    this.closed = true;
    clearInterval(this.timer);
    for (const { server } of this.nodes.values()) server.redis.disconnect();
  }

  private connectGiven(): void {
    for (const given of this.address.nodes) this.nodeAt(given);
  }

  private nodeAt({ host, port }: HostAndPort): Node {
    const name = `${host}:${port}`;
    const known = this.nodes.get(name);
    if (known) return known;
    const refresh = () => void this.refresh();
    const redis = connectRedis({
      ...this.access,
      host,
      port,
      // Reconnecting would lead to the same address, so the slot map is refreshed instead.
      reconnectOnError: ({ message }) => {
        if (message.startsWith('MOVED')) refresh();
        return false;
      },
    });
    const holds = (key: string) => this.holders[slotOf(key)] === node;
    const changed = (tell: (holds: Holds) => void) => () => {
      tell(holds);
      refresh();
    };
    const { lost, back } = this.events;
    const server = new RedisServer(name, redis, { lost: changed(lost), back: changed(back) });
    const node: Node = { host, port, server };
    this.nodes.set(name, node);
    return node;
  }

  private async refresh(): Promise<void> {
    if (this.refreshing || this.closed) return;
    this.refreshing = true;
    const ready = [...this.nodes.values()].filter(({ server }) => server.ready);
    // All masters may have moved to other addresses.
    if (ready.length === 0) this.connectGiven();
    // In random order, so that a node that does not respond is not always asked first.
    for (const node of shuffled(ready)) {
      const ranges = await slotRanges(node.server.redis, node.host).catch(() => null);
      if (!ranges) continue;
      this.apply(ranges);
      break;
    }
    this.refreshing = false;
  }

  private apply(ranges: readonly SlotRange[]): void {
    if (this.closed) return;
    const before = this.holders;
    const holders = new Array<Node | undefined>(SLOTS).fill(undefined);
    for (const range of ranges) holders.fill(this.nodeAt(range), range.from, range.to + 1);
    this.holders = holders;
    const masters = new Set(holders);
    for (const [name, node] of this.nodes) {
      if (masters.has(node)) continue;
      this.nodes.delete(name);
      node.server.redis.disconnect();
    }
    const moved = (slot: number) => before[slot] !== holders[slot];
    if (!holders.some((_, slot) => moved(slot))) return;
    this.events.lost((key) => moved(slotOf(key)));
    this.events.back((key) => moved(slotOf(key)) && holders[slotOf(key)]?.server.ready === true);
    for (const [redis, slot] of this.dedicated) {
      // A connection that is not established yet looks up the holder when it is.
      if (moved(slot) && ['connect', 'ready'].includes(redis.status)) redis.disconnect(true);
    }
  }
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}
