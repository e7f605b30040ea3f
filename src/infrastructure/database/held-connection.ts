import type { Pool, PoolClient, QueryConfig } from 'pg';

/**
 * A pool's connection that is kept from one statement to the next. A statement leaves with the call, where the pool
 * lets it wait until everything is done that the turn of the event loop has still to do.
 */
export class HeldConnection {
  private client: PoolClient | null = null;

  constructor(private readonly pool: Pool) {}

  /** @throws when there is no connection, or the statement failed; the next one gets another connection then */
  async run(statement: QueryConfig): Promise<void> {
    const client = (this.client ??= await this.connect());
    try {
      await client.query(statement);
    } catch (error) {
      this.release(true);
      throw error;
    }
  }

  /** Gives the connection back, until the next statement. */
  release(broken = false): void {
    this.client?.release(broken);
    this.client?.off('error', ignore);
    this.client = null;
  }

  private async connect(): Promise<PoolClient> {
    const client = await this.pool.connect();
    // One that breaks between two statements fails the next.
    client.on('error', ignore);
    return client;
  }
}

const ignore = () => undefined;
