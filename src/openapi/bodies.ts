import type { OpenAPIObject } from '@nestjs/swagger';
import { BODY_CONTENT, BODY_EXAMPLE, type BodyContent } from '../common/http/api-body-content';
import { exampleOf } from './examples';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const JSON_TYPE = 'application/json';

/** Adds to a request body a schema per media type, and a valid named example for each. */
export function completeBody(
  operation: Operation & { [BODY_CONTENT]?: BodyContent; [BODY_EXAMPLE]?: object },
  schemas: Schemas,
): void {
  const body = operation.requestBody as { content: BodyContent } | undefined;
  if (!body) return;
  const { [BODY_CONTENT]: content = body.content, [BODY_EXAMPLE]: own } = operation;
  for (const key of [BODY_CONTENT, BODY_EXAMPLE]) Reflect.deleteProperty(operation, key);
  body.content = Object.fromEntries(
    Object.entries(content).map(([type, { schema, example, ...rest }]): [string, BodyContent[string]] => {
      const value: unknown = own ?? example ?? (schema && exampleOf(schema, schemas, true));
      if (type === JSON_TYPE || !schema || !('$ref' in schema)) {
        return [type, { ...rest, schema, examples: { minimal: { summary: 'Minimal request', value } } }];
      }
      // A string for JSON under another media type, because generated clients could not serialize an object there.
      const text = { type: 'string' as const, contentMediaType: JSON_TYPE, contentSchema: schema };
      const written = { summary: 'Minimal request', value: JSON.stringify(value) };
      return [type, { ...rest, schema: text, examples: { minimal: written } }];
    }),
  );
}
