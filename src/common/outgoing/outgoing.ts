/** A call of the service to somewhere else. */
export interface OutgoingRequest {
  /** http or https, without user name and password; port 80 or 443 unless private addresses are allowed. */
  url: string;
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  /** Sent as given; `Host`, `Content-Length` and `Connection` are the client's own. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** How many redirects are followed, of GET and HEAD only. Default 0: the redirect itself is the answer. */
  maxRedirects?: number;
  /** For everything together: names, connections, redirects, and the body to its end. Default 10 s. */
  timeoutMs?: number;
  /** Default 64 KiB. */
  maxBytes?: number;
  /** What to do with a body beyond maxBytes: give up (default), or read no further and answer with what is there. */
  beyondMaxBytes?: 'fail' | 'cut';
}

/** The other side has answered, with whatever status. */
export interface OutgoingAnswer {
  ok: true;
  status: number;
  /** Names in lower case; of a header that came twice, its values. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  /** Whether the body went on beyond maxBytes. */
  cut: boolean;
  /** Where the answer came from, after redirects. */
  url: string;
}

/**
 * Why there is no answer:
 * `INVALID_URL` no URL that may be called; `INVALID_REQUEST` a header or body that can't be sent;
 * `NOT_ALLOWED` the address or port is refused; `HOST_NOT_FOUND` the name has no address;
 * `DNS_FAILED` nobody said whether it has; `CONNECT_FAILED` no connection, or it broke off;
 * `TLS_FAILED` no certificate that holds; `BAD_ANSWER` not HTTP; `TIMEOUT`, `TOO_LARGE`, `TOO_MANY_REDIRECTS`.
 */
export type OutgoingProblem =
  | 'INVALID_URL'
  | 'INVALID_REQUEST'
  | 'NOT_ALLOWED'
  | 'HOST_NOT_FOUND'
  | 'DNS_FAILED'
  | 'CONNECT_FAILED'
  | 'TLS_FAILED'
  | 'BAD_ANSWER'
  | 'TIMEOUT'
  | 'TOO_LARGE'
  | 'TOO_MANY_REDIRECTS';

/** There is no answer. */
export interface OutgoingFailure {
  ok: false;
  problem: OutgoingProblem;
  /** For people; holds nothing of the answer. */
  message: string;
}

export type OutgoingResult = OutgoingAnswer | OutgoingFailure;

/** A failure on its way up; nothing outside of this folder meets it. */
export class OutgoingError extends Error {
  constructor(
    readonly problem: OutgoingProblem,
    message: string,
  ) {
    super(message);
  }
}
