import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

export interface AnswerHead {
  status: number;
  location: string | null;
}

/** A response that is not sent; only its status and Location are kept. */
export class TracedResponse extends ServerResponse {
  /** Resolves at the end of the response, and rejects if it is aborted. */
  readonly answer: Promise<AnswerHead>;
  private readonly head: AnswerHead = { status: 0, location: null };
  private resolve!: (head: AnswerHead) => void;
  private reject!: (error: Error) => void;

  /** @param url path and query */
  constructor(url: string, headers: IncomingMessage['headers']) {
    super(Object.assign(new IncomingMessage(new Socket()), { method: 'HEAD', url, headers }));
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  override writeHead(status: number, ...given: unknown[]): this {
    this.head.status = status;
    this.head.location = locationIn(given.at(-1));
    return this;
  }

  override end(): this {
    this.resolve(this.head);
    return this;
  }

  override destroy(error?: Error): this {
    this.fail(error);
    return this;
  }

  fail(error: unknown): void {
    this.reject(error instanceof Error ? error : new Error('The response broke off'));
  }
}

/** @param headers as passed to `writeHead`: a list of names and values, or an object */
function locationIn(headers: unknown): string | null {
  const pairs = Array.isArray(headers)
    ? headers.map((name, i): [unknown, unknown] => [name, headers[i + 1]]).filter((_, i) => i % 2 === 0)
    : Object.entries(headers ?? {});
  const [, location] = pairs.find(([name]) => name === 'Location') ?? [];
  return typeof location === 'string' ? location : null;
}
