import { getMetadataStorage } from 'class-validator';
import type { FieldError } from '../errors/domain-error';
import { cut } from '../sanitize-text';

const STRICT = Symbol('refuses unknown names');
const ELSEWHERE = Symbol('names of other requests');
const MAX_SHOWN = 10;
const MAX_NAME = 100;

/**
 * Rejects unknown names: in queries of lists, feeds, exports and imports, in bodies that create credentials, and in
 * subclasses. Ignoring a mistyped filter would return everything, a mistyped `dryRun` would import, and mistyped scopes
 * would create an unrestricted key (docs/concepts/conventions.md#unknown-fields-and-parameters).
 */
export function OnlyKnownNames(): ClassDecorator {
  return (target) => Reflect.defineMetadata(STRICT, true, target);
}

/** Field names of other requests or responses with their names in this request. */
type NamesHere = Readonly<Record<string, string>>;

/** Rejects field names of other requests, unless they are null, because ignoring them would lose their values. */
export function NamedElsewhere(names: NamesHere): ClassDecorator {
  return (target) => Reflect.defineMetadata(ELSEWHERE, names, target);
}

@OnlyKnownNames()
export class NoParameters {}

export function unknownNames(requestClass: new () => object, input: object): FieldError[] {
  if (Reflect.getMetadata(STRICT, requestClass) !== true) return misnamed(requestClass, input);
  const checks = getMetadataStorage().getTargetValidationMetadatas(requestClass, '', false, false);
  const known = new Set(checks.map(({ propertyName }) => propertyName));
  const list = known.size > 0 ? `one of ${[...known].join(', ')}` : 'known: there are none';
  return Object.keys(input)
    .filter((name) => !known.has(name))
    .slice(0, MAX_SHOWN)
    .map((name) => ({ field: cut(name.toWellFormed(), MAX_NAME), message: `is not ${list}` }));
}

function misnamed(requestClass: new () => object, input: object): FieldError[] {
  const names = (Reflect.getMetadata(ELSEWHERE, requestClass) ?? {}) as NamesHere;
  return Object.entries(input)
    .filter(([field, value]) => value !== null && Object.hasOwn(names, field))
    .map(([field]) => ({ field, message: `is called ${names[field]} here` }));
}
