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
  /** OUTBOUND_ALLOW_PRIVATE: any address, any port. */
  allowPrivate: boolean;
  /** DNS_SERVERS; empty: those of the system. */
  dnsServers: readonly string[];
  /** Ports that are called when private addresses are not; default 80 and 443. */
  ports?: readonly number[];
  /** Certificates to trust instead of the usual ones. */
  ca?: string;
}

/**
 * Calls what customers name (docs/security.md#outgoing-calls): destinations, their domains, their webhook receivers. It
 * resolves the host itself, refuses addresses that are not of the internet, and connects to the address that it has
 * checked, for every connection, those of redirects included. Size and time are capped, certificates checked.
 */
export class OutgoingClient {
  private readonly connectorOf: (call: AbortSignal) => buildConnector.connector;
  private readonly ports: readonly number[] | null;

  constructor(options: OutgoingOptions) {
    this.ports = options.allowPrivate ? null : (options.ports ?? DEFAULT_PORTS);
    const addresses = new HostAddresses(options.dnsServers, options.allowPrivate);
    this.connectorOf = checkedConnectors(addresses, options.ca);
  }

  /** Never rejects: what went wrong is in the result. */
  async request(request: OutgoingRequest): Promise<OutgoingResult> {
    const timeout = AbortSignal.timeout(request.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    try {
      return await this.follow(request, timeout);
    } catch (error) {
      const problem = timeout.aborted ? 'TIMEOUT' : problemOf(error);
      const message = error instanceof Error ? error.message : String(error);
      return { ok: false, problem, message: problem === 'TIMEOUT' ? 'No whole answer in time' : message };
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

  /** One request on a connection of its own, which it closes: none is used twice without a check. */
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
      // The signal is the one clock.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    // undici's own `signal` does not end a request that still waits for its connection.
    const giveUp = () => void client.destroy(new OutgoingError('TIMEOUT', 'No whole answer in time'));
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
      // Also from a peer that would go on sending, or never takes the connection.
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
    throw new OutgoingError('TOO_LARGE', `The answer is larger than ${max} bytes`);
  }
  return { body: Buffer.concat(chunks).subarray(0, max), cut: size > max };
}
