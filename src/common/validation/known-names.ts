import { getMetadataStorage } from 'class-validator';
import type { FieldError } from '../errors/domain-error';
import { cut } from '../sanitize-text';

const STRICT = Symbol('refuses unknown names');
const ELSEWHERE = Symbol('names of other requests');
const MAX_SHOWN = 10;
const MAX_NAME = 100;

/**
 * Rejects unknown names, for the queries of lists, feeds, exports and imports, for bodies that create credentials, and
 * their subclasses. Ignoring a mistyped filter would return everything, ignoring a mistyped `dryRun` would import, and
 * ignoring mistyped scopes would create a key for everything
 * (docs/concepts/conventions.md#unknown-fields-and-parameters).
 */
export function OnlyKnownNames(): ClassDecorator {
  return (target) => Reflect.defineMetadata(STRICT, true, target);
}

/** Maps a field's name in other requests or responses to its name here, or to null if this request has no such field. */
type NamesHere = Readonly<Record<string, string | null>>;

/** Rejects names that belong to other requests, unless they are null: ignoring them would lose what they say. */
export function NamedElsewhere(names: NamesHere): ClassDecorator {
  return (target) => Reflect.defineMetadata(ELSEWHERE, names, target);
}

/** The query of a list without parameters. */
@OnlyKnownNames()
export class NoParameters {}

/** Errors for the names of the input that the request refuses. */
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
    .map(([field]) => {
      const here = names[field];
      return { field, message: here ? `is called ${here} here` : 'is not possible here' };
    });
}
