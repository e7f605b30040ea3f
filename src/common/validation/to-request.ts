import { plainToInstance } from 'class-transformer';

const NESTED = Symbol('nested');

/** Declares the request class of an object field, or of the objects in a list field. */
export function nestedClass(type: () => new () => object): PropertyDecorator {
  return (target, field) => Reflect.defineMetadata(NESTED, type, target, field);
}

/** Keys that would change the object's prototype. */
const UNSAFE = new Set(['__proto__', 'constructor']);

/**
 * Converts an input to a request without validating it. Objects without a request class are passed through:
 * class-transformer would copy them, drop keys, and fail on a key `constructor`.
 */
export function toRequest<T extends object>(requestClass: new () => T, input: object): T {
  const fields = Object.entries(input).filter(([field]) => !UNSAFE.has(field));
  const isObject = ([, value]: [string, unknown]) => typeof value === 'object' && value !== null;
  const plain = Object.fromEntries(fields.filter((field) => !isObject(field)));
  const request = plainToInstance(requestClass, plain, { exposeDefaultValues: true });
  const objects = fields.filter(isObject).map(([field, value]: [string, unknown]) => {
    const type = Reflect.getMetadata(NESTED, requestClass.prototype as object, field) as
      (() => new () => object) | undefined;
    return [field, type ? nested(type(), value) : value] as const;
  });
  return Object.assign(request, Object.fromEntries(objects));
}

function nested(requestClass: new () => object, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => nested(requestClass, each));
  return typeof value === 'object' && value !== null ? toRequest(requestClass, value) : value;
}
