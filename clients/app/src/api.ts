import { later } from './timer';

const TIMEOUT_MS = 20_000;
const TOO_LARGE = 413;
/** Statuses for which a retry is pointless. From a sender other than Waypost, only 413 is final. */
const FOR_GOOD = [400, 403, 404, 405, 409, 415, 422];
const SIGNATURE = 'IDENTITY_SIGNATURE_REQUIRED';

interface Answer {
  status?: unknown;
  code?: unknown;
  message?: unknown;
  success?: unknown;
}

/** A call refused by Waypost or a proxy in front of it. */
export class WaypostError extends Error {
  override readonly name = 'WaypostError';

  constructor(
    /** HTTP status. */
    readonly status: number,
    /** Code of the API, such as `VALIDATION_FAILED`; null if the answer is not from Waypost. */
    readonly code: string | null,
    message: string,
    /** Milliseconds to wait before the next attempt, from Retry-After. */
    readonly retryAfterMs: number | null = null,
    /** Whether a retry is pointless. */
    readonly isFinal: boolean = false,
  ) {
    super(message);
  }
}

interface ApiOptions {
  url: string;
  appId: number;
  publishableKey: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

type Fields = Readonly<Record<string, unknown>>;
type Query = Readonly<Record<string, string | boolean | null | undefined>>;
type Headers = Readonly<Record<string, string | undefined>>;

/** Calls of the Mobile SDK and cross-platform APIs. */
export class Api {
  private readonly warned = new Set<string>();

  constructor(private readonly options: ApiOptions) {}

  /** @param path below `/api/v1`; empty fields are left out */
  get<T>(path: string, fields: Query, headers: Headers = {}): Promise<T> {
    const query = Object.entries(fields).flatMap(([name, value]) =>
      value === null || value === undefined
        ? []
        : [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`],
    );
    return this.call<T>(`${path}?${query.join('&')}`, { method: 'GET' }, headers);
  }

  post<T>(path: string, body: Fields, headers: Headers = {}): Promise<T> {
    return this.call<T>(path, { method: 'POST', body: JSON.stringify(body) }, headers);
  }

  /** @throws WaypostError; any other error if there was no answer */
  private async call<T>(path: string, init: RequestInit, extra: Headers): Promise<T> {
    const { url, appId, publishableKey, fetch } = this.options;
    const headers: Record<string, string> = {
      'Content-Type': 'application/json',
      'X-App-ID': String(appId),
      'X-Mobile-App-API-Key': publishableKey,
    };
    for (const [name, value] of Object.entries(extra)) if (value !== undefined) headers[name] = value;
    const stop = new AbortController();
    const cancel = later(TIMEOUT_MS, () => stop.abort());
    try {
      const response = await fetch(`${url}/api/v1${path}`, { ...init, headers, signal: stop.signal });
      const body: unknown = await response.json().catch(() => null);
      if (response.ok && typeof body === 'object' && body !== null) return body as T;
      throw this.refusal(response, Object(body) as Answer);
    } finally {
      cancel();
    }
  }

  private refusal({ status, headers }: Response, answer: Answer): WaypostError {
    const code = typeof answer.code === 'string' && answer.status === status ? answer.code : null;
    // Only the answer about a missing contact has no code.
    const isOwn = code !== null || (answer.success === false && typeof answer.message === 'string');
    const text = isOwn
      ? `${String(answer.message)} (${String(status)})`
      : `${this.options.url} does not answer like Waypost (${String(status)})`;
    if (status === 401 && code !== SIGNATURE) this.warn(text);
    const seconds = Number(headers.get('Retry-After') ?? Number.NaN);
    const isFinal = status === TOO_LARGE || (isOwn && (FOR_GOOD.includes(status) || code === SIGNATURE));
    return new WaypostError(status, code, text, Number.isFinite(seconds) ? seconds * 1000 : null, isFinal);
  }

  /** Logs each warning once. */
  warn(text: string): void {
    if (this.warned.has(text)) return;
    this.warned.add(text);
    console.warn(`[Waypost] ${text}`);
  }
}
