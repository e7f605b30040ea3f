import { readFileSync } from 'node:fs';
import { Stage } from '../faults/stage';
import { createOrganization } from '../support/factories';
import { Fuzzer } from '../support/fuzzer';
import { codeOf, createLink } from '../support/links';
import { seeded } from '../support/random';
import { randomVisit, statusOf } from '../support/random-visits';
import { freePort, sharedRedisUrl } from '../support/servers';
import { API_HOST, CONSOLE_TOKEN, SHORT_HOST, useTestApp } from '../support/test-app';

/** TRIAL_SECONDS sends a million inputs, and compares memory. */
const LONG = process.env.TRIAL_SECONDS !== undefined;
const INPUTS = LONG ? 1_000_000 : 2_000;
/** Share of inputs after which code is compiled, and caches are full. */
const WARM_UP = 0.1;
const CONNECTIONS = 8;
const LINKS = 50;
/** Inputs between two lines of progress. */
const PROGRESS = 50_000;

describe('a process that is sent hostile inputs', () => {
  const app = useTestApp({ redis: true });
  const stage = new Stage();
  jest.setTimeout(LONG ? 4 * 3_600_000 : 300_000);
  afterEach(() => stage.clear());

  it('answers none with a 5xx, and its memory stays', async () => {
    const { url, redisPrefix } = app.database;
    const operationsPort = String(await freePort());
    const service = await stage.service({
      DATABASE_URL: url,
      REDIS_URL: sharedRedisUrl(),
      REDIS_PREFIX: redisPrefix,
      BASE_URL: `http://${API_HOST}`,
      SHORT_URL_BASE: `http://${SHORT_HOST}`,
      OPERATIONS_PORT: operationsPort,
      CONSOLE_TOKEN,
      OUTBOUND_ALLOW_PRIVATE: 'true',
    });
    const memory = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]);
    const organization = await createOrganization(app);
    const codes = await Promise.all(
      Array.from({ length: LINKS }, async () => codeOf(await createLink(organization))),
    );
    const fuzzer = await Fuzzer.make(app, service.url);
    const failures: string[] = [];
    const answers = new Map<number, number>();
    let sent = 0;
    const report = () => {
      const byStatus = Object.fromEntries([...answers].toSorted(([a], [b]) => a - b));
      // Not by the console, which jest prints at the end.
      process.stderr.write(
        `${sent} hostile inputs; ${Math.round(memory() / 1024)} MiB; answers ${JSON.stringify(byStatus)}\n`,
      );
    };
    const note = (status: number, what: () => string) => {
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if (++sent % PROGRESS === 0) report();
      if (status >= 500) failures.push(`${status}: ${what()}`);
    };

    const visits = async (count: number, seed: number) => {
      const random = seeded(seed);
      for (let i = 0; i < count; i++) {
        const visit = randomVisit(random, SHORT_HOST, codes);
        note(await statusOf(service.port, visit), () => visit.toString('latin1').slice(0, 500));
      }
    };
    const calls = async (runs: number) => {
      for (const route of fuzzer.routes) {
        await fuzzer.sendRandom(route, runs, (status) => note(status, () => route.operationId));
      }
    };
    const send = async (inputs: number) => {
      const half = inputs / 2;
      const seed = answers.size + inputs;
      const visiting = Array.from({ length: CONNECTIONS }, (_, i) => visits(half / CONNECTIONS, seed + i));
      await Promise.all([...visiting, calls(Math.ceil(half / fuzzer.routes.length))]);
    };

    await send(INPUTS * WARM_UP);
    const start = memory();
    await send(INPUTS * (1 - WARM_UP));
    const end = memory();
    fuzzer.close();
    report();
    console.log(`Memory ${Math.round(start / 1024)} MiB, then ${Math.round(end / 1024)} MiB`);
    expect(failures).toEqual([]);
    expect(await fetch(`http://127.0.0.1:${operationsPort}/health/live`).then(({ status }) => status)).toBe(
      200,
    );
    if (LONG) expect(end).toBeLessThan(start * 1.2);
  });
});
