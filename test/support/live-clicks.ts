import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { API_HOST, CONSOLE_TOKEN } from './test-app';

export interface LiveEvent {
  name: string;
  id: string | null;
  data: string;
}

interface LiveClick {
  id: number;
  [field: string]: unknown;
}

export interface StreamOptions {
  /** Key of the Service API; absent: the platform token, for the Console API of `organizationId`. */
  apiKey?: string;
  organizationId?: number;
  /** Default: API_HOST. */
  host?: string;
  query?: string;
  lastEventId?: string;
}

/** A client of the stream of live clicks, like EventSource, except that it reconnects only on request. */
export class LiveStream {
  readonly events: LiveEvent[] = [];
  /** Clicks received, in order. */
  readonly clicks: LiveClick[] = [];
  /** Number of comments received. */
  beats = 0;
  ended = false;
  lastEventId = '';
  private text = '';

  private constructor(
    readonly response: IncomingMessage,
    private readonly request: ClientRequest,
  ) {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.take(chunk));
    response.on('error', () => undefined);
    response.on('close', () => (this.ended = true));
  }

  static open(
    url: string,
    { apiKey, organizationId = 0, host = API_HOST, query = '', lastEventId }: StreamOptions,
  ): Promise<LiveStream> {
    const headers = {
      Host: host,
      ...(apiKey === undefined ? { Authorization: `Bearer ${CONSOLE_TOKEN}` } : { 'X-API-KEY': apiKey }),
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    };
    const api = apiKey === undefined ? `console/organizations/${organizationId}` : 'service';
    return new Promise((resolve, reject) => {
      const request = get(`${url}/api/v1/${api}/clicks/live${query}`, { headers, agent: false }, (response) =>
        resolve(new LiveStream(response, request)),
      ).on('error', reject);
    });
  }

  get clickIds(): number[] {
    return this.clicks.map(({ id }) => id);
  }

  named(name: string): LiveEvent[] {
    return this.events.filter((event) => event.name === name);
  }

  close(): void {
    this.request.destroy();
  }

  /** Reads complete events; one that was cut off by the end of the connection does not count. */
  private take(chunk: string): void {
    this.text += chunk;
    for (let end = this.text.indexOf('\n\n'); end !== -1; end = this.text.indexOf('\n\n')) {
      this.dispatch(this.text.slice(0, end).split('\n'));
      this.text = this.text.slice(end + 2);
    }
  }

  private dispatch(lines: readonly string[]): void {
    const field = (name: string) =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    const id = field('id') ?? null;
    if (id !== null) this.lastEventId = id;
    if (lines.some((line) => line.startsWith(':'))) this.beats++;
    const data = field('data');
    if (data === undefined) return;
    const name = field('event') ?? 'message';
    this.events.push({ name, id, data });
    if (name === 'clicks') this.clicks.push(...(JSON.parse(data) as LiveClick[]));
  }
}
