import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LiveStream } from './live-stream';
import { BenchProcess } from './processes';
import { median } from './wrk';

const ROUNDS = Number(process.env.BENCH_IDLE_ROUNDS ?? 4);
const SECONDS = 10;
/** The service's interval between reads, each of which leads to one write a listener. */
const EVERY_MS = 400;

/** CPU time of a process for as long as it has these listeners, in milliseconds a second. */
async function measure(server: BenchProcess, streams: readonly LiveStream[]): Promise<number> {
  await Promise.all(streams.map((stream) => stream.open()));
  await delay(500);
  const before = server.cpu();
  await delay(SECONDS * 1_000);
  const used = server.cpu() - before;
  for (const stream of streams) stream.close();
  await delay(500);
  return used / 1_000 / SECONDS;
}

/** Bytes of events between two reads, for one listener. */
async function bytesARead(stream: LiveStream): Promise<number> {
  await stream.open();
  const before = stream.bytes;
  await delay(SECONDS * 1_000);
  stream.close();
  return Math.round(((stream.bytes - before) * EVERY_MS) / 1_000 / SECONDS);
}

/**
 * Measures what listeners cost a web process that has nothing else to do, while clicks are counted, and a bare server
 * that writes the same bytes.
 */
export async function measureIdleCost(
  web: BenchProcess,
  barePort: number,
  listeners: (url: string) => LiveStream[],
): Promise<void> {
  const [first] = listeners(web.url);
  const bytes = first ? await bytesARead(first) : 0;
  const bare = await BenchProcess.start({
    script: join(__dirname, 'bare-live-server.js'),
    port: barePort,
    env: { BYTES: String(bytes), EVERY_MS: String(EVERY_MS) },
  });
  const rounds: { alone: number; heard: number; bare: number }[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const alone = await measure(web, []);
    const heard = await measure(web, listeners(web.url));
    const reference = (await measure(bare, listeners(bare.url))) - (await measure(bare, []));
    // The first round warms up the JIT and the caches.
    if (round >= 0) rounds.push({ alone, heard, bare: reference });
  }
  await bare.stop();
  const shown = (times: readonly number[]) =>
    `${median(times).toFixed(1)} (${times.map((time) => time.toFixed(1)).join(', ')})`;
  const costs = rounds.map(({ alone, heard }) => heard - alone);
  console.log(
    `CPU of the web process without visits, in ms a second: ${shown(rounds.map(({ alone }) => alone))} without ` +
      `listeners, ${shown(costs)} more with them`,
  );
  console.log(
    `node:http that writes the same ${bytes} bytes a listener every ${EVERY_MS} ms: ` +
      `${shown(rounds.map((round) => round.bare))} ms a second`,
  );
}
