import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Semaphore } from '../../src/common/semaphore';
import { SystemClock } from '../../src/common/time/clock';
import { readConfig } from '../../src/config/config';
import { ConfigModule } from '../../src/config/config.module';
import { Database } from '../../src/infrastructure/database/database';
import { directly } from '../../src/infrastructure/database/database-address';
import { EncryptionModule } from '../../src/infrastructure/encryption/encryption.module';
import { InfrastructureModule } from '../../src/infrastructure/infrastructure.module';
import { RedisStore } from '../../src/infrastructure/redis/redis';
import { WebhookEndpointRow } from '../../src/modules/webhooks/endpoints/webhook-endpoint.entity';
import { WebhookEndpointsRepository } from '../../src/modules/webhooks/endpoints/webhook-endpoints.repository';
import { createSecret } from '../../src/modules/webhooks/endpoints/webhook-secrets';
import { WebhookOutbox } from '../../src/modules/webhooks/outbox/webhook-outbox';
import { WebhookOutboxModule } from '../../src/modules/webhooks/webhook-outbox.module';
import { BENCH_KEYS, BenchProcess } from './support/processes';
import { type BenchStores, loadLinks, runBench } from './support/stores';
import { percentile } from './support/wrk';

/*
 * Measures the latency of webhooks from commit to POST, at a steady rate over 20 organizations with one endpoint each;
 * then again while one receiver hangs for 15 seconds.
 */
const RATE = Number(process.env.BENCH_RATE ?? 200);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 30);
const ENDPOINTS = 20;
/** Concurrent writers. A machine that is too slow writes fewer events per second, and the benchmark reports it. */
const WRITERS = 20;
const HANG_MS = 15_000;
const PORT = 23_023;
/** Wait for the last events. */
const GRACE_MS = 10_000;
const GOALS = { p99: 1_000, ratio: 1.1 };

/** The receivers of all endpoints, on the other core than the worker, like the writer. */
class Receivers {
  readonly arrivedAt = new Map<number, number>();
  /** Index of the hanging receiver, or -1. */
  hanging = -1;
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      const at = performance.now();
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { n: number } };
        if (!this.arrivedAt.has(data.n)) this.arrivedAt.set(data.n, at);
        this.answer(Number(request.url?.slice(1)), response);
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private answer(endpoint: number, response: ServerResponse): void {
    const wait = endpoint === this.hanging ? HANG_MS : 0;
    setTimeout(() => response.writeHead(204).end(), wait).unref();
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([WebhookEndpointRow])],
  providers: [WebhookEndpointsRepository],
})
class EndpointsModule {}

/** Starts a writer of events, like any process of the service. */
async function startWriter(databaseUrl: string, redisUrl: string) {
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ENCRYPTION_KEYS: BENCH_KEYS,
    CONSOLE_TOKEN: 'console-token-of-the-bench',
  });
  const { encryptionKeys = [] } = config;
  const database = directly(databaseUrl);
  const module = {
    module: class WriterModule {},
    imports: [
      ConfigModule.of(config),
      InfrastructureModule.of({ ...config, database, databasePool: WRITERS }, new SystemClock()),
      EncryptionModule.beside({ encryptionKeys }),
      WebhookOutboxModule,
      EndpointsModule,
    ],
  };
  const context = await NestFactory.createApplicationContext(module, { logger: false });
  const redis = context.get(RedisStore);
  while (!redis.readyFor(redis.jobsKey)) await delay(10);
  return {
    database: context.get(Database),
    outbox: context.get(WebhookOutbox, { strict: false }),
    endpoints: context.get(WebhookEndpointsRepository, { strict: false }),
    close: () => context.close(),
  };
}

type Writer = Awaited<ReturnType<typeof startWriter>>;

/** Creates organizations with one endpoint each. @returns their ids, by number of the receiver */
async function subscribe(database: DataSource, writer: Writer, origin: string): Promise<number[]> {
  const organizations: number[] = [];
  for (let i = 0; i < ENDPOINTS; i++) {
    const organizationId = await loadLinks(database, 0);
    const secrets = [{ value: createSecret(), replacedAt: null }];
    const settings = { url: `${origin}/${i}`, filters: null, events: ['*'], enabled: true, secrets };
    await writer.database.write((tx) => writer.endpoints.insert(tx, organizationId, settings, 1));
    organizations.push(organizationId);
  }
  return organizations;
}

