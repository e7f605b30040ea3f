import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { BenchStores, runBench, until } from './support/stores';
import { median } from './support/wrk';

/*
 * Measures the cost of answering a redirect only after a replica of Redis has its click: appends as the web process
 * sends them, one after the other, without and with WAIT in the same message. CPU is that of the sender.
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const APPENDS = 2_000;
/** About one click. */
const LINE = 'x'.repeat(300);

interface Round {
  /** Milliseconds. */
  p50: number;
  /** Microseconds an append. */
  cpu: number;
}

async function measure(append: () => Promise<unknown>): Promise<Round> {
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let n = 0; n < APPENDS; n++) {
    const startedAt = performance.now();
    await append();
    times.push(performance.now() - startedAt);
  }
  const { user, system } = process.cpuUsage(before);
  return { p50: median(times), cpu: (user + system) / APPENDS };
}

async function main(stores: BenchStores): Promise<void> {
  const master = new Redis(await stores.redis());
  const replica = new Redis(await stores.redis());
  await replica.replicaof('127.0.0.1', Number(master.options.port));
  await until(async () => /master_link_status:up/.test(await replica.info('replication')), 60, 'No replica');
  const kinds = [
    { name: '`XADD`', append: () => master.xadd('stream', '*', 'c', LINE) },
    {
      name: '`XADD` and `WAIT 1 100` in one message',
      append: () => master.pipeline().xadd('stream', '*', 'c', LINE).call('WAIT', 1, 100).exec(),
    },
  ].map((kind) => ({ ...kind, rounds: [] as Round[] }));
  // The first round of each compiles code.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { append, rounds } of kinds) {
      const result = await measure(append);
      if (round > 0) rounds.push(result);
      await delay(200);
    }
  }
  console.log('| commands of an append | p50, ms | CPU of the sender, µs |\n| --- | --- | --- |');
  for (const { name, rounds } of kinds) {
    const of = (figures: number[], digits: number) => figures.map((each) => each.toFixed(digits)).join(', ');
    const [p50, cpu] = [rounds.map((round) => round.p50), rounds.map((round) => round.cpu)];
    console.log(`| ${name} | ${of(p50, 2)} | ${of(cpu, 0)} |`);
  }
  for (const redis of [master, replica]) redis.disconnect();
}

runBench(main);
