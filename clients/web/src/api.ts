import { isNotMember, isOwn, type Answer } from './answer';

const TIMEOUT_MS = 10_000;
const LONGEST_PAUSE_MS = 300_000;
/** A share of the 64 KiB that browsers allow for keepalive requests of a page. */
const KEEPALIVE_BYTES = 16_000;
/** Anything else is not sent, because it may not fit into a header. */
const SIGNATURE = /^[\da-f]{64}$/i;
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

  /** Whether the call is refused because nobody has confirmed that its member is logged in. */
  get isNotMember(): boolean {
    return isNotMember(this.status, this.answer);
  }

  private get isOwn(): boolean {
    return isOwn(this.status, this.answer);
  }
}

/** Why there is no API. */
export const NO_KEY = 'publishableKey is missing';

/** Where the cross-platform API is: at Waypost itself, or behind the customer's proxy. */
export interface ApiSettings {
  url: string;
  /** Option that names the URL, for warnings. */
  urlOption: 'apiUrl' | 'proxyUrl';
  /** Null behind a proxy, which has the secret key. */
  publishableKey: string | null;
  credentials: RequestCredentials;
}

/** The cross-platform API. */
export class Api {
  private readonly api: string;
  private readonly headers: Record<string, string>;
  private readonly warned = new Set<string>();
  /** Set if the proxy has the key of another app, in which case nothing more is sent through it. */
  private foreign: Error | null = null;
  /** When calls are taken again, in milliseconds of `performance.now()`. */
  private resumesAt = 0;

  constructor(
    private readonly settings: ApiSettings,
    private readonly appId: number,
  ) {
    const { url, publishableKey } = settings;
    this.api = `${url}/api/v1/cross-platform`;
    this.headers =
      publishableKey === null ? {} : { 'X-App-ID': String(appId), 'X-Mobile-App-API-Key': publishableKey };
  }

  /** Why calls fail; null while they succeed. */
  get trouble(): string | null {
    return this.foreign && this.foreign.message;
  }

  /** Milliseconds until calls are taken again, after too many. */
  get pauseMs(): number {
    return Math.max(0, this.resumesAt - performance.now());
  }

  get<T>(path: string): Promise<T> {
    return this.call<T>(path, { method: 'GET', headers: this.headers });
  }

  /** @param body its `identitySignature` is sent as a header, and to a proxy not at all */
  post<T>(path: string, body: object): Promise<T> {
    const { identitySignature, ...fields } = body as { identitySignature?: string };
    const text = JSON.stringify(fields);
    const isSigned = this.settings.publishableKey !== null && SIGNATURE.test(String(identitySignature));
    return this.call<T>(path, {
      method: 'POST',
      headers: {
        ...this.headers,
        'Content-Type': 'application/json',
        ...(isSigned && { 'X-Identity-Signature': String(identitySignature) }),
      },
      body: text,
      keepalive: text.length < KEEPALIVE_BYTES,
    });
  }

  /** @throws Refused; any other error if there was no usable response and the call is worth retrying */
  private async call<T>(path: string, options: RequestInit): Promise<T> {
    if (this.foreign) throw this.foreign;
    if (this.pauseMs > 0) throw new Error('Too many calls: they are sent later');
    const { credentials, publishableKey } = this.settings;
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), TIMEOUT_MS);
    try {
      const url = `${this.api}${path}${publishableKey === null ? `?appId=${String(this.appId)}` : ''}`;
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
    const { url, urlOption } = this.settings;
    const { appId, code, message, error } = answer;
    const retryAfterMs = 1_000 * Number(headers.get('Retry-After'));
    if (!ok && retryAfterMs > 0) {
      this.resumesAt = performance.now() + Math.min(retryAfterMs, LONGEST_PAUSE_MS);
    }
    if (!isOwn(status, answer)) {
      const type = headers.get('Content-Type') ?? 'no content';
      const text = `${url} does not respond like Waypost (${String(status)}, ${type}). Is ${urlOption} right?`;
      const mayPass = status >= 500 || LATER.includes(status) || isNotMember(status, answer);
      if (!mayPass) this.warn(urlOption, text);
      throw ok ? new Error(text) : new Refused(status, answer, text);
    }
    if (typeof appId === 'number' && appId !== this.appId) {
      this.foreign = new Error(
        `appId is ${String(this.appId)}, but ${url} has the key of app ${String(appId)}`,
      );
      this.warn('appId', this.foreign.message);
      throw this.foreign;
    }
    if (ok) return;
    const text = `${String(message ?? error)} (${String(status)})`;
    if (status === 401 || (status === 403 && !isNotMember(status, answer))) this.warn(String(code), text);
    throw new Refused(status, answer, text);
  }

  /** Warns the developer once per cause and page. */
  private warn(cause: string, text: string): void {
    if (this.warned.has(cause)) return;
    this.warned.add(cause);
    console.warn(`[Waypost] ${text}`);
  }
}
