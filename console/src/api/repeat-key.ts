const HEADER = 'Idempotency-Key';

/**
 * Idempotency keys of POST requests: the same key for the same request until an answer has come, so that "Try again"
 * after a lost answer creates nothing twice.
 */
class RepeatKeys {
  private readonly keys = new Map<string, string>();

  /** The request with its key; forms with files have none. */
  async add(request: Request): Promise<Request> {
    if (request.method !== 'POST' || request.headers.get('content-type')?.startsWith('multipart/'))
      return request;
    const identity = `${request.url}\n${await request.clone().text()}`;
    const key = this.keys.get(identity) ?? randomKey();
    this.keys.set(identity, key);
    const keyed = new Request(request);
    keyed.headers.set(HEADER, key);
    return keyed;
  }

  /** Forgets the key of an answered request. */
  of(request: Request): () => void {
    const key = request.headers.get(HEADER);
    return () => {
      for (const [identity, value] of this.keys) if (value === key) this.keys.delete(identity);
    };
  }
}

/** Not `randomUUID`, which browsers have on HTTPS alone. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

export const repeatKey = new RepeatKeys();
