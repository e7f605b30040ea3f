import type { components } from './schema.gen';

type Schemas = components['schemas'];

/** Error codes of the API, and three of the client: no response, a time-out, an unreadable response. */
export type ErrorCode = Schemas['ErrorCode'] | 'CONNECTION_FAILED' | 'TIMED_OUT' | 'INVALID_ANSWER';
export type ErrorDetail = Schemas['FieldErrorResponse'];
export type ErrorBody = Partial<Schemas['ErrorResponse']>;

interface Fields {
  status?: number;
  requestId?: string;
  retryAfter?: number;
  body?: ErrorBody;
  cause?: unknown;
}

/** A call that failed. `code` is stable; `message` is for people. Later versions of the service may add codes. */
export class WaypostError extends Error {
  override readonly name: string = 'WaypostError';
  /** HTTP status; undefined without an answer. */
  readonly status: number | undefined;
  /** The fields that are wrong, with the code VALIDATION_FAILED, or that differ, with EDIT_CONFLICT. */
  readonly details: readonly ErrorDetail[];
  /** Identifies the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** Seconds after which the call may be repeated. */
  readonly retryAfter: number | undefined;
  /** Everything that the service answered, such as the missing `scope`. */
  readonly body: ErrorBody;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { status, requestId, retryAfter, body = {}, cause }: Fields = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.body = body;
    this.details = body.details ?? [];
  }
}

/** 400: the request is wrong; `details` names the fields. */
export class WaypostBadRequest extends WaypostError {
  override readonly name = 'WaypostBadRequest';
}

/** 401: the key is missing or wrong. */
export class WaypostUnauthorized extends WaypostError {
  override readonly name = 'WaypostUnauthorized';
}

/** 403: the key does not permit it. */
export class WaypostForbidden extends WaypostError {
  override readonly name = 'WaypostForbidden';
}

/** 404: there is no such thing in the organization. */
export class WaypostNotFound extends WaypostError {
  override readonly name = 'WaypostNotFound';
}

/** 409: it is taken, or has been changed since it was read. */
export class WaypostConflict extends WaypostError {
  override readonly name = 'WaypostConflict';
}

/** 429: too many calls. */
export class WaypostRateLimited extends WaypostError {
  override readonly name = 'WaypostRateLimited';
}

/** 5xx: the service, or a proxy in front of it, has failed. */
export class WaypostServerError extends WaypostError {
  override readonly name = 'WaypostServerError';
}

/** No answer: the service cannot be reached, the connection was cut, or time ran out. */
export class WaypostConnectionError extends WaypostError {
  override readonly name: string = 'WaypostConnectionError';
}

/** No answer within `timeout`. */
export class WaypostTimeout extends WaypostConnectionError {
  override readonly name = 'WaypostTimeout';
}

const BY_STATUS: Record<number, typeof WaypostError> = {
  400: WaypostBadRequest,
  401: WaypostUnauthorized,
  403: WaypostForbidden,
  404: WaypostNotFound,
  409: WaypostConflict,
  429: WaypostRateLimited,
};
/** Codes for errors of the cross-platform API whose body has no code. */
const CODES: Record<number, ErrorCode> = {
  400: 'VALIDATION_FAILED',
  401: 'API_KEY_INVALID',
  404: 'NOT_FOUND',
};

/** The error of an answer. */
export function errorOf(response: Response, answer: unknown): WaypostError {
  const { status, headers } = response;
  const isOfApi = typeof answer === 'object' && answer !== null;
  const body = (isOfApi ? answer : {}) as ErrorBody;
  const code = body.code ?? (isOfApi ? CODES[status] : undefined) ?? 'INVALID_ANSWER';
  const Type = BY_STATUS[status] ?? (status >= 500 ? WaypostServerError : WaypostError);
  const message = body.message ?? body.error ?? unreadable(status);
  return new Type(code, message, {
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfter: secondsOf(headers.get('Retry-After')),
    body,
  });
}

function unreadable(status: number): string {
  const isRedirect = status === 0 || (status >= 300 && status < 400);
  return isRedirect ? 'The service redirects elsewhere: correct baseUrl' : `HTTP status ${status}`;
}

/** Seconds of a Retry-After: a number, or a date. */
function secondsOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
