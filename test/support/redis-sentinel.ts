import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Certificate } from './certificate';
import { eventually } from './eventually';
import { freePort, RedisServer, temporaryFolder, tlsOptions } from './servers';

const NAME = 'mymaster';

/** A master with a replica, and a Sentinel that monitors them. */
export class TestSentinel {
  private constructor(
    readonly servers: readonly [master: RedisServer, replica: RedisServer],
    private readonly port: number,
    /** Undefined without a certificate. */
    private readonly tlsPort: number | undefined,
    private readonly process: ChildProcess,
    private readonly connection: Redis,
  ) {}

  /**
   * @param certificate makes all of them use TLS among themselves
   * @throws LeftOut if Redis is not installed
   */
  static async start(certificate?: Certificate): Promise<TestSentinel> {
    const options = ['--repl-diskless-sync-delay', '0'];
    const master = await RedisServer.start(options, certificate);
    const source = `127.0.0.1 ${portOf(master)}`;
    const replica = await RedisServer.start([...options, '--replicaof', source], certificate);
    const port = await freePort();
    const tlsPort = certificate && (await freePort());
    const file = join(temporaryFolder('sentinel'), 'sentinel.conf');
    writeFileSync(
      file,
      [
        `port ${port}`,
        'bind 127.0.0.1',
        ...tlsOptions(tlsPort, certificate).map((option) => option.join(' ')),
        `sentinel monitor ${NAME} ${source} 1`,
        `sentinel down-after-milliseconds ${NAME} 1000`,
        `sentinel failover-timeout ${NAME} 2000`,
      ].join('\n'),
    );
    const child = spawn(master.binary, [file, '--sentinel'], { stdio: 'ignore' });
    const connection = new Redis(port, '127.0.0.1', { retryStrategy: () => 100 });
    connection.on('error', () => undefined);
    // It looks at its servers every ten seconds otherwise, and does nothing for half a minute after a stall of two.
    await connection.call(
      'SENTINEL',
      'DEBUG',
      'info-period',
      '200',
      'publish-period',
      '200',
      'tilt-trigger',
      '60000',
    );
    const sentinel = new TestSentinel([master, replica], port, tlsPort, child, connection);
    await sentinel.settled();
    return sentinel;
  }

  get url(): string {
    return `redis-sentinel://127.0.0.1:${this.port}/${NAME}`;
  }

  /** For servers with a certificate. */
  get tlsUrl(): string {
    return `redis-sentinel://localhost:${this.tlsPort}/${NAME}?tls=true`;
  }

  /** URL of the Sentinel in the form of a Redis URL. */
  get ownUrl(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async master(): Promise<RedisServer> {
    const address = await this.connection.call('SENTINEL', 'get-master-addr-by-name', NAME);
    const [, port] = address as [string, string];
    const [one, other] = this.servers;
    return portOf(one) === Number(port) ? one : other;
  }

  /** Resolves when the Sentinel sees the master and a replica that can be promoted. */
  async settled(): Promise<void> {
    await eventually(async () => {
      const replicas = (await this.connection.call('SENTINEL', 'replicas', NAME)) as string[][];
      expect(replicas.map((fields) => fields[fields.indexOf('master-link-status') + 1])).toEqual(['ok']);
      expect(replicas.map((fields) => fields[fields.indexOf('flags') + 1])).toEqual(['slave']);
    });
  }

  async end(): Promise<void> {
    this.connection.disconnect();
    this.process.kill('SIGKILL');
    await Promise.all(this.servers.map((server) => server.end()));
  }
}

/** The port that is announced to Sentinels and replicas. */
function portOf({ port, tlsPort }: RedisServer): number {
  return tlsPort ?? port;
}
