import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { OpenApi, Schema } from './openapi';

/**
 * Creates a check that returns the deviations of a value from a schema, with all fields required and no others allowed.
 */
export function strictly(api: OpenApi, schema: Schema): (value: unknown) => string[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats(ajv);
  const validate = ajv.compile(closed(api, schema));
  return (value) => {
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message = '', params }) =>
      `${instancePath} ${message} ${JSON.stringify(params)}`.trimStart(),
    );
  };
}

/** The schema with references inlined and additional properties forbidden. */
function closed(api: OpenApi, given: Schema): Schema {
  const schema = given.$ref || given.allOf ? api.resolve(given) : given;
  if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map((each) => closed(api, each)) };
  if (schema.items) return { ...schema, items: closed(api, schema.items) };
  if (!schema.properties) return schema;
  const properties = Object.entries(schema.properties).map(([name, field]) => [name, closed(api, field)]);
  return { ...schema, properties: Object.fromEntries(properties), additionalProperties: false };
}
