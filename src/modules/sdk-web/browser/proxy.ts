import { isNotMember, isOwn, type Answer } from './answer';

const TIMEOUT_MS = 10_000;
/** Browsers let go of a page's last requests up to 64 KiB. */
const KEEPALIVE_BYTES = 16_000;
const TOO_LARGE = 413;
/** What stays wrong however often it is sent. */
const FOR_GOOD = [400, 404, 409, 415, 422];
/** What another minute may change: a limit, a server that restarts. */
const LATER = [408, 425, 429];

/** The call was answered, and not taken. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    private readonly answer: Answer,
    message: string,
  ) {
    super(message);
  }

  /** Whether a repetition would be refused, too. Of a fault on the way nobody knows, unless the call is too large. */
  get isFinal(): boolean {
    return this.status === TOO_LARGE || (this.isOwn && FOR_GOOD.includes(this.status));
  }

  get isUnknownSession(): boolean {
    return this.isOwn && this.answer.message === 'Session not found';
  }

  /** The proxy does not let this page speak for the member whom the call names. */
  get isNotMember(): boolean {
    return isNotMember(this.status, this.answer);
  }

  private get isOwn(): boolean {
    return isOwn(this.status, this.answer);
  }
}

/** The cross-platform API behind the customer's own server, which holds the key. */
export class Proxy {
  private readonly api: string;
  private readonly warned = new Set<string>();
  /** The proxy speaks for another app: nothing more is sent through it. */
  private foreign: Error | null = null;

  constructor(
    private readonly proxyUrl: string,
    private readonly appId: number,
    private readonly credentials: RequestCredentials,
  ) {
    this.api = `${proxyUrl.replace(/\/+$/, '')}/api/v1/cross-platform`;
  }

  /** Why nothing is sent any more; null while all is well. */
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

  /** @throws Refused; another error when nothing of use came back, and the call is worth repeating */
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

  /** @throws unless Waypost has taken the call for this app */
  private check({ status, ok, headers }: Response, answer: Answer): void {
    const { appId, message } = answer;
    if (!isOwn(status, answer)) {
      const type = headers.get('Content-Type') ?? 'no content';
      const text = `${this.proxyUrl} does not answer as Waypost does (${String(status)}, ${type}). Is proxyUrl right?`;
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

  /** Once of each kind on a page: it is the developer who can mend it. */
  private warn(kind: string, text: string): void {
    if (this.warned.has(kind)) return;
    this.warned.add(kind);
    console.warn(`[Waypost] ${text}`);
  }
}
