const HEADER = 'Idempotency-Key';

/** A request in a form that can be sent several times. */
export interface Call extends RequestInit {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Blob | null;
}

/**
 * Idempotency keys of POST requests: a request keeps its key until there is a response, so that "Try again" after a
 * lost response creates nothing twice.
 */
class RepeatKeys {
  private readonly keys = new Map<string, string>();

  /** Adds the key to a request; forms with files have none. */
  async add({ url, method, headers, body }: Call): Promise<void> {
    if (method !== 'POST' || headers.get('content-type')?.startsWith('multipart/')) return;
    const identity = `${url}\n${(await body?.text()) ?? ''}`;
    const key = this.keys.get(identity) ?? randomKey();
    this.keys.set(identity, key);
    headers.set(HEADER, key);
  }

  /** Forgets the key of a request that has got a response. */
  forget({ headers }: Call): void {
    const answered = headers.get(HEADER);
    for (const [identity, key] of this.keys) if (key === answered) this.keys.delete(identity);
  }
}

/** Browsers have `randomUUID` under HTTPS only. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const repeatKeys = new RepeatKeys();
