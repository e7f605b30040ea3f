import type { OpenAPIObject } from '@nestjs/swagger';
import { CROSS_PLATFORM_API } from '../access/access.decorator';
import { ORGANIZATION_API, SERVICE_API } from '../access/service-controller';
import type { ErrorCode } from '../common/errors/error-codes';
import { HAS_ETAG } from '../infrastructure/edits/editable.decorator';
import { completeBody } from './bodies';
import { type Answer, completeErrors, errorAnswer, errorExamples, sayHeaderErrors } from './errors';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Parameter = Exclude<NonNullable<Operation['parameters']>[number], { $ref: string }>;

/** Responses shared by operations, by their names in the document's components. */
const ANSWERS = {
  NotFound: 'Not found, or owned by another organization: NOT_FOUND',
  PayloadTooLarge: 'The body is larger than 1 MiB (5 MiB for bulk): PAYLOAD_TOO_LARGE',
  UnsupportedMediaType:
    'The body is not UTF-8, has a media type that the operation does not accept, or an unknown ' +
    'compression: UNSUPPORTED_MEDIA_TYPE',
  IdempotencyKeyReused: 'The Idempotency-Key was used with another body: IDEMPOTENCY_KEY_REUSED',
  InternalError: 'An internal error: INTERNAL_ERROR (with `requestId`)',
  Unavailable: 'A data store is unavailable; retry after `Retry-After` seconds: UNAVAILABLE',
} as const;

const HEADERS = {
  'X-Request-Id': 'Identifies this request in the logs; the one sent, if it was well-formed',
  'RateLimit-Limit':
    'Calls per minute allowed for the organization, the app, its address or the user of the console',
  'RateLimit-Remaining': 'Calls remaining in the current window',
  'RateLimit-Reset': 'Seconds until the window resets',
  ETag: 'State of the resource, for `If-Match`; counts and other fields that nobody edits are no part of it',
  'Idempotency-Replayed':
    '`true` if this is the response to an earlier request with the same Idempotency-Key',
} as const;

type AnswerName = keyof typeof ANSWERS;
type HeaderName = keyof typeof HEADERS;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const IDEMPOTENT = [SERVICE_API, ORGANIZATION_API];
const RATED = [...IDEMPOTENT, CROSS_PLATFORM_API, '/api/v1/sdk/'];

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request safe to repeat: for 24 h, a request with the same key, path and body gets the ' +
    'response of the first',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: 'c0a8f1f0-order-4711',
};

/** The error codes implied by an operation's path and input. */
function commonCodes(
  method: (typeof METHODS)[number],
  { parameters = [], requestBody, responses }: Operation,
  idempotent: boolean,
  edits: boolean,
): ErrorCode[] {
  const codes: ErrorCode[] = parameters.length > 0 || requestBody ? ['VALIDATION_FAILED'] : [];
  const namesResource = parameters.some((parameter) => 'in' in parameter && parameter.in === 'path');
  const upserts = method === 'put' && '201' in responses;
  if (namesResource && !upserts) codes.push('NOT_FOUND');
  const body = requestBody as { content: object } | undefined;
  if (body && 'application/json' in body.content) codes.push('MALFORMED_JSON');
  if (idempotent) codes.push('IDEMPOTENCY_IN_PROGRESS');
  if (edits) codes.push('EDIT_CONFLICT');
  return codes;
}

/** Adds to every operation the responses implied by common rules. Documented responses are kept. */
export function addCommonAnswers(document: OpenAPIObject): void {
  const components = (document.components ??= {});
  components.headers = Object.fromEntries(
    Object.entries(HEADERS).map(([name, description]) => [
      name,
      { description, schema: { type: name.startsWith('RateLimit') ? 'integer' : 'string' } },
    ]),
  );
  components.parameters = { 'Idempotency-Key': IDEMPOTENCY_KEY };

  const schemas = (components.schemas ??= {});
  const used = new Set<AnswerName>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      completeBody(operation, schemas);
      const idempotent = method === 'post' && IDEMPOTENT.some((prefix) => path.startsWith(prefix));
      completeErrors(operation, schemas, commonCodes(method, operation, idempotent, isEdit(item, method)));
      const rated = RATED.some((prefix) => path.startsWith(prefix));
      complete(
        operation,
        { idempotent, rated, edits: isEdit(item, method), tagged: isTagged(item, method) },
        used,
      );
      if (path.startsWith(CROSS_PLATFORM_API)) sayHeaderErrors(operation, schemas);
    }
  }
  for (const item of Object.values(document.paths)) {
    for (const method of METHODS) if (item[method]) Reflect.deleteProperty(item[method], HAS_ETAG);
  }
  components.responses = Object.fromEntries([...used].map((name) => [name, errorAnswer(ANSWERS[name])]));
  components.examples = errorExamples(JSON.stringify([document.paths, components.responses]));
}

function isEdit(item: OpenAPIObject['paths'][string], method: string): boolean {
  return (method === 'put' || method === 'patch') && HAS_ETAG in (item[method] ?? {});
}

/** Whether the operation is an edit, or the GET of an editable resource. */
function isTagged(item: OpenAPIObject['paths'][string], method: string): boolean {
  if (method === 'put' || method === 'patch') return isEdit(item, method);
  return method === 'get' && (isEdit(item, 'put') || isEdit(item, 'patch'));
}

function complete(
  operation: Operation,
  { idempotent, rated, edits, tagged }: Record<'idempotent' | 'rated' | 'edits' | 'tagged', boolean>,
  used: Set<AnswerName>,
): void {
  if (idempotent) {
    (operation.parameters ??= []).push({ $ref: '#/components/parameters/Idempotency-Key' });
  }
  // Explicitly empty, which marks public operations.
  operation.security ??= [];
  for (const [status, name] of answersOf(operation, idempotent)) {
    if (operation.responses[status]) continue;
    operation.responses[status] = { $ref: `#/components/responses/${name}` };
    used.add(name);
  }
  const headers: HeaderName[] = ['X-Request-Id'];
  if (rated) headers.push('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset');
  if (idempotent) headers.push('Idempotency-Replayed');
  if (tagged) headers.push('ETag');
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (status.startsWith('2') && answer) addHeaders(answer as Answer, headers);
    // EDIT_CONFLICT has the ETag of the stored state.
    if (status === '409' && edits && answer) addHeaders(answer as Answer, ['ETag']);
  }
}

function answersOf({ requestBody }: Operation, idempotent: boolean): [string, AnswerName][] {
  const answers: [string, AnswerName][] = [
    ['404', 'NotFound'],
    ['500', 'InternalError'],
    ['503', 'Unavailable'],
  ];
  if (requestBody) answers.push(['413', 'PayloadTooLarge'], ['415', 'UnsupportedMediaType']);
  if (idempotent) answers.push(['422', 'IdempotencyKeyReused']);
  return answers;
}

function addHeaders(answer: Answer, names: readonly HeaderName[]): void {
  const refs = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  answer.headers = { ...(Object.fromEntries(refs) as Answer['headers']), ...answer.headers };
}
