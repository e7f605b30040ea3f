import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiExtension, type OpenAPIObject } from '@nestjs/swagger';
import { CSV_TYPES } from './body-rules';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type RequestBody = Exclude<NonNullable<Operation['requestBody']>, { $ref: string }>;

/** What a request or response carries, by media type. */
export type BodyContent = RequestBody['content'];

/** Carries the content of a body to `src/openapi-bodies.ts`, which puts it in its place; no document shows it. */
export const BODY_CONTENT = 'x-body-content';

/** Documents a body with a schema for each media type; `@ApiBody` has one schema for all of them. */
export function ApiBodyContent(description: string, content: BodyContent): MethodDecorator {
  return applyDecorators(
    ApiBody({ required: true, description, schema: {} }),
    ApiExtension(BODY_CONTENT, content),
  );
}

/** The content of a body that is a CSV file. */
export function csvContent(example: string): BodyContent {
  return Object.fromEntries(CSV_TYPES.map((type) => [type, { schema: { type: 'string' }, example }]));
}

/** Carries the example of a body to `src/openapi-bodies.ts`. */
export const BODY_EXAMPLE = 'x-body-example';

/** The example of a JSON body of which the required fields alone would be refused. */
export function ApiBodyExample(example: object): MethodDecorator {
  return ApiExtension(BODY_EXAMPLE, example);
}
