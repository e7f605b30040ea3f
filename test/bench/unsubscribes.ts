import { Agent, get } from 'node:http';
import type { DataSource } from 'typeorm';
import { Encryption } from '../../src/common/crypto/encryption';
import { SystemClock } from '../../src/common/time/clock';
import { parseEncryptionKeys } from '../../src/config/encryption-keys';
import { BlindIndexes } from '../../src/infrastructure/encryption/blind-indexes';
import { FeedCursors } from '../../src/infrastructure/encryption/feed-cursors';
import { EncryptedColumns } from '../../src/infrastructure/encryption/encrypted-columns';
import { KeyCheck } from '../../src/infrastructure/encryption/key-check';
import { UnsubscribeCursors } from '../../src/modules/unsubscribes/feeds/unsubscribe-cursors';
import { makeApiKey } from './support/api-key';
import { BENCH_KEYS, BenchProcess } from './support/processes';
import { type BenchStores, loadLinks, runBench } from './support/stores';
import { databaseOf } from '../support/database-of';

/*
 * Measures synchronizing a channel with millions of opt-outs over HTTP, one request at a time: a full page of the list
 * at any cursor, a page of deletions, a check, and the watermark.
 */
const ENTRIES = Number(process.env.BENCH_UNSUBSCRIBES ?? 5_000_000);
/** Number of deleted entries, in addition to the current ones. */
const DELETED = Math.round(ENTRIES / 20);
const READS = Number(process.env.BENCH_READS ?? 300);
/** Warm-up for the JIT, which takes more than a few hundred requests. */
const WARM_UP_MS = Number(process.env.BENCH_WARM_UP_SECONDS ?? 8) * 1000;
const BATCH = 20_000;
const PORT = 23_022;
const PATH = '/api/v1/service/messaging/unsubscribes';
const GOALS = { page: 50, check: 5, watermark: 5 };

const phoneOf = (n: number) => `+8210${String(20_000_000 + n)}`;

/** Every twentieth inserted entry has been deleted, with positions after all insertions. */
async function load(database: DataSource, hashes: BlindIndexes, organizationId: number): Promise<void> {
  const encryption = new Encryption(parseEncryptionKeys(BENCH_KEYS));
  const rows = ENTRIES + DELETED;
  for (let start = 0; start < rows; start += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, rows - start) }, (_, i) => start + i + 1);
    const sealed = ids.map((rowId) =>
      encryption.encrypt(JSON.stringify([phoneOf(rowId), 'bench']), {
        table: 'unsubscribes',
        column: 'sealed',
        organizationId,
        rowId,
      }),
    );
    const values = ids.map((id) => hashes.of(organizationId, 'unsubscribes.SMS', phoneOf(id)));
    await database.query(
      `INSERT INTO unsubscribes (organization_id, id, position, unsubscribed_at, created_at, channel, value_hash,
                                 method, sealed, deleted_at, deletion_position, deletion_id)
       SELECT $1, id, id, now(), now(), 1, value_hash, 'API', sealed,
              CASE WHEN id % 21 = 0 THEN now() END, CASE WHEN id % 21 = 0 THEN $2::bigint + id / 21 END,
              CASE WHEN id % 21 = 0 THEN $2::bigint + id / 21 END
         FROM unnest($3::bigint[], $4::bytea[], $5::text[]) AS e (id, value_hash, sealed)`,
      [organizationId, rows, ids, values, sealed],
    );
  }
  await database.query(
    `INSERT INTO unsubscribe_heads (organization_id, channel, position, total)
     SELECT $1, 1, max(greatest(position, deletion_position)), count(*) FILTER (WHERE deleted_at IS NULL)
       FROM unsubscribes`,
    [organizationId],
  );
  await database.query('VACUUM ANALYZE unsubscribes');
  // Otherwise reads would have to flush dirty buffers from the load.
  await database.query('CHECKPOINT');
}

async function blindIndexes(database: DataSource): Promise<BlindIndexes> {
  const encryption = new Encryption(parseEncryptionKeys(BENCH_KEYS));
  const check = new KeyCheck(databaseOf(database), encryption, new SystemClock());
  const made = new BlindIndexes(databaseOf(database), encryption, check, new EncryptedColumns());
  await made.onModuleInit();
  return made;
}

function percentile(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? NaN;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function fetchText(url: string, apiKey: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { 'X-API-KEY': apiKey } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${url}: ${response.statusCode} ${text}`));
      });
    }).on('error', reject);
  });
}

async function measure(
  server: BenchProcess,
  name: string,
  goal: number,
  apiKey: string,
  urlOf: () => string,
): Promise<void> {
  for (const until = performance.now() + WARM_UP_MS; performance.now() < until;)
    await fetchText(urlOf(), apiKey);
  const times: number[] = [];
  const before = server.cpu();
  for (let i = 0; i < READS; i++) {
    const startedAt = performance.now();
    await fetchText(urlOf(), apiKey);
    times.push(performance.now() - startedAt);
  }
  const cpu = (server.cpu() - before) / READS / 1000;
  const p95 = percentile(times, 0.95);
  const verdict = goal === Infinity ? '' : `, ${p95 <= goal ? 'within' : 'MISSES'} ${goal} ms`;
  console.log(
    `${name}: p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms${verdict}; ` +
      `${cpu.toFixed(1)} ms CPU of the server`,
  );
  if (p95 > goal) process.exitCode = 1;
}

async function main(stores: BenchStores): Promise<void> {
  const redisUrl = await stores.redis();
  const { url: databaseUrl, database } = await stores.database('bench_unsubscribes');
  await database.query('SET statement_timeout = 0');
  const organizationId = await loadLinks(database, 1);
  const apiKey = await makeApiKey(database, organizationId);
  const hashes = await blindIndexes(database);
  const startedAt = performance.now();
  await load(database, hashes, organizationId);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(`${ENTRIES} entries and ${DELETED} deletions of one channel, loaded in ${seconds} s`);

  const server = await BenchProcess.waypost(PORT, { databaseUrl, redisUrl });
  // Shows the latency of the machine itself.
  await measure(server, 'for comparison, /health/live', Infinity, apiKey, () => `${server.url}/health/live`);
  const cursors = new UnsubscribeCursors(new FeedCursors(hashes));
  const of = { organizationId, channel: 'SMS' } as const;
  const anywhere = (count: number) => Math.floor(Math.random() * count);
  const url = server.url + PATH;
  await measure(server, 'page of 1000 at any cursor', GOALS.page, apiKey, () => {
    const cursor = cursors.of(of, 'list', anywhere(ENTRIES + DELETED));
    return `${url}?limit=1000&cursor=${cursor}`;
  });
  await measure(server, 'page of 1000 deletions at any cursor', GOALS.page, apiKey, () => {
    const cursor = cursors.of(of, 'deletions', ENTRIES + DELETED + anywhere(DELETED));
    return `${url}/deletions?limit=1000&cursor=${cursor}`;
  });
  await measure(server, 'check', GOALS.check, apiKey, () => {
    return `${url}/check?value=${encodeURIComponent(phoneOf(anywhere(2 * ENTRIES)))}`;
  });
  await measure(server, 'watermark', GOALS.watermark, apiKey, () => `${url}/watermark?withTotal=true`);

  agent.destroy();
  await server.stop();
}

runBench(main);
