import { getMetadataStorage } from 'class-validator';
import type { FieldError } from '../errors/domain-error';

const STRICT = Symbol('refuses unknown parameters');
const MAX_SHOWN = 10;
const MAX_NAME = 100;

/**
 * Rejects unknown parameters, for the query classes of lists, feeds, exports and imports and their
 * subclasses. Ignoring a mistyped filter would return everything (docs/concepts/contacts.md#filters), and
 * ignoring a mistyped `dryRun` would import.
 */
export function OnlyKnownParameters(): ClassDecorator {
  return (target) => Reflect.defineMetadata(STRICT, true, target);
}

/** The query of a list without parameters. */
@OnlyKnownParameters()
export class NoParameters {}

/** Errors for the unknown names among these parameters. */
export function unknownParameters(queryClass: new () => object, input: object): FieldError[] {
  if (Reflect.getMetadata(STRICT, queryClass) !== true) return [];
  const checks = getMetadataStorage().getTargetValidationMetadatas(queryClass, '', false, false);
  const known = new Set(checks.map(({ propertyName }) => propertyName));
  const list = known.size > 0 ? `one of ${[...known].join(', ')}` : 'a parameter: there are none';
  return Object.keys(input)
    .filter((name) => !known.has(name))
    .slice(0, MAX_SHOWN)
    .map((name) => ({ field: name.slice(0, MAX_NAME).toWellFormed(), message: `is not ${list}` }));
}
