import { isNotMember, isOwn, type Answer } from './answer';

const TIMEOUT_MS = 10_000;
/** A share of the 64 KiB that browsers allow for keepalive requests of a page. */
const KEEPALIVE_BYTES = 16_000;
const TOO_LARGE = 413;
/** Statuses after which a retry is pointless. */
const FOR_GOOD = [400, 404, 409, 415, 422];
/** Statuses worth a retry: a rate limit, a restarting server. */
const LATER = [408, 425, 429];

/** The call was refused. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    private readonly answer: Answer,
    message: string,
  ) {
    super(message);
  }

  /** Whether a retry would be refused as well. Of responses by intermediaries, only 413 is final. */
  get isFinal(): boolean {
    return this.status === TOO_LARGE || (this.isOwn && FOR_GOOD.includes(this.status));
  }

  get isUnknownSession(): boolean {
    return this.isOwn && this.answer.message === 'Session not found';
  }

  /** Whether the proxy refuses because the call is about another member than the one logged in. */
  get isNotMember(): boolean {
    return isNotMember(this.status, this.answer);
  }

  private get isOwn(): boolean {
    return isOwn(this.status, this.answer);
  }
}

/** The cross-platform API behind the customer's proxy, which holds the key. */
export class Proxy {
  private readonly api: string;
  private readonly warned = new Set<string>();
  /** Set if the proxy has the key of another app, in which case nothing more is sent through it. */
  private foreign: Error | null = null;

  constructor(
    private readonly proxyUrl: string,
    private readonly appId: number,
    private readonly credentials: RequestCredentials,
  ) {
    this.api = `${proxyUrl.replace(/\/+$/, '')}/api/v1/cross-platform`;
  }

  /** Why calls fail; null while they succeed. */
  get trouble(): string | null {
    return this.foreign && this.foreign.message;
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

  /** @throws Refused; any other error if there was no usable response and the call is worth retrying */
  private async call<T>(path: string, options: RequestInit): Promise<T> {
    if (this.foreign) throw this.foreign;
    const { credentials } = this;
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), TIMEOUT_MS);
    try {
      const url = `${this.api}${path}?appId=${String(this.appId)}`;
      const response = await fetch(url, { ...options, credentials, signal: stop.signal });
      const body: unknown = await response.json().catch(() => null);
      this.check(response, Object(body) as Answer);
      return body as T;
    } finally {
      clearTimeout(timer);
    }
  }

  /** @throws if Waypost has not accepted the call for this app */
  private check({ status, ok, headers }: Response, answer: Answer): void {
    const { appId, message } = answer;
    if (!isOwn(status, answer)) {
      const type = headers.get('Content-Type') ?? 'no content';
      const text = `${this.proxyUrl} does not respond like Waypost (${String(status)}, ${type}). Is proxyUrl right?`;
      const mayPass = status >= 500 || LATER.includes(status) || isNotMember(status, answer);
      if (!mayPass) this.warn('proxyUrl', text);
      throw ok ? new Error(text) : new Refused(status, answer, text);
    }
    if (typeof appId === 'number' && appId !== this.appId) {
      this.foreign = new Error(
        `appId is ${String(this.appId)}, but ${this.proxyUrl} has the key of app ${String(appId)}`,
      );
      this.warn('appId', this.foreign.message);
      throw this.foreign;
    }
    if (ok) return;
    const text = `${String(message)} (${String(status)})`;
    if (status === 401 || (status === 403 && !isNotMember(status, answer))) this.warn('key', text);
    throw new Refused(status, answer, text);
  }

  /** Warns the developer once per kind and page. */
  private warn(kind: string, text: string): void {
    if (this.warned.has(kind)) return;
    this.warned.add(kind);
    console.warn(`[Waypost] ${text}`);
  }
}
