import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { migrate } from '../../src/infrastructure/database/migrate';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/infrastructure/embedded-postgres/embedded-postgres';
import { FaultProxy } from './fault-proxy';
import { signalProcess } from '../support/processes';
import { temporaryFolder } from '../support/servers';

/** A Postgres for one suite that can be stopped, killed and restarted; its URL stays the same. */
export class PostgresServer {
  private constructor(
    private readonly dataDir: string,
    /** The network between the service and the server. */
    readonly proxy: FaultProxy,
    private server: EmbeddedPostgres,
  ) {}

  /** Starts a server with a migrated database. */
  static async start(): Promise<PostgresServer> {
    const dataDir = temporaryFolder('fault-postgres');
    const server = await startEmbeddedPostgres({ dataDir });
    const dataSource = await connectDataSource({ url: server.url }, 2);
    await migrate(dataSource);
    await dataSource.destroy();
    return new PostgresServer(dataDir, await FaultProxy.start(portOf(server)), server);
  }

  /** URL through the proxy, for the service. */
  get url(): string {
    return this.proxy.through(this.server.url);
  }

  /** URL that bypasses the proxy, for tests. */
  get directUrl(): string {
    return this.server.url;
  }

  /** Shuts down in fast mode. */
  async stop(): Promise<void> {
    await this.server.stop();
    await this.proxy.refuse();
  }

  /** Sends SIGKILL, so that the next start runs recovery. */
  async kill(): Promise<void> {
    const [pid] = readFileSync(join(this.dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n');
    signalProcess(Number(pid), 'SIGKILL');
    await this.proxy.refuse();
    await delay(200);
  }

  async restart(): Promise<void> {
    this.server = await startEmbeddedPostgres({ dataDir: this.dataDir });
    this.proxy.point(portOf(this.server));
    await this.proxy.forward();
  }

  async end(): Promise<void> {
    await this.proxy.stop();
    await this.server.stop();
  }
}

function portOf({ url }: EmbeddedPostgres): number {
  return Number(new URL(url).port);
}
