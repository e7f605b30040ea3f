import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A web site for tests, with pages by path and a log of requests. */
export class PagesServer {
  readonly requests: { path: string; userAgent: string }[] = [];
  private readonly pages = new Map<string, Answer>();

  private readonly server = createServer((request, response) => {
    const path = request.url ?? '/';
    this.requests.push({ path, userAgent: request.headers['user-agent'] ?? '' });
    const answer = this.pages.get(path);
    if (answer) answer(request, response);
    else response.writeHead(404, { 'Content-Type': 'text/html' }).end('<title>Not here</title>');
  });

  static async start(): Promise<PagesServer> {
    const pages = new PagesServer();
    await pages.listen();
    return pages;
  }

  listen(): Promise<void> {
    return new Promise((done) => this.server.listen(0, '127.0.0.1', done));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as { port: number }).port}`;
  }

  /** Number of requests for a path. */
  asked(path: string): number {
    return this.requests.filter((request) => request.path === path).length;
  }

  on(path: string, answer: Answer): void {
    this.pages.set(path, answer);
  }

  html(path: string, html: string | Buffer, headers: Record<string, string> = {}): void {
    this.on(path, (_request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers }).end(html),
    );
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

/** The web site of a suite, which listens from before its tests until after them. */
export function usePagesServer(): PagesServer {
  const pages = new PagesServer();
  beforeAll(() => pages.listen());
  afterAll(() => pages.close());
  return pages;
}
