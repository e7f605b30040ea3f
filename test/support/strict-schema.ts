import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { OpenApi, Schema } from './openapi';

/** What keeps a value from being exactly what a schema of the document says: all of its fields, and no others. */
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

/** The schema with its references written out, and no room for fields that it does not name. */
function closed(api: OpenApi, given: Schema): Schema {
  const schema = given.$ref || given.allOf ? api.resolve(given) : given;
  if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map((each) => closed(api, each)) };
  if (schema.items) return { ...schema, items: closed(api, schema.items) };
  if (!schema.properties) return schema;
  const properties = Object.entries(schema.properties).map(([name, field]) => [name, closed(api, field)]);
  return { ...schema, properties: Object.fromEntries(properties), additionalProperties: false };
}
