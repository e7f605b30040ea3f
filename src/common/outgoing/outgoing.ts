export interface OutgoingRequest {
  /** http or https, without credentials; port 80 or 443 unless private addresses are allowed. */
  url: string;
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  /** Request headers. The client sets `Host`, `Content-Length` and `Connection`. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /**
   * Maximum number of redirects to follow, for GET and HEAD only. Default 0: the redirect itself is the
   * response.
   */
  maxRedirects?: number;
  /** Total time: name resolution, connections, redirects and the whole body. Default 10 s. */
  timeoutMs?: number;
  /** Aborts the request; the result is a TIMEOUT. */
  signal?: AbortSignal;
  /** Maximum size of the body in bytes, default 64 KiB. */
  maxBytes?: number;
  /** Whether a body beyond maxBytes is a failure (default) or is truncated. */
  beyondMaxBytes?: 'fail' | 'cut';
}

/** A response of the host, with any status. */
export interface OutgoingAnswer {
  ok: true;
  status: number;
  /** Header names in lower case; a repeated header has an array of values. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  cut: boolean;
  /** Final URL, after redirects. */
  url: string;
}

/**
 * Why there is no response.
 * - `INVALID_URL`: the URL may not be requested
 * - `INVALID_REQUEST`: a header or body cannot be sent
 * - `NOT_ALLOWED`: a forbidden address or port
 * - `HOST_NOT_FOUND`: the name has no address
 * - `DNS_FAILED`: no name server answered
 * - `CONNECT_FAILED`: no connection, or it was lost
 * - `TLS_FAILED`: an invalid certificate
 * - `BAD_ANSWER`: not HTTP
 * - `TIMEOUT`, `TOO_LARGE`, `TOO_MANY_REDIRECTS`
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

export interface OutgoingFailure {
  ok: false;
  problem: OutgoingProblem;
  /** For people; contains no part of the response. */
  message: string;
}

export type OutgoingResult = OutgoingAnswer | OutgoingFailure;

/** A failure as an exception, used only within this folder. */
export class OutgoingError extends Error {
  constructor(
    readonly problem: OutgoingProblem,
    message: string,
  ) {
    super(message);
  }
}
