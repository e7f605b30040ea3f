import { Agent, request } from 'node:http';

export interface RawAnswer {
  status: number;
  /** The body parsed as JSON, or undefined. */
  body: unknown;
}

/** Sends path and body unmodified, over keep-alive connections because fuzzing sends thousands of requests. */
export class RawHttp {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 8 });

  constructor(
    private readonly origin: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const all = {
        ...this.headers,
        ...headers,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      };
      const sent = request(
        this.origin,
        {
          method,
          path,
          agent: this.agent,
          headers: { ...all, 'Content-Length': Buffer.byteLength(body ?? '') },
        },
        (answer) => {
          // A stream of events does not end.
          if (answer.headers['content-type']?.startsWith('text/event-stream')) {
            answer.destroy();
            resolve({ status: answer.statusCode ?? 0, body: undefined });
            return;
          }
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            const isJson = answer.headers['content-type']?.startsWith('application/json') && text !== '';
            resolve({
              status: answer.statusCode ?? 0,
              body: isJson ? (JSON.parse(text) as unknown) : undefined,
            });
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
