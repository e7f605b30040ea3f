import { type ClientRequest, get } from 'node:http';
import { until } from './stores';

const CLICK_ID = /"id":(\d+),"clickedAt"/g;

/** A listener to live clicks. Unless it records, it only reads, since the load shares its core. */
export class LiveStream {
  /** Ids of the clicks shown, with the time at which they were. */
  readonly shown: { id: number; at: number }[] = [];
  lastEventId = '';
  isReady = false;
  /** Received since the first connection. */
  bytes = 0;
  private request!: ClientRequest;
  private text = '';

  constructor(
    private readonly url: string,
    private readonly apiKey: string,
    private readonly records: boolean,
  ) {}

  /** Listens, from the last event on if there was one. Resolves once clicks come as they are counted. */
  async open(): Promise<void> {
    this.text = '';
    this.isReady = false;
    this.request = get(`${this.url}/api/v1/service/clicks/live`, {
      agent: false,
      headers: { 'X-API-KEY': this.apiKey, 'Last-Event-ID': this.lastEventId },
    });
    this.request.on('error', () => undefined);
    this.request.on('response', (response) => {
      if (response.statusCode !== 200) throw new Error(`A listener got ${response.statusCode}`);
      response.on('error', () => undefined);
      response.on('data', (chunk: Buffer) => {
        this.bytes += chunk.length;
        if (this.records || !this.isReady) this.take(chunk.toString());
      });
    });
    await until(() => Promise.resolve(this.isReady), 10, 'A listener was not ready');
  }

  close(): void {
    this.request.destroy();
  }

  private take(chunk: string): void {
    const at = Date.now();
    const events = (this.text + chunk).split('\n\n');
    this.text = events.pop() ?? '';
    for (const event of events) {
      this.lastEventId = /^id: (.*)$/m.exec(event)?.[1] ?? this.lastEventId;
      if (/^event: (?:ready|reset)$/m.test(event)) this.isReady = true;
      for (const [, id] of event.matchAll(CLICK_ID)) this.shown.push({ id: Number(id), at });
    }
  }
}
