import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CODE_NAMES, type ErrorCode, errorTerms } from '../common/errors/error-codes';
import { ENDPOINT_ERRORS } from '../common/http/api-endpoint';
import { exampleOf } from './examples';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
export type Answer = Exclude<Operation['responses'][string], { $ref: string } | undefined>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Example = { summary?: string; value: unknown };

const COMMON_ERROR = { $ref: '#/components/schemas/ErrorResponse' };
const HEADER_ERROR = { $ref: '#/components/schemas/HeaderErrorResponse' };
const JSON_TYPE = 'application/json';
const AT = '2026-11-20T08:32:00Z';

/** Body of a missing or invalid app header in the cross-platform API. */
const HEADER_ERROR_SCHEMA = {
  type: 'object',
  properties: {
    error: { type: 'string', description: 'Human-readable message', example: 'X-App-ID: must be numeric' },
  },
  required: ['error'],
};

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...STATUS_CODES,
  400: 'Invalid request',
  404: 'Not found, or owned by another organization',
  429: 'Too many requests',
};

const WORD = /\b[A-Z]+(?:_[A-Z]+)*\b/g;

function codesIn(text = ''): ErrorCode[] {
  const words = new Set(text.match(WORD));
  return ERROR_CODE_NAMES.filter((code) => words.has(code));
}

/**
 * A response with the common error body, and an example of every code with its status that the description mentions.
 */
export function errorAnswer(description: string, status?: number): Answer {
  const codes = codesIn(description).filter(
    (code) => errorTerms(code).status === (status ?? errorTerms(code).status),
  );
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }] as const);
  return {
    description,
    headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
    content: { [JSON_TYPE]: { schema: COMMON_ERROR, examples: Object.fromEntries(examples) } },
  };
}

/** Examples of the errors that responses refer to, one per code. @param answers the responses as JSON */
export function errorExamples(answers: string): Record<string, Example> {
  const used = ERROR_CODE_NAMES.filter((code) => answers.includes(`"#/components/examples/${code}"`));
  return Object.fromEntries(used.map((code) => [code, { summary: code, value: errorBody(code) }]));
}

function errorBody(code: ErrorCode): object {
  const { status, message, extras = {} } = errorTerms(code);
  return { status, error: STATUS_CODES[status], code, message, timestamp: AT, ...extras };
}

/**
 * Adds the error responses of an operation: from its responses, from `@ApiEndpoint`, and from the descriptions of its
 * parameters and fields.
 */
export function completeErrors(
  operation: Operation & { [ENDPOINT_ERRORS]?: ErrorCode[] },
  schemas: Schemas,
  common: readonly ErrorCode[],
): void {
  const added = [...common, ...(operation[ENDPOINT_ERRORS] ?? []), ...codesOfInput(operation, schemas)];
  Reflect.deleteProperty(operation, ENDPOINT_ERRORS);
  for (const code of added) {
    const status = String(errorTerms(code).status);
    const said = (operation.responses[status] as Answer | undefined)?.description;
    if (codesIn(said).includes(code)) continue;
    const description = said ?? DESCRIPTIONS[status] ?? '';
    const answer = errorAnswer(`${description}${description.includes(':') ? ',' : ':'} ${code}`);
    operation.responses[status] = { ...operation.responses[status], ...answer };
  }
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (!answer || '$ref' in answer || Number(status) < 400) continue;
    if (isCommon(answer))
      operation.responses[status] = { ...answer, ...errorAnswer(answer.description, Number(status)) };
    else showOwnBody(answer, schemas);
  }
}

/** Adds an example to an error with a body of its own. */
function showOwnBody({ content }: Answer, schemas: Schemas): void {
  const body = content?.[JSON_TYPE];
  if (body?.schema) body.examples = { body: { value: exampleOf(body.schema, schemas) } };
}

function isCommon({ content }: Answer): boolean {
  const schema = content?.[JSON_TYPE]?.schema;
  return schema !== undefined && '$ref' in schema && schema.$ref === COMMON_ERROR.$ref;
}

/** Codes mentioned in the descriptions of parameters and body fields. */
function codesOfInput({ parameters = [], requestBody }: Operation, schemas: Schemas): ErrorCode[] {
  const body = requestBody as { content: Record<string, { schema?: object } | undefined> } | undefined;
  const { $ref = '' } = (body?.content[JSON_TYPE]?.schema ?? {}) as { $ref?: string };
  const fields = (schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}) as {
    properties?: Record<string, object>;
  };
  const described = [...parameters, ...Object.values(fields.properties ?? {})] as { description?: string }[];
  return described.flatMap(({ description }) => codesIn(description));
}

/** Documents the header errors of the cross-platform API, which have their own body and can also be a 400. */
export function sayHeaderErrors({ responses }: Operation, schemas: Schemas): void {
  schemas.HeaderErrorResponse = HEADER_ERROR_SCHEMA;
  const header = (message: string): Example => ({ value: { error: message } });
  const invalid = responses['400'] as Answer | undefined;
  const others = (invalid?.content?.[JSON_TYPE]?.examples ?? {}) as Record<string, Example>;
  const answer = (description: string, schema: object, examples: Record<string, Example>) => ({
    ...errorAnswer(description),
    content: { [JSON_TYPE]: { schema, examples } },
  });
  responses['400'] = answer(
    `X-App-ID is not numeric (\`HeaderErrorResponse\`). ${invalid?.description ?? ''}`.trim(),
    { anyOf: [HEADER_ERROR, COMMON_ERROR] },
    { header: header('X-App-ID: must be numeric'), ...others },
  );
  const refusals = (responses['401'] as Answer | undefined)?.content?.[JSON_TYPE]?.examples ?? {};
  const { IDENTITY_SIGNATURE_REQUIRED: unsigned } = refusals as Record<string, Example>;
  responses['401'] = answer(
    `A header is missing, or the two do not match${unsigned ? ', or IDENTITY_SIGNATURE_REQUIRED' : ''}`,
    unsigned ? { anyOf: [HEADER_ERROR, COMMON_ERROR] } : HEADER_ERROR,
    {
      missing: header('The headers X-App-ID and X-Mobile-App-API-Key are both required'),
      wrong: header('X-App-ID and X-Mobile-App-API-Key do not match'),
      ...(unsigned && { IDENTITY_SIGNATURE_REQUIRED: unsigned }),
    },
  );
}
