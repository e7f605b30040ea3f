import { getMetadataStorage } from 'class-validator';
import type { FieldError } from '../errors/domain-error';

const STRICT = Symbol('refuses unknown parameters');
const MAX_SHOWN = 10;
const MAX_NAME = 100;

/**
 * For the query class of a list, feed, export or import, and inherited by its subclasses: a parameter that is not one of
 * its fields is refused. A mistyped filter that is ignored answers with everything
 * (docs/concepts/contacts.md#filters), and a mistyped `dryRun` imports.
 */
export function OnlyKnownParameters(): ClassDecorator {
  return (target) => Reflect.defineMetadata(STRICT, true, target);
}

/** The query of a list that takes no parameters. */
@OnlyKnownParameters()
export class NoParameters {}

/** What is wrong with the names of these parameters. */
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
