import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { ErrorBody } from '../../common/errors/domain-error';
import { ValidationFailed } from '../../common/errors/errors';
import { type ApiRequest, routeOf } from '../../common/http/api-request';
import { toDomainError } from '../../common/http/to-domain-error';
import { Clock } from '../../common/time/clock';
import { Config } from '../../config/config';
import { IdempotencyInProgress, StoredError } from './idempotency.errors';
import { type StoredAnswer, IdempotencyStore, sha256 } from './idempotency-store';
import { FairSemaphore } from '../../common/fair-semaphore';
import { Database, type Tx } from '../database/database';
import { DomainError } from '../../common/errors/domain-error';

const APIS = ['/api/v1/service/', '/api/v1/console/organizations/'];
const KEY_FORM = /^[\x20-\x7e]{1,255}$/;

/** The outcome of a first request: the response to store and, on success, the handler's return value. */
interface Outcome {
  readonly answer: StoredAnswer;
  readonly value?: unknown;
  readonly replayed?: true;
}

/**
 * `Idempotency-Key` on any POST of the Service API or for an organization in the console (docs/concepts/conventions.md#idempotent-retries). Handler and
 * stored response share one transaction: a process killed midway leaves neither, and a repeat after the
 * commit finds both.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  /** Half of the pool: each request holds a connection while its handler may need another. */
  private readonly slots: FairSemaphore;

  constructor(
    private readonly database: Database,
    private readonly answers: IdempotencyStore,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.slots = new FairSemaphore(Math.max(1, Math.floor(config.databasePool / 2)));
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const key = request.headers['idempotency-key'];
    if (key === undefined || request.method !== 'POST' || !request.caller) return next.handle();
    if (!APIS.some((prefix) => routeOf(request)?.startsWith(prefix))) return next.handle();
    if (typeof key !== 'string' || !KEY_FORM.test(key)) {
      throw ValidationFailed.field('Idempotency-Key', 'must be 1 to 255 printable ASCII characters');
    }
    const response = context.switchToHttp().getResponse<Response>();
    return from(this.once(key, request.caller, request, response, next));
  }

  private async once(
    key: string,
    { organizationId, userId }: NonNullable<ApiRequest['caller']>,
    request: ApiRequest,
    response: Response,
    next: CallHandler,
  ): Promise<unknown> {
    // The user is part of the scope, because a response may contain what other users may not see, such as a new API
    // key.
    const scope = { organizationId, hash: sha256(String(userId), '\0', request.path, '\0', key) };
    const search = request.originalUrl.slice(request.path.length);
    const fingerprint = sha256(search, '\0', request.rawBody ?? '');

    const outcome = await this.slots.run(organizationId, () =>
      this.database.enclose(async (tx): Promise<Outcome> => {
        if (!(await this.answers.lock(tx, scope))) throw new IdempotencyInProgress();
        const stored = await this.answers.find(tx, scope);
        if (stored && !stored.fingerprint.equals(fingerprint))
          throw new DomainError('IDEMPOTENCY_KEY_REUSED');
        if (stored) return { answer: stored, replayed: true };
        const first = await this.handle(tx, response, next);
        await this.answers.store(tx, scope, fingerprint, first.answer);
        return first;
      }),
    );
    return this.give(outcome, response);
  }

  /**
   * Runs the handler. A client error undoes the handler's changes and is stored; a server error undoes
   * everything.
   */
  private async handle(tx: Tx, response: Response, next: CallHandler): Promise<Outcome> {
    const before = new Set(response.getHeaderNames());
    try {
      const value: unknown = await tx.attempt(() =>
        lastValueFrom(next.handle(), { defaultValue: undefined }),
      );
      const added = response.getHeaderNames().filter((name) => !before.has(name));
      const headers = Object.fromEntries(added.map((name) => [name, String(response.getHeader(name))]));
      const body = value === undefined || value === null ? null : JSON.stringify(value);
      return { answer: { status: response.statusCode, headers, body, subject: subjectOf(value) }, value };
    } catch (error) {
      const refusal = toDomainError(error);
      if (!refusal || refusal.status >= 500) throw error;
      const body = JSON.stringify(refusal.toBody(this.clock.date()));
      return { answer: { status: refusal.status, headers: refusal.headers, body } };
    }
  }

  private give({ answer, value, replayed }: Outcome, response: Response): unknown {
    if (replayed) response.setHeader('Idempotency-Replayed', 'true');
    const body: unknown = answer.body === null ? undefined : JSON.parse(answer.body);
    if (answer.status >= 400) throw new StoredError(body as ErrorBody, answer.headers);
    if (!replayed) return value;
    for (const [name, text] of Object.entries(answer.headers)) response.setHeader(name, text);
    response.status(answer.status);
    return body;
  }
}

/** Key of a response body under which handlers name the person that it is about. */
export const SUBJECT = Symbol('subject');

function subjectOf(value: unknown): string | null {
  return (value as { [SUBJECT]?: string } | null | undefined)?.[SUBJECT] ?? null;
}
