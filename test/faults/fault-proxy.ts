import { connect, createServer, type Server, type Socket } from 'node:net';

/** `hang`: connections are accepted and stay open, but no data passes, as on a network that drops packets. */
type Mode = 'forward' | 'refuse' | 'hang';

interface Pair {
  client: Socket;
  upstream: Socket;
}

/** A TCP proxy in front of a store that simulates network failures and gives the store a stable port. */
export class FaultProxy {
  private mode: Mode = 'forward';
  private server: Server | null = null;
  private readonly pairs = new Set<Pair>();
  /** Connections accepted while hanging. */
  private readonly waiting = new Set<Socket>();
  private readonly lost: Socket[] = [];
  /** The text whose arrival loses the open connections, and the callback that reports it. */
  private trap: { text: string; sprung: () => void } | null = null;
  private boundPort = 0;

  private constructor(private target: number) {}

  /** @param target port on this machine */
  static async start(target: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    await proxy.listen();
    return proxy;
  }

  get port(): number {
    return this.boundPort;
  }

  /** Rewrites a URL to go through the proxy. */
  through(url: string): string {
    const result = new URL(url);
    result.port = String(this.boundPort);
    return result.href;
  }

  /** Sends new connections to another port, after the store was restarted. */
  point(target: number): void {
    this.target = target;
  }

  /** Forwards again; hanging connections resume with the data sent meanwhile. */
  async forward(): Promise<void> {
    this.mode = 'forward';
    if (!this.server) await this.listen();
    for (const { client, upstream } of this.pairs) {
      client.resume();
      upstream.resume();
    }
    for (const client of this.waiting) this.join(client);
    this.waiting.clear();
  }

  hang(): void {
    this.mode = 'hang';
    for (const { client, upstream } of this.pairs) {
      client.pause();
      upstream.pause();
    }
  }

  /** Stops listening and breaks open connections. */
  async refuse(): Promise<void> {
    this.mode = 'refuse';
    const { server } = this;
    this.server = null;
    const closed = new Promise((resolve) => server?.close(resolve));
    this.cut();
    if (server) await closed;
  }

  /** Loses open connections silently: neither side ever receives anything again. */
  lose(): void {
    this.hang();
    for (const { client, upstream } of this.pairs) this.lost.push(client, upstream);
    this.lost.push(...this.waiting);
    this.pairs.clear();
    this.waiting.clear();
  }

  /** Loses open connections once a client has sent `text`. The store receives the text, but no answer gets back. */
  async loseAfter(text: string): Promise<void> {
    await new Promise<void>((sprung) => (this.trap = { text, sprung }));
  }

  /** Breaks all open connections. */
  cut(): void {
    for (const { client, upstream } of this.pairs) {
      client.destroy();
      upstream.destroy();
    }
    for (const client of this.waiting) client.destroy();
  }

  async stop(): Promise<void> {
    for (const socket of this.lost) socket.destroy();
    await this.refuse();
  }

  private async listen(): Promise<void> {
    const server = createServer((client) => {
      client.on('error', () => undefined);
      if (this.mode === 'forward') this.join(client);
      else this.hold(client);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.boundPort, '127.0.0.1', resolve);
    });
    this.boundPort = (server.address() as { port: number }).port;
    this.server = server;
  }

  private hold(client: Socket): void {
    client.pause();
    this.waiting.add(client);
    client.once('close', () => this.waiting.delete(client));
  }

  private join(client: Socket): void {
    const upstream = connect(this.target, '127.0.0.1');
    const pair = { client, upstream };
    this.pairs.add(pair);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.setNoDelay(true);
      from.on('data', (data: Buffer) => {
        to.write(data);
        if (from === client && this.trap && data.includes(this.trap.text)) {
          this.lose();
          this.trap.sprung();
          this.trap = null;
        }
      });
      from.on('error', () => undefined);
      from.once('close', () => {
        if (this.pairs.delete(pair)) to.destroySoon();
      });
    }
  }
}
