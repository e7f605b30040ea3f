import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { NAME } from './cluster';
import { codeOf } from './files';

/** Advisory lock held in shared mode by every process that uses the server; the last one may stop it. */
const IN_USE = 7_763_091;

/** Errors which show that no server, or another one, listens at the port. */
const NOT_OURS = ['ECONNREFUSED', '28P01', '28000'];

/**
 * This process's lease on a running server: an idle connection that holds an advisory lock. A killed process
 * loses both. It connects to the database `postgres`, so that `waypost` can be dropped and used as a
 * template.
 */
export class Lease {
  private alive = true;

  private constructor(
    private readonly client: Client,
    private readonly socket: Socket,
  ) {
    const ended = () => (this.alive = false);
    client.on('error', ended).on('end', ended);
  }

  /**
   * Connects to the server of this data directory. `elsewhere`: another server or none listens at that port.
   * `busy`: the server is starting, stopping or out of connections; try again.
   */
  static async take(cluster: string, port: number, password: string): Promise<Lease | 'elsewhere' | 'busy'> {
    const socket = new Socket();
    const client = new Client({
      stream: () => socket,
      host: '127.0.0.1',
      port,
      user: NAME,
      password,
      database: 'postgres',
      ssl: false,
      application_name: 'waypost embedded-postgres',
      connectionTimeoutMillis: 5_000,
      query_timeout: 10_000,
    });
    const lease = new Lease(client, socket);
    try {
      await client.connect();
      if (!(await servesFrom(client, cluster))) return await lease.refused('elsewhere');
      const free = await ask(client, 'SELECT pg_try_advisory_lock_shared($1) AS answer', IN_USE);
      return free ? lease : await lease.refused('busy');
    } catch (error) {
      return lease.refused(NOT_OURS.includes(codeOf(error) ?? '') ? 'elsewhere' : 'busy');
    }
  }

  /** Stops the connection from keeping this process alive. */
  settle(): void {
    this.socket.unref();
  }

  async ensureDatabase(): Promise<void> {
    const found = 'SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1) AS answer';
    if (!(await ask(this.client, found, NAME))) await this.client.query(`CREATE DATABASE ${NAME}`);
  }

  /**
   * Releases the lease. `last`: no other process holds one or can get one, so stop the server. `unknown`: the
   * connection had already been lost.
   */
  async release(): Promise<'last' | 'shared' | 'unknown'> {
    try {
      if (!this.alive) return 'unknown';
      // In this order, so that of two concurrent releases at least one is the last.
      this.socket.ref();
      await this.client.query('SELECT pg_advisory_unlock_shared($1)', [IN_USE]);
      const last = await ask(this.client, 'SELECT pg_try_advisory_lock($1) AS answer', IN_USE);
      if (!last) await this.close();
      return last ? 'last' : 'shared';
    } catch {
      return 'unknown';
    }
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }

  private async refused<Reason>(reason: Reason): Promise<Reason> {
    await this.close();
    return reason;
  }
}

async function ask(client: Client, query: string, parameter: string | number): Promise<boolean> {
  const { rows } = await client.query<{ answer: boolean }>(query, [parameter]);
  return rows[0]?.answer === true;
}

// Whether the server's data directory is the cluster: the server sees a file created there. Paths cannot be compared,
// since folders are moved and copied.
async function servesFrom(client: Client, cluster: string): Promise<boolean> {
  const name = `waypost-probe-${randomBytes(8).toString('hex')}`;
  await writeFile(join(cluster, name), '', { flag: 'wx' });
  try {
    return await ask(client, 'SELECT (pg_stat_file($1, true)).size IS NOT NULL AS answer', name);
  } finally {
    await rm(join(cluster, name), { force: true });
  }
}