const slots = new Semaphore(WRITERS);
let number = 0;

/** Writes events at the rate. @returns milliseconds from commit to POST, except for events to `except` */
async function run(
  writer: Writer,
  receivers: Receivers,
  organizations: number[],
  except: number,
): Promise<number[]> {
  const committedAt = new Map<number, number>();
  const first = number;
  const startedAt = performance.now();
  const writing: Promise<void>[] = [];
  for (let i = 0; i < RATE * SECONDS; i++) {
    const early = startedAt + (i * 1000) / RATE - performance.now();
    if (early > 1) await delay(early);
    const n = number++;
    const endpoint = n % ENDPOINTS;
    const event = {
      name: 'contact.created',
      organizationId: organizations[endpoint] ?? 0,
      data: { n, name: 'Kim Minji', phoneNumber: '+12133734253', email: 'minji@example.com', tags: ['gold'] },
    } as const;
    const write = () =>
      writer.database.write(async (tx) => {
        tx.afterCommit(() => {
          if (endpoint !== except) committedAt.set(n, performance.now());
        });
        await writer.outbox.add(tx, event);
      });
    writing.push(slots.run(write));
  }
  await Promise.all(writing);
  const took = (performance.now() - startedAt) / 1000;
  const giveUpAt = performance.now() + GRACE_MS;
  const missing = () => [...committedAt.keys()].filter((n) => !receivers.arrivedAt.has(n)).length;
  while (missing() > 0 && performance.now() < giveUpAt) await delay(50);
  console.log(
    `  ${number - first} events in ${took.toFixed(1)} s, ${missing()} of them not there ${GRACE_MS / 1000} s later`,
  );
  if (missing() > 0) process.exitCode = 1;
  return [...committedAt].flatMap(([n, at]) => {
    const arrived = receivers.arrivedAt.get(n);
    return arrived === undefined ? [] : [Math.max(0, arrived - at)];
  });
}

function report(name: string, times: readonly number[]) {
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  const verdict = p99 <= GOALS.p99 ? 'within' : 'MISSES';
  console.log(`${name}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${verdict} ${GOALS.p99} ms`);
  if (p99 > GOALS.p99) process.exitCode = 1;
  return { p50, p99 };
}

async function main(stores: BenchStores): Promise<void> {
  const redisUrl = await stores.redis();
  const { url: databaseUrl, database } = await stores.database('bench_webhooks', 1);
  const receivers = new Receivers();
  const writer = await startWriter(databaseUrl, redisUrl);
  const organizations = await subscribe(database, writer, await receivers.listen());
  const worker = await BenchProcess.waypost(
    PORT,
    { databaseUrl, redisUrl },
    { ROLE: 'worker', OUTBOUND_ALLOW_PRIVATE: 'true' },
  );
  console.log(`${RATE} events a second for ${SECONDS} s, ${ENDPOINTS} endpoints`);
  // Warms up the JIT.
  await run(writer, receivers, organizations, 0);
  const cpu = worker.cpu();
  const calm = report('all answer', await run(writer, receivers, organizations, 0));
  const share = (worker.cpu() - cpu) / (RATE * SECONDS);
  receivers.hanging = 0;
  const beside = report('one hangs, the other 19', await run(writer, receivers, organizations, 0));
  const ratio = beside.p50 / calm.p50;
  console.log(
    `one that hangs makes the others ${ratio.toFixed(2)} times as slow (p50; p99 ${(beside.p99 / calm.p99).toFixed(2)}), ` +
      `${ratio <= GOALS.ratio ? 'within' : 'MISSES'} ${GOALS.ratio}; ${(share / 1000).toFixed(2)} ms CPU of the worker an event`,
  );
  if (ratio > GOALS.ratio) process.exitCode = 1;

  await worker.stop();
  receivers.close();
  await writer.close();
}

runBench(main);
