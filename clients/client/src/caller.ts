/*! Contains openapi-fetch, MIT License, Copyright (c) 2023 Drew Powers: https://openapi-ts.dev */
import createClient from 'openapi-fetch';
import { errorOf, WaypostConnectionError, WaypostError, WaypostTimeout } from './errors';
import { liveClicks } from './live-clicks';
import { Listing } from './listing';
import type { Operation } from './operation';
import { delayBefore, mayHaveArrived } from './retries';
import type { CallOptions, File, WaypostOptions } from './types';

const TIMEOUT = 60_000;
// Node itself waits no longer for an answer.
const FILE_TIMEOUT = 300_000;
const MAX_RETRIES = 2;
/** Retries while an earlier attempt is still running, about one a second. */
const MAX_WAITS = 60;
/** The largest file that the service takes with an Idempotency-Key. */
const MAX_FILE_WITH_KEY = 5 * 1024 * 1024;
/** Idempotent methods. */
const REPEATABLE = ['GET', 'PUT', 'DELETE'];

interface Init {
  readonly params: { readonly path: Record<string, unknown>; readonly query: Record<string, unknown> };
  readonly headers: Headers;
  readonly body?: unknown;
  readonly bodySerializer: (body: unknown) => unknown;
  readonly parseAs: 'json' | 'stream';
  readonly redirect: 'manual';
  readonly duplex?: 'half';
}

