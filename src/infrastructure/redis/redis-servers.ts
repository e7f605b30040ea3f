import type { Redis, RedisOptions } from 'ioredis';

/** Whether a key is, or was, on the servers that an event is about. */
export type Holds = (key: string) => boolean;

/** Notified when servers are lost or replaced, and when servers are back. */
export interface ServerEvents {
  readonly lost: (holds: Holds) => void;
  readonly back: (holds: Holds) => void;
}

/** The servers behind REDIS_URL, and which of them holds which key. */
export interface RedisServers {
  /** The server that holds a key; null while unknown. */
  holderOf(key: string): RedisServer | null;
  all(): RedisServer[];
  /** Opens a connection to the holder of a key, and follows the key to another holder. */
  connectionTo(key: string, options: RedisOptions): Redis;
  close(): void;
}

export class RedisServer {
  private readyAt: number | null = null;

  constructor(
    /** Host and port, or the Sentinel name of the master. */
    readonly name: string,
    readonly redis: Redis,
    events: { lost(): void; back(): void },
  ) {
    redis.on('ready', () => {
      this.readyAt = performance.now();
      events.back();
    });
    redis.on('close', () => {
      if (this.readyAt === null) return;
      this.readyAt = null;
      events.lost();
    });
  }

  get ready(): boolean {
    return this.redis.status === 'ready';
  }

  /** Milliseconds since the connection became ready; 0 while there is none. */
  get readyFor(): number {
    return this.ready && this.readyAt !== null ? performance.now() - this.readyAt : 0;
  }
}

/** A single server, or the master that Sentinels name, which holds every key. */
export class SingleServer implements RedisServers {
  private readonly server: RedisServer;

  constructor(
    name: string,
    private readonly connect: (options: RedisOptions) => Redis,
    events: ServerEvents,
  ) {
    const all = () => true;
    this.server = new RedisServer(name, connect({}), {
      lost: () => events.lost(all),
      back: () => events.back(all),
    });
  }

  holderOf(): RedisServer {
    return this.server;
  }

  all(): RedisServer[] {
    return [this.server];
  }

  connectionTo(_key: string, options: RedisOptions): Redis {
    return this.connect(options);
  }

  close(): void {
    this.server.redis.disconnect();
  }
}
