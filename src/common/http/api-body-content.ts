import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiExtension, type OpenAPIObject } from '@nestjs/swagger';
import { CSV_TYPES } from './body-rules';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type RequestBody = Exclude<NonNullable<Operation['requestBody']>, { $ref: string }>;

export type BodyContent = RequestBody['content'];

/** OpenAPI extension with body content, which `src/openapi/bodies.ts` replaces. */
export const BODY_CONTENT = 'x-body-content';

/** Documents a body with a schema per media type, whereas `@ApiBody` has one for all. */
export function ApiBodyContent(description: string, content: BodyContent): MethodDecorator {
  return applyDecorators(
    ApiBody({ required: true, description, schema: {} }),
    ApiExtension(BODY_CONTENT, content),
  );
}

export function csvContent(example: string): BodyContent {
  return Object.fromEntries(CSV_TYPES.map((type) => [type, { schema: { type: 'string' }, example }]));
}

/** OpenAPI extension with the example of a body, which `src/openapi/bodies.ts` replaces. */
export const BODY_EXAMPLE = 'x-body-example';

/** Sets the example of a JSON body that would be invalid with its required fields alone. */
export function ApiBodyExample(example: object): MethodDecorator {
  return ApiExtension(BODY_EXAMPLE, example);
}