type Send = (
  method: string,
  path: string,
  init: Init & { signal: AbortSignal },
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** Calls operations, with retries. */
export class Caller {
  private readonly send: Send;

  constructor(readonly options: WaypostOptions) {
    const { baseUrl, apiKey, app } = options;
    if (!/^https?:$/.test(new URL(baseUrl).protocol)) throw new TypeError('baseUrl must begin with https://');
    if (!apiKey && !app) throw new TypeError('Give apiKey, app, or both');
    // Throws for a key that is not a valid header value.
    new Headers({
      'X-API-KEY': apiKey ?? '',
      'X-App-ID': String(app?.id ?? ''),
      'X-Mobile-App-API-Key': app?.key ?? '',
    });
    const fetch = options.fetch ?? ((request: Request) => globalThis.fetch(request));
    this.send = createClient({ baseUrl, fetch }).request as unknown as Send;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return (this.options.sleep ?? sleep)(milliseconds, signal);
  }

  async call(
    operation: Operation,
    params: Record<string, unknown> = {},
    options: CallOptions = {},
  ): Promise<unknown> {
    const init = this.prepare(operation, params, options);
    const { signal, maxRetries = this.options.maxRetries ?? MAX_RETRIES } = options;
    const isRepeatable =
      init.headers.has('Idempotency-Key') ||
      (REPEATABLE.includes(operation.method) && params.ifMatch === undefined);
    let mayBeDone = false;
    let retries = 0;
    let waits = 0;
    for (;;) {
      try {
        return await this.attempt(operation, init, options);
      } catch (error) {
        if (!(error instanceof WaypostError)) throw error;
        if (mayBeDone && operation.method === 'DELETE' && error.status === 404) return undefined;
        const isRunning = error.code === 'IDEMPOTENCY_IN_PROGRESS' && maxRetries > 0;
        const isLast = isRunning ? waits++ >= MAX_WAITS : retries >= maxRetries;
        const isStream = init.duplex !== undefined;
        const delay = isLast || isStream ? null : delayBefore(error, retries, isRepeatable);
        if (delay === null) throw error;
        if (!isRunning) retries++;
        mayBeDone ||= mayHaveArrived(error);
        await this.sleep(delay, signal);
      }
    }
  }

  private async attempt(operation: Operation, init: Init, options: CallOptions): Promise<unknown> {
    const standard = this.options.timeout ?? (operation.body === 'file' ? FILE_TIMEOUT : TIMEOUT);
    const { signal, timeout = standard } = options;
    signal?.throwIfAborted();
    const ended = new AbortController();
    const abort = () => ended.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    const timer = setTimeout(() => {
      ended.abort(new WaypostTimeout('TIMED_OUT', `No answer within ${timeout} ms`));
    }, timeout);
    try {
      const sent = this.send(operation.method, operation.path, { ...init, signal: ended.signal });
      const { data, error, response } = await unlessAborted(sent, ended.signal);
      options.onResponse?.(response);
      if (!response.ok) throw errorOf(response, error);
      const isStream = init.parseAs === 'stream' && signal !== undefined;
      return isStream ? (data as ReadableStream).pipeThrough(new TransformStream(), { signal }) : data;
    } catch (cause) {
      ended.signal.throwIfAborted();
      if (cause instanceof WaypostError) throw cause;
      if (cause instanceof SyntaxError) {
        throw new WaypostError('INVALID_ANSWER', 'The answer is not JSON: correct baseUrl', { cause });
      }
      throw new WaypostConnectionError('CONNECTION_FAILED', `No answer: ${reasonOf(cause)}`, { cause });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  private prepare(operation: Operation, params: Record<string, unknown>, options: CallOptions): Init {
    const headers = new Headers(options.headers);
    const { apiKey, app } = this.options;
    if (!headers.has('User-Agent')) headers.set('User-Agent', `waypost-client/${__VERSION__}`);
    if (operation.isForApp) {
      if (!app) throw new TypeError('This operation needs the option app');
      headers.set('X-App-ID', String(app.id));
      headers.set('X-Mobile-App-API-Key', app.key);
    } else {
      if (!apiKey) throw new TypeError('This operation needs the option apiKey');
      headers.set('X-API-KEY', apiKey);
    }
    const path: Record<string, unknown> = {};
    const query: Record<string, unknown> = {};
    const fields: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(params)) {
      const header = operation.headers?.[name];
      if (operation.path.includes(`{${name}}`)) path[name] = value;
      else if (header) {
        if (value !== undefined && value !== null) headers.set(header, textOf(value));
      } else if (!operation.body || operation.query?.includes(name)) query[name] = value;
      else fields[name] = value;
    }
    checkPath(operation.path, path);

    const file = operation.body === 'file' ? contentOf(fields.file as File) : null;
    const isSmall = file === null || (file instanceof Blob && file.size <= MAX_FILE_WITH_KEY);
    const key = options.idempotencyKey ?? (isSmall ? crypto.randomUUID() : undefined);
    if (operation.takesKey && key !== undefined) headers.set('Idempotency-Key', key);

    const init: Init = {
      params: { path, query },
      headers,
      bodySerializer: JSON.stringify,
      parseAs: operation.answer === 'stream' || operation.answer === 'events' ? 'stream' : 'json',
      redirect: 'manual',
    };
    if (operation.body === 'fields') return { ...init, body: fields };
    if (operation.body === 'items') return { ...init, body: fields.items };
    if (file === null) return init;
    const isJson = file instanceof Blob && file.type === 'application/json';
    headers.set('Content-Type', isJson ? 'application/json' : 'text/csv');
    const bodySerializer = (body: unknown) => body;
    if (file instanceof Blob) return { ...init, body: file, bodySerializer };
    return { ...init, body: file, bodySerializer, duplex: 'half' };
  }
}

type Method = (params?: Record<string, unknown>, options?: CallOptions) => unknown;

/** Makes the methods of a group. */
export function groupOf<Group>(caller: Caller, operations: Record<keyof Group, Operation>): Group {
  const methods = Object.entries<Operation>(operations).map(([name, operation]) => [
    name,
    methodOf(caller, operation),
  ]);
  return Object.fromEntries(methods) as Group;
}

function methodOf(caller: Caller, operation: Operation): Method {
  const { list, maxSize, answer } = operation;
  if (answer === 'events') return (params, options) => liveClicks(caller, operation, params, options);
  if (list === undefined) return (params, options) => caller.call(operation, params, options);
  const whole = maxSize ? { size: maxSize } : {};
  return (params, options) =>
    new Listing<Record<string, unknown>, string>(
      (next) => caller.call(operation, next, options),
      list,
      params,
      whole,
    );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** In Node 20, fetch forgets the signal of an answer once its garbage is collected. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    promise.then(resolve, reject);
  });
}

/** Rejects `.` and `..`, even encoded: URL parsers drop those segments, so the call would reach another path. */
function checkPath(path: string, values: Record<string, unknown>): void {
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const value = values[name];
    if (value === undefined || value === null || ['', '.', '..'].includes(textOf(value))) {
      throw new TypeError(`${name} must not be ${value === '' ? 'empty' : textOf(value)}`);
    }
  }
}

function contentOf(file: File): Blob | ReadableStream<Uint8Array> {
  if (typeof file === 'string') return new Blob([file]);
  if (file instanceof Blob || file instanceof ReadableStream) return file;
  const chunks = file[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(typeof next.value === 'string' ? encoder.encode(next.value) : next.value);
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}

/** The reason of a failed fetch, which is in the cause of its error. */
function reasonOf(error: unknown): string {
  const { cause = error } = (error ?? {}) as { cause?: unknown };
  return cause instanceof Error ? cause.message : String(cause);
}

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

declare const __VERSION__: string;
