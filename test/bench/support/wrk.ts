import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isOnPath } from '../../support/servers';
import { type BenchProcess, onCore, OTHER_CORE } from './processes';

/** What one run of wrk measured. */
export interface WrkResult {
  /** Answered requests. */
  requests: number;
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Failed or timed-out connections, and responses with status 400 or above. */
  errors: number;
}

export interface WrkLoad {
  url: string;
  seconds: number;
  connections: number;
  /** Lua script with `request()`, and `delay()` for less than full load. */
  script: string;
}

const DONE = `
function done(summary, latency, requests)
  local e = summary.errors
  io.write(string.format("\\nRESULT %d %f %f %f %d\\n", summary.requests, summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, e.connect + e.read + e.write + e.timeout + e.status))
end`;

/** Runs wrk with one thread on the other core than the server. @throws when wrk is not installed */
export async function runWrk({ url, seconds, connections, script }: WrkLoad): Promise<WrkResult> {
  if (!isOnPath('wrk')) throw new Error("The benchmark needs wrk on PATH: Debian's package is called wrk");
  const folder = mkdtempSync(join(tmpdir(), 'waypost-bench-'));
  const file = join(folder, 'load.lua');
  writeFileSync(file, script + DONE);
  const load = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '5s', '-s', file, url];
  const [command, args] = onCore(OTHER_CORE, 'wrk', load);
  try {
    const { stdout } = await promisify(execFile)(command, args);
    const [, requests, rate, p50, p99, errors] = /RESULT (\S+) (\S+) (\S+) (\S+) (\S+)/.exec(stdout) ?? [];
    return {
      requests: Number(requests),
      requestsPerSecond: Number(rate),
      p50: Number(p50),
      p99: Number(p99),
      errors: Number(errors),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** A script that visits `links` links from number `from` on in turn, each time as another visitor. */
export function visiting(links: number, from = 0): string {
  return `
local n = -1
function request()
  n = n + 1
  return wrk.format("GET", string.format("/l%06d", ${from} + n % ${links}), {
    ["Host"] = "localhost",
    ["User-Agent"] = "${USER_AGENT}",
    ["X-Forwarded-For"] = string.format("198.%d.%d.%d", math.floor(n / 65536) % 256, math.floor(n / 256) % 256, n % 256),
  })
end`;
}

/** A result with the server's CPU time per request. */
export interface Measured extends WrkResult {
  cpuMicros: number;
}

/** Runs wrk against a server. @throws when a request failed */
export async function measure(server: BenchProcess, load: Omit<WrkLoad, 'url'>): Promise<Measured> {
  const before = server.cpu();
  const result = await runWrk({ ...load, url: server.url });
  if (result.errors > 0) throw new Error(`${server.url}: ${result.errors} requests failed`);
  return { ...result, cpuMicros: (server.cpu() - before) / result.requests };
}

export function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? NaN;
}

export const median = (values: readonly number[]) => percentile(values, 0.5);
