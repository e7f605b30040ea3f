import { plainToInstance } from 'class-transformer';

const NESTED = Symbol('nested');

/** Says which request class the objects of a field are, whether one or a list of them. */
export function nestedClass(type: () => new () => object): PropertyDecorator {
  return (target, field) => Reflect.defineMetadata(NESTED, type, target, field);
}

/** Names of these would be taken for the object's own nature. */
const UNSAFE = new Set(['__proto__', 'constructor']);

/**
 * The request that an input makes, unchecked. Objects and lists that no request class is known for are taken as they
 * are: class-transformer would copy them, leave keys out, and fail at one with a key `constructor`.
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
