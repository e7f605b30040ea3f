import { applyDecorators, type ExecutionContext, RequestMethod, SetMetadata } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { MetadataScanner } from '@nestjs/core';
import { ApiExtension, ApiHeader } from '@nestjs/swagger';
import type { ApiRequest } from '../../common/http/api-request';
import type { Tx } from '../database/database';

const SCANNER = new MetadataScanner();
const EDIT = Symbol('edit');

/** OpenAPI extension that marks operations with an ETag in their response; `src/openapi/answers.ts` replaces it. */
export const HAS_ETAG = 'x-has-etag';

export interface EditRequest extends ApiRequest {
  readonly requester?: { readonly userId: number | null };
  /** Path parameters; ids are numbers. */
  readonly values: Readonly<Record<string, string | number>>;
}

/** How an edit is compared with the stored resource. */
export interface Edit<C = unknown> {
  /** Keeps others from changing the resource until the transaction ends. */
  lock(tx: Tx, request: EditRequest): Promise<unknown>;
  /** The resource as GET answers it; by default what the GET of the same path answers. */
  stored?(controller: C, request: EditRequest): Promise<object>;
}

/**
 * A PUT or PATCH that refuses edits based on an older state, as told by `If-Match` or `updatedAt` of the body
 * (docs/concepts/conventions.md#edit-conflicts).
 */
export function Editable<C>(edit: Edit<C>): MethodDecorator {
  return applyDecorators(
    SetMetadata(EDIT, edit),
    ApiExtension(HAS_ETAG, true),
    ApiHeader({
      name: 'If-Match',
      required: false,
      description:
        'ETag of the state that the change was made from; EDIT_CONFLICT if what is stored differs. An `updatedAt` in the ' +
        'body does the same, where the resource has one',
      schema: { type: 'string', maxLength: 1000, example: '*' },
    }),
  );
}

/** Locks the organization's row whose `column` equals the path parameter. */
export function row(table: string, parameter = 'id', column = 'id'): Edit['lock'] {
  const sql = `SELECT FROM ${table} WHERE organization_id = $1 AND ${column} = $2 FOR UPDATE`;
  return (tx, { caller, values }) => tx.query(sql, [caller?.organizationId, values[parameter]]);
}

export function editOf(context: ExecutionContext): Edit | undefined {
  return Reflect.getMetadata(EDIT, context.getHandler()) as Edit | undefined;
}

export function isTagged(context: ExecutionContext): boolean {
  return (
    Reflect.hasMetadata(EDIT, context.getHandler()) ||
    (methodOf(context.getHandler()) === RequestMethod.GET &&
      twinsOf(context).some((twin) => Reflect.hasMetadata(EDIT, twin)))
  );
}

/** The handlers for the same path in the same controller. */
export function twinsOf(context: ExecutionContext): Handler[] {
  const { prototype } = context.getClass() as { prototype: Record<string, Handler> };
  const path: unknown = Reflect.getMetadata(PATH_METADATA, context.getHandler());
  return SCANNER.getAllMethodNames(prototype)
    .flatMap((name) => prototype[name] ?? [])
    .filter((handler) => Reflect.getMetadata(PATH_METADATA, handler) === path);
}

export type Handler = (caller: unknown, path: unknown) => Promise<object>;

export function methodOf(handler: object): RequestMethod | undefined {
  return Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
}
