interface Known {
  readonly etag: string;
  /** Sequence number of the time at which it was learnt. */
  readonly at: number;
}

/** ETags by URL: of what has been read, written by this page, or shown in a conflict. */
const read = new Map<string, Known>();
const written = new Map<string, Known>();
const shown = new Map<string, Known>();
let now = 0;

/** The ETags known when a form was opened. */
export interface States {
  readonly at: number;
  readonly read: ReadonlyMap<string, Known>;
}

let sending: States | null = null;

export function knownStates(): States {
  return { at: ++now, read: new Map(read) };
}

/** The ETags after the user has seen the conflicts since then; the same object if there were none. */
export function afterConflicts(states: States): States {
  const isNew = ([, { at }]: [string, Known]) => at > states.at;
  if (![...shown].some(isNew)) return states;
  const learnt = [...written, ...shown].filter(isNew).sort(([, one], [, other]) => one.at - other.at);
  return { at: now, read: new Map([...states.read, ...learnt]) };
}

/** Calls a function whose PUT or PATCH is refused if others have changed what the form was opened with. */
export function fromStates<T>(states: States, send: () => T): T {
  sending = states;
  try {
    return send();
  } finally {
    sending = null;
  }
}

/** The If-Match header of a request that starts now. */
export function ifMatch(method: string, url: string): string | undefined {
  if (sending === null || (method !== 'PUT' && method !== 'PATCH')) return undefined;
  const own = written.get(url);
  return own && own.at > sending.at ? own.etag : sending.read.get(url)?.etag;
}

export function rememberState(method: string, url: string, response: Response): void {
  const etag = response.headers.get('ETag');
  if (etag === null) return;
  const known = { etag, at: ++now };
  if (response.ok) read.set(url, known);
  if (response.ok && method !== 'GET') written.set(url, known);
  if (response.status === 409) shown.set(url, known);
}
