import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type AnySchema = Schemas[string];

/** Builds an example from the examples of the fields: all fields, or `minimalFields`. */
export function exampleOf(given: AnySchema, schemas: Schemas, minimal = false): unknown {
  if ('$ref' in given) {
    const schema = schemas[given.$ref.slice(given.$ref.lastIndexOf('/') + 1)];
    if (!schema) throw new Error(`There is no ${given.$ref}`);
    return exampleOf(schema, schemas, minimal);
  }
  if (given.example !== undefined) return given.example;
  const [one] = given.allOf ?? given.anyOf ?? given.oneOf ?? [];
  if (one) return exampleOf(one, schemas, minimal);
  if (given.items) return [exampleOf(given.items, schemas, minimal)];
  const fields = Object.entries(given.properties ?? {});
  const chosen = minimal ? minimalFields(fields, given.required ?? []) : fields;
  return Object.fromEntries(chosen.map(([name, field]) => [name, exampleOf(field, schemas, minimal)]));
}

/** The required fields, or the first field if none is required, so that an update changes something. */
function minimalFields<T>(fields: [string, T][], required: readonly string[]): [string, T][] {
  return required.length > 0 ? fields.filter(([name]) => required.includes(name)) : fields.slice(0, 1);
}
