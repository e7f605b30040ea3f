import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  RequestMethod,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Request, Response } from 'express';
import { from, lastValueFrom, map, type Observable } from 'rxjs';
import { ValidationFailed } from '../../common/errors/errors';
import { FairSemaphore } from '../../common/fair-semaphore';
import type { ApiRequest } from '../../common/http/api-request';
import { parseDateTime } from '../../common/time/parse';
import { Config } from '../../config/config';
import { Database } from '../database/database';
import { EditConflict } from './edit-conflict';
import { type Edit, editOf, type EditRequest, isTagged, methodOf, twinsOf } from './editable.decorator';
import { etagOf, matches } from './etag';

/** The state that the sender of an edit read. */
interface Seen {
  readonly ifMatch: string | undefined;
  readonly updatedAt: Date | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** Gives resources an ETag, and refuses edits based on an older state. */
@Injectable()
export class EditInterceptor implements NestInterceptor {
  /** Bounded as for Idempotency-Key: an edit holds a connection while its handler may need another. */
  private readonly slots: FairSemaphore;

  constructor(
    private readonly database: Database,
    private readonly modules: ModuleRef,
    config: Config,
  ) {
    this.slots = new FairSemaphore(Math.max(1, Math.floor(config.databasePool / 2)));
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (!isTagged(context)) return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<Response>();
    // The ETag leaves counts out, so an equal ETag does not prove that a cached copy is current.
    delete request.headers['if-none-match'];
    const edit = editOf(context);
    const seen = edit && seenBy(request);
    const answer = edit && seen ? from(this.checked(edit, seen, context, request, next)) : next.handle();
    return answer.pipe(
      map((value: unknown) => {
        if (typeof value === 'object' && value !== null) response.setHeader('ETag', etagOf(value));
        return value;
      }),
    );
  }

  private checked(
    edit: Edit,
    seen: Seen,
    context: ExecutionContext,
    request: ApiRequest,
    next: CallHandler,
  ): Promise<unknown> {
    const edited = Object.assign(Object.create(request) as EditRequest, { values: valuesOf(request) });
    return this.slots.run(request.caller?.organizationId ?? 0, () =>
      this.database.enclose(async (tx) => {
        // Ids that are not numbers are left to the handler to refuse.
        if (!Object.values(edited.values).includes(NaN)) {
          await edit.lock(tx, edited);
          const stored = (await this.stored(edit, context, edited)) as Fields;
          if (isOutdated(seen, stored)) throw new EditConflict(stored, bodyOf(request));
        }
        return lastValueFrom<unknown, undefined>(next.handle(), { defaultValue: undefined });
      }),
    );
  }

  private stored(edit: Edit, context: ExecutionContext, request: EditRequest): Promise<object> {
    const controller: object = this.modules.get(context.getClass(), { strict: false });
    if (edit.stored) return edit.stored(controller, request);
    const get = twinsOf(context).find((twin) => methodOf(twin) === RequestMethod.GET);
    if (!get) throw new Error(`Nothing reads what ${context.getHandler().name} edits`);
    const answer: Promise<object> = Reflect.apply(get, controller, [request.caller, request.values]);
    return answer;
  }
}

function bodyOf({ body }: Request): Fields {
  return typeof body === 'object' && body !== null ? (body as Fields) : {};
}

/** @returns null if the sender states no version */
function seenBy(request: ApiRequest): Seen | null {
  const ifMatch = request.headers['if-match'];
  const { updatedAt = null } = bodyOf(request);
  if (ifMatch === undefined && updatedAt === null) return null;
  const at = typeof updatedAt === 'string' ? parseDateTime(updatedAt) : null;
  if (updatedAt !== null && !at) throw ValidationFailed.field('updatedAt', 'must be a date-time');
  return { ifMatch, updatedAt: at };
}

function isOutdated({ ifMatch, updatedAt }: Seen, stored: Fields): boolean {
  if (ifMatch !== undefined && !matches(ifMatch, etagOf(stored))) return true;
  const changed = typeof stored.updatedAt === 'string' ? Date.parse(stored.updatedAt) : NaN;
  return updatedAt !== null && changed > updatedAt.getTime();
}

function valuesOf({ params }: Request): EditRequest['values'] {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const text = String(value);
      const isId = name === 'id' || name === 'organizationId';
      return [name, !isId ? text : /^\d{1,15}$/.test(text) ? Number(text) : NaN];
    }),
  );
}
