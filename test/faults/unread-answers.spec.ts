import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { within } from '../support/eventually';
import type { Service } from './service';
import { links, Stage } from './stage';

const CONNECTIONS = 10;
const MEGABYTE = 1_000_000;
const SENT_EACH = 50 * MEGABYTE;
/** Kernel buffers of a connection on both sides, and the requests whose responses they hold. */
const TAKEN_EACH = 25 * MEGABYTE;
const HEAP_MB = 512;
/** Memory outside the heap: code, threads, socket buffers. */
const BESIDE_HEAP_MB = 400;

/** Sends requests without ever reading a response. */
class Hoarder {
  taken = 0;
  ended = false;
  private readonly socket: Socket;
  private requests = 0;

  /** @param pathOf path of the nth request */
  constructor(
    port: number,
    private readonly pathOf: (n: number) => string,
  ) {
    this.socket = connect(port, '127.0.0.1').pause();
    this.socket.on('error', () => undefined);
    this.socket.once('close', () => (this.ended = true));
    this.send();
  }

  end(): void {
    this.socket.destroy();
  }

  private send(): void {
    if (this.ended || this.taken >= SENT_EACH) return;
    let block = '';
    while (block.length < 64_000) {
      block += `GET ${this.pathOf(this.requests++)} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    }
    this.socket.write(block, (error) => {
      if (error) return;
      this.taken += block.length;
      this.send();
    });
  }
}

describe('Clients that read no responses', () => {
  const stage = new Stage();
  jest.setTimeout(360_000);
  afterAll(() => stage.clear());

  it('use little memory, delay no other client, and are disconnected', async () => {
    const service = await stage.service({
      DATABASE_URL: await stage.database(),
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
    });
    const [link] = await links(service, 1);
    const before: number[] = [];
    while (before.length < 200) before.push(await visit(service, `/${link?.code}`));
    // Side by side, as each waits half a minute for stalled writes to be noticed.
    const hoarders = [
      () => `/${link?.code}`,
      (n: number) => `/nothing-${randomUUID().slice(0, 8)}-${n}`,
      () => '/api/v1/service/urls',
    ].flatMap((pathOf) => Array.from({ length: CONNECTIONS }, () => new Hoarder(service.port, pathOf)));
    const waits: number[] = [];
    let largest = 0;
    try {
      await within(300, async () => {
        waits.push(await visit(service, `/${link?.code}`));
        largest = Math.max(largest, residentMb(service));
        expect(hoarders.filter(({ ended }) => !ended).length).toBe(0);
      });
    } finally {
      for (const hoarder of hoarders) hoarder.end();
    }
    process.stdout.write(
      `${Math.max(...hoarders.map(({ taken }) => taken)) / MEGABYTE} MB sent to one connection at most, ` +
        `${largest} MB resident, p99 of other visits ${p99(waits)} ms, before ${p99(before)} ms\n`,
    );
    for (const { taken } of hoarders) expect(taken).toBeLessThan(TAKEN_EACH);
    expect(largest).toBeLessThan(HEAP_MB + BESIDE_HEAP_MB);
    expect(await visit(service, `/${link?.code}`)).toBeGreaterThan(0);
  });
});

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Follows a link. @returns milliseconds until the response */
async function visit({ port }: Service, path: string): Promise<number> {
  const sentAt = performance.now();
  const sent = get({ port, path, agent, host: '127.0.0.1', headers: { Host: 'localhost' } });
  const [answer] = (await once(sent, 'response')) as [{ statusCode: number; resume(): void }];
  const took = performance.now() - sentAt;
  answer.resume();
  expect(answer.statusCode).toBe(302);
  await delay(5);
  return took;
}

function p99(waits: readonly number[]): string {
  const sorted = waits.toSorted((a, b) => a - b);
  return `${sorted[Math.floor(sorted.length * 0.99)]?.toFixed(1)} (${sorted.length})`;
}

function residentMb({ pid }: Service): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
