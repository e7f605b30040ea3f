import { Client, type Dispatcher, type buildConnector } from 'undici';
import { checkedConnectors } from './connect';
import { HostAddresses } from './host-addresses';
import { OutgoingError, type OutgoingAnswer, type OutgoingRequest, type OutgoingResult } from './outgoing';
import { problemOf } from './outgoing-problem';
import { nextHop, parseTarget } from './outgoing-url';

const DEFAULT_PORTS = [80, 443];
const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_MAX_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;

export interface OutgoingOptions {
  /** Whether any address and port is allowed (OUTBOUND_ALLOW_PRIVATE). */
  allowPrivate: boolean;
  /** DNS_SERVERS; empty means those of the system. */
  dnsServers: readonly string[];
  /** Allowed ports while private addresses are forbidden; default 80 and 443. */
  ports?: readonly number[];
  /** CA certificates to trust instead of the default ones. */
  ca?: string;
}

/**
 * HTTP client for hosts named by customers: destinations, their domains, webhook receivers
 * (docs/security.md#outgoing-calls). For every connection, including redirects, it resolves the host itself, rejects
 * non-public addresses, and connects to the address it has checked. Size and time are limited, and certificates are
 * verified.
 */
export class OutgoingClient {
  private readonly connectorOf: (call: AbortSignal) => buildConnector.connector;
  private readonly ports: readonly number[] | null;

  constructor(options: OutgoingOptions) {
    this.ports = options.allowPrivate ? null : (options.ports ?? DEFAULT_PORTS);
    const addresses = new HostAddresses(options.dnsServers, options.allowPrivate);
    this.connectorOf = checkedConnectors(addresses, options.ca);
  }

  /** Whether a request to the URL is allowed as far as the URL shows: scheme, credentials and port. */
  mayCall(url: string): boolean {
    try {
      parseTarget(url, this.ports);
      return true;
    } catch {
      return false;
    }
  }

  /** Sends a request. Never rejects: failures are part of the result. */
  async request(request: OutgoingRequest): Promise<OutgoingResult> {
    // Not AbortSignal.any([AbortSignal.timeout(ms), signal]): Node 20 may lose that timeout during garbage collection.
    const limit = new AbortController();
    const end = () => limit.abort();
    const timer = setTimeout(end, request.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    request.signal?.addEventListener('abort', end);
    if (request.signal?.aborted) end();
    try {
      return await this.follow(request, limit.signal);
    } catch (error) {
      const problem = limit.signal.aborted ? 'TIMEOUT' : problemOf(error);
      const message = error instanceof Error ? error.message : String(error);
      return {
        ok: false,
        problem,
        message: problem === 'TIMEOUT' ? 'No complete response in time' : message,
      };
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', end);
    }
  }

  private async follow(request: OutgoingRequest, timeout: AbortSignal): Promise<OutgoingAnswer> {
    const method = request.method ?? 'GET';
    const limit = method === 'GET' || method === 'HEAD' ? (request.maxRedirects ?? 0) : 0;
    let hop = { url: parseTarget(request.url, this.ports), headers: request.headers ?? {} };
    for (let redirects = 0; ; redirects++) {
      const answer = await this.send(request, hop.url, hop.headers, timeout);
      const next = limit > 0 ? nextHop(answer, hop, this.ports) : null;
      if (!next) return answer;
      if (redirects === limit) {
        throw new OutgoingError('TOO_MANY_REDIRECTS', `More than ${limit} redirects`);
      }
      hop = next;
    }
  }

  /** Sends a request on a connection of its own, so that no connection is reused without checks. */
  private async send(
    request: OutgoingRequest,
    url: URL,
    headers: Readonly<Record<string, string>>,
    timeout: AbortSignal,
  ): Promise<OutgoingAnswer> {
    const client = new Client(url.origin, {
      connect: this.connectorOf(timeout),
      pipelining: 0,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Disabled, because the abort signal is the only timeout.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    // undici's `signal` does not abort a request that still waits for its connection.
    const giveUp = () => void client.destroy(new OutgoingError('TIMEOUT', 'No complete response in time'));
    timeout.addEventListener('abort', giveUp);
    try {
      timeout.throwIfAborted();
      const answer = await client.request({
        method: request.method ?? 'GET',
        path: `${url.pathname}${url.search}`,
        headers: { 'user-agent': 'Waypost/1', 'accept-encoding': 'identity', ...lowerCased(headers) },
        body: request.body ?? null,
      });
      const { body, cut } = await readBody(answer, request);
      return { ok: true, status: answer.statusCode, headers: answer.headers, body, cut, url: url.href };
    } finally {
      timeout.removeEventListener('abort', giveUp);
      // Closes the connection even if the peer keeps sending or never accepts it.
      if (!client.destroyed) void client.destroy();
    }
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

async function readBody(
  answer: Dispatcher.ResponseData,
  request: OutgoingRequest,
): Promise<Pick<OutgoingAnswer, 'body' | 'cut'>> {
  const max = request.maxBytes ?? DEFAULT_MAX_BYTES;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > max) break;
  }
  if (size > max && request.beyondMaxBytes !== 'cut') {
    throw new OutgoingError('TOO_LARGE', `The response is larger than ${max} bytes`);
  }
  return { body: Buffer.concat(chunks).subarray(0, max), cut: size > max };
}
