import { Inject, Injectable } from '@nestjs/common';
import type { OutgoingAnswer, OutgoingProblem, OutgoingResult } from '../../common/outgoing/outgoing';
import { OutgoingClient } from '../../common/outgoing/outgoing-client';
import { locationOf } from '../../common/outgoing/outgoing-url';
import { KeyedMutex } from '../../common/keyed-mutex';
import { Config } from '../../config/config';
import type { HealthProblem } from '../tracked-links/health/tracked-link-health';

const MAX_REDIRECTS = 5;
const TIMEOUT_MS = { HEAD: 5_000, GET: 10_000 } as const;
/** Bytes of a body that are read, which suffice to show that the host sends one. */
const MAX_BYTES = 1024;

/** Checks whether destinations work, by requesting them (docs/concepts/links.md#health). */
@Injectable()
export class DestinationAsker {
  private readonly hosts = new KeyedMutex();
  private readonly userAgent: string;

  constructor(
    private readonly client: OutgoingClient,
    @Inject(Config) { baseUrl }: Pick<Config, 'baseUrl'>,
  ) {
    this.userAgent = `Waypost-Health/1 (+${baseUrl})`;
  }

  /** Whether the destination can be requested: not on ports that the service does not call. */
  canAsk(url: string): boolean {
    return this.client.mayCall(url);
  }

  /**
   * @param stop aborts the check; its result is then meaningless
   * @returns why the destination does not work, or null
   */
  async problemOf(url: string, stop: AbortSignal): Promise<HealthProblem | null> {
    const head = await this.follow('HEAD', url, stop);
    // Many servers do not support HEAD correctly, so only a failed GET means that a destination does not work.
    const result = stop.aborted || !isDoubtful(head) ? head : await this.follow('GET', url, stop);
    return result.ok ? problemOfAnswer(result) : PROBLEMS[result.problem];
  }

  /** Follows redirects one by one, so that no host gets two requests at once, whatever the original destination. */
  private async follow(method: 'HEAD' | 'GET', from: string, stop: AbortSignal): Promise<OutgoingResult> {
    let url = from;
    let timeoutMs: number = TIMEOUT_MS[method];
    for (let redirects = 0; ; redirects++) {
      const result = await this.hosts.run(hostOf(url), async () => {
        const startedAt = performance.now();
        const answer = await this.send(method, url, timeoutMs, stop);
        timeoutMs = Math.max(1, Math.ceil(timeoutMs - (performance.now() - startedAt)));
        return answer;
      });
      const location = result.ok ? locationOf(result) : null;
      if (location === null) return result;
      url = URL.parse(location, url)?.href ?? location;
      // Such as an app's custom scheme, which only the visitor's device can open.
      if (!this.client.mayCall(url)) return result;
      if (redirects === MAX_REDIRECTS) {
        return { ok: false, problem: 'TOO_MANY_REDIRECTS', message: `More than ${MAX_REDIRECTS} redirects` };
      }
    }
  }

  private send(
    method: 'HEAD' | 'GET',
    url: string,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<OutgoingResult> {
    return this.client.request({
      url,
      method,
      headers: { 'User-Agent': this.userAgent },
      timeoutMs,
      maxBytes: MAX_BYTES,
      beyondMaxBytes: 'cut',
      signal,
    });
  }
}

/** The host of a URL, by which concurrent requests are excluded; null if it is not a URL. */
export function hostOf(url: string): string | null {
  return URL.parse(url)?.hostname ?? null;
}

/** Statuses of hosts that work but refuse programs, anonymous or foreign visitors. */
const SELECTIVE = new Set([401, 402, 403, 407, 429, 451]);

function isReachable(status: number): boolean {
  return (status >= 200 && status < 300) || SELECTIVE.has(status) || status >= 600;
}

/** Failures that are the same for every method. */
const SAME_FOR_GET = new Set<OutgoingProblem>([
  'HOST_NOT_FOUND',
  'DNS_FAILED',
  'TLS_FAILED',
  'NOT_ALLOWED',
  'INVALID_URL',
  'TOO_MANY_REDIRECTS',
]);

function isDoubtful(head: OutgoingResult): boolean {
  return head.ok ? head.status >= 400 && !isReachable(head.status) : !SAME_FOR_GET.has(head.problem);
}

function problemOfAnswer(answer: OutgoingAnswer): HealthProblem | null {
  const { status } = answer;
  if (isReachable(status) || locationOf(answer) !== null) return null;
  if (status >= 500) return 'SERVER_ERROR';
  if (status === 408) return 'TIMEOUT';
  if (status === 404 || status === 410) return 'NOT_FOUND';
  return status >= 400 ? 'CLIENT_ERROR' : 'BAD_ANSWER';
}

const PROBLEMS: Readonly<Record<OutgoingProblem, HealthProblem>> = {
  INVALID_URL: 'NOT_ALLOWED',
  INVALID_REQUEST: 'NOT_ALLOWED',
  NOT_ALLOWED: 'NOT_ALLOWED',
  HOST_NOT_FOUND: 'DNS',
  DNS_FAILED: 'DNS',
  CONNECT_FAILED: 'CONNECTION',
  TLS_FAILED: 'TLS',
  BAD_ANSWER: 'BAD_ANSWER',
  TIMEOUT: 'TIMEOUT',
  TOO_LARGE: 'BAD_ANSWER',
  TOO_MANY_REDIRECTS: 'REDIRECT_LOOP',
};
