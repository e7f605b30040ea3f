import type { operations } from './schema.gen';

/** Text or bytes of a file. Only what can be read again, so no stream, is sent again after a failure. */
export type File = string | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>;

type Part<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>;
type ParametersOf<O> = O extends { parameters: infer P } ? P : never;
type Place<O, Name extends string> = Name extends keyof ParametersOf<O>
  ? Part<ParametersOf<O>[Name]>
  : unknown;
type ContentOf<T> = [NonNullable<T>] extends [never]
  ? never
  : NonNullable<T> extends { content: infer Content }
    ? Content
    : never;
type BodyOf<O> = O extends { requestBody?: infer Body }
  ? [ContentOf<Body>] extends [never]
    ? unknown
    : ContentOf<Body> extends { 'application/json': infer Fields }
      ? Fields extends readonly unknown[]
        ? { items: Fields }
        : Fields
      : { file: File }
  : unknown;
type Flat<T> = { [K in keyof T]: T[K] };
type JsonOf<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : undefined;
type Success<Responses> = Responses[keyof Responses];

export type OperationId = keyof operations;

/** The parameters of an operation: those of its path and query, and the fields of its body, in one object. */
export type Params<Id extends OperationId> = Flat<
  Place<operations[Id], 'query'> &
    Place<operations[Id], 'header'> &
    Omit<BodyOf<operations[Id]>, keyof Place<operations[Id], 'path'>> &
    Place<operations[Id], 'path'>
>;

/** What an operation answers. */
export type Answer<Id extends OperationId> = JsonOf<Success<operations[Id]['responses']>>;

export interface CallOptions {
  /** Ends the call, its retries and its waits. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for each attempt; default: that of the client. */
  timeout?: number | undefined;
  /** Default: that of the client. */
  maxRetries?: number | undefined;
  /** Idempotency-Key, for creations that must happen once across runs of a job; default: a new one per call. */
  idempotencyKey?: string | undefined;
  /** Additional headers. */
  headers?: Record<string, string> | undefined;
  /** Called with each response, for headers such as `ETag` and `RateLimit-Remaining`. */
  onResponse?: ((response: Response) => void) | undefined;
}

export interface WaypostOptions {
  /** Origin of the API, such as `https://waypost.example.com`. */
  baseUrl: string;
  /** An API key of the organization. */
  apiKey?: string | undefined;
  /** For servers that act for an app: its id and its secret key. */
  app?: { id: number | string; key: string } | undefined;
  /** Maximum number of retries per call; default: 2. */
  maxRetries?: number | undefined;
  /** Milliseconds for each attempt; default: 60,000, and 300,000 for files that are sent. */
  timeout?: number | undefined;
  /** Default: the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Waits before retries and between polls; default: `setTimeout`. */
  sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
}
