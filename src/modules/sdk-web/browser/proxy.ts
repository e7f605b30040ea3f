const TIMEOUT_MS = 10_000;
/** Browsers let go of a page's last requests up to 64 KiB. */
const KEEPALIVE_BYTES = 16_000;
/** What stays wrong however often it is sent. */
const FOR_GOOD = [400, 404, 409, 413, 415, 422];

/** The server has answered, and does not take it. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }

  get isFinal(): boolean {
    return FOR_GOOD.includes(this.status);
  }
}

/** The cross-platform API behind the customer's own server, which holds the key. */
export class Proxy {
  private readonly api: string;

  constructor(
    proxyUrl: string,
    private readonly credentials: RequestCredentials,
  ) {
    this.api = `${proxyUrl.replace(/\/+$/, '')}/api/v1/cross-platform`;
  }

  get<T>(path: string): Promise<T> {
    return this.call<T>(path, { method: 'GET' });
  }

  post<T>(path: string, body: object): Promise<T> {
    const text = JSON.stringify(body);
    return this.call<T>(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: text,
      keepalive: text.length < KEEPALIVE_BYTES,
    });
  }

  /** @throws Refused; another error when nothing of use came back, and the call is worth repeating */
  private async call<T>(path: string, options: RequestInit): Promise<T> {
    const { credentials } = this;
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), TIMEOUT_MS);
    try {
      const response = await fetch(this.api + path, { ...options, credentials, signal: stop.signal });
      const body = (await response.json().catch(() => null)) as T | Problem | null;
      if (!response.ok) throw new Refused(response.status, problemOf(response.status, body));
      // A page of HTML, say: that of a login.
      if (typeof body !== 'object' || body === null) throw new Error('The proxy did not answer with JSON');
      return body as T;
    } finally {
      clearTimeout(timer);
    }
  }
}

interface Problem {
  message?: unknown;
  error?: unknown;
}

function problemOf(status: number, body: unknown): string {
  const { message, error } = Object(body) as Problem;
  const text = [message, error, 'Refused'].find((each) => typeof each === 'string');
  return `${text ?? ''} (${String(status)})`;
}
