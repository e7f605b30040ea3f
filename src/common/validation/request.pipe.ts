import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { validate, type ValidationError } from 'class-validator';
import type { FieldError } from '../errors/domain-error';
import { ValidationFailed } from '../errors/errors';
import { unknownNames } from './known-names';
import { toRequest } from './to-request';

const NATIVE = new Set<unknown>([String, Number, Boolean, Array, Object, undefined]);

/**
 * Converts a body, query or path to its request class and validates its atoms. Unknown fields are ignored, so that
 * newer clients still work, except as `OnlyKnownNames` and `NamedElsewhere` declare.
 */
@Injectable()
export class RequestPipe implements PipeTransform<unknown, Promise<unknown>> {
  async transform(value: unknown, { metatype, type }: ArgumentMetadata): Promise<unknown> {
    if (type === 'custom' || !metatype || NATIVE.has(metatype)) return value;
    return checkedRequest(metatype as new () => object, value, type);
  }
}

/**
 * Converts an input to a request and validates it.
 * @param name field name in errors about an input that is not an object
 * @throws ValidationFailed
 */
export async function checkedRequest<T extends object>(
  requestClass: new () => T,
  value: unknown,
  name: string,
): Promise<T> {
  // A missing body counts as an empty object; null does not.
  const input = value === undefined ? {} : value;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw ValidationFailed.field(name, 'must be a JSON object');
  }
  const request = toRequest(requestClass, input);
  const errors = await validate(request, {
    forbidUnknownValues: false,
    stopAtFirstError: true,
    whitelist: true,
  });
  const problems = [...unknownNames(requestClass, input), ...errors.flatMap((error) => toFieldErrors(error))];
  if (problems.length > 0) throw new ValidationFailed(problems);
  return request;
}

function toFieldErrors(error: ValidationError, parent = ''): FieldError[] {
  const index = /^\d+$/.test(error.property);
  const field = index
    ? `${parent}[${error.property}]`
    : parent
      ? `${parent}.${error.property}`
      : error.property;
  const own = Object.values(error.constraints ?? {}).map((message) => ({ field, message }));
  return [...own, ...(error.children ?? []).flatMap((child) => toFieldErrors(child, field))];
}
