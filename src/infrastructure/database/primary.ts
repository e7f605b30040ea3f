import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { serverUrls } from '../../config/database-url';
import { type ServerChoice, TimelyClient } from './time-limit';

const WATCH_EVERY_MS = 500;
/** Every fourth question uses new connections, because a proxy may keep old ones open to a replaced primary. */
const ANEW_EVERY = 4;
/** A server that takes longer counts as unreachable. */
const ANSWER_MS = 500;
/** More time at the start, when no request waits. */
const FIND_MS = 3_000;

/** A server that accepts writes. */
interface Found {
  readonly url: string;
  /** Timeline id, which grows with every promotion. */
  readonly timeline: number;
  readonly client: Client;
}

/** No server accepts writes; contains the error of each server. */
export class NoPrimary extends AggregateError {}

/**
 * The server that accepts writes, among those of a URL. Connections made with it lead there, and are closed once
 * another server has been promoted, which a proxy may hide behind a single host.
 */
export class Primary implements ServerChoice {
  private readonly clients = new Set<Client>();
  private readonly listeners: (() => void)[] = [];

  private constructor(
    private readonly urls: readonly string[],
    private found: Found,
  ) {
    void this.watch();
  }

  /** @throws NoPrimary, with the reason of each server, if none accepts writes */
  static async find(url: string): Promise<Primary> {
    const urls = serverUrls(url);
    return new Primary(urls, await newest(urls, FIND_MS));
  }

  /** URL of this server alone. */
  get url(): string {
    return this.found.url;
  }

  /** Closes the client's connection once another server becomes the primary. */
  add(client: Client): void {
    this.clients.add(client);
    client.once('end', () => this.clients.delete(client));
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  private async watch(): Promise<never> {
    for (let time = 1; ; time++) {
      await delay(WATCH_EVERY_MS, undefined, { ref: false });
      const answers = await this.isPrimary();
      if (answers && time % ANEW_EVERY !== 0) continue;
      // Without a primary, connections still try the last one.
      const next = await newest(this.urls, ANSWER_MS).catch(() => null);
      if (next && answers && next.timeline <= this.found.timeline) destroy(next.client);
      else if (next) this.follow(next);
    }
  }

  private async isPrimary(): Promise<boolean> {
    const timeline = await timelineOf(this.found.client).catch(() => null);
    return timeline === this.found.timeline;
  }

  private follow(next: Found): void {
    const { url, timeline, client } = this.found;
    this.found = next;
    destroy(client);
    if (url === next.url && timeline === next.timeline) return;
    for (const each of this.clients) destroy(each);
    for (const listener of this.listeners) listener();
  }
}

/**
 * Of servers that accept writes, the one on the newest timeline: a replaced primary that still accepts writes is on an
 * older one.
 * @throws NoPrimary with the reason of each server
 */
async function newest(urls: readonly string[], limitMs: number): Promise<Found> {
  const answers = await Promise.allSettled(urls.map((url) => ask(url, limitMs)));
  const [best, ...others] = answers
    .flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    .sort((a, b) => b.timeline - a.timeline);
  for (const { client } of others) void client.end();
  if (best) return best;
  const reasons = answers.map((answer) => (answer as PromiseRejectedResult).reason as unknown);
  throw reasons.length === 1 ? reasons[0] : new NoPrimary(reasons);
}

async function ask(url: string, limitMs: number): Promise<Found> {
  const client = new TimelyClient({
    connectionString: url,
    application_name: 'waypost watch',
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    // This connection must not keep an otherwise idle process alive.
    streamOf(client).unref();
    const timeline = await timelineOf(client);
    if (timeline === null) throw new Error('the server is read-only');
    return { url, timeline, client };
  } catch (error) {
    void client.end();
    throw error;
  }
}

/** @returns null if the server does not accept writes */
async function timelineOf(client: Client): Promise<number | null> {
  const { rows } = await client.query<{ timeline: number | null }>(TIMELINE);
  return rows[0]?.timeline ?? null;
}

/** Closes the connection at once, because the server may not respond. */
export function destroy(client: Client): void {
  streamOf(client).destroy();
}

function streamOf(client: Client): Socket {
  return (client as Client & { connection: { stream: Socket } }).connection.stream;
}

/** A server in recovery is read-only, and any other may be configured to be. */
const TIMELINE = `
  SELECT CASE WHEN current_setting('transaction_read_only') = 'off'
              THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int
         END AS timeline`;
