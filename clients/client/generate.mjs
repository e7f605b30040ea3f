/**
 * Generates what the client knows of the API from dist/openapi.json, which `npm run build` writes: the types of the
 * Service, Mobile SDK and cross-platform APIs (schema.gen.ts), and a method for each of their operations
 * (operations.gen.ts).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';

const LAYER = /^(Service|Mobile SDK|Cross-platform): (.+)$/;
/** Groups that have another name than their tag. */
const GROUPS = {
  'short links': 'links',
  'contact groups': 'groups',
  'custom domains': 'domains',
  statistics: 'journeys',
};
/** Headers that the client handles by itself. */
const HANDLED = ['Idempotency-Key', 'Last-Event-ID'];
const LIST_FIELDS = ['content', 'items', 'segments'];

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../dist/openapi.json'), 'utf8'));
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]) => {
    const [, layer, tag] = LAYER.exec(operation.tags?.[0] ?? '') ?? [];
    return layer ? [describe(layer, tag, method, path, operation)] : [];
  }),
);
const events = Object.values(document.webhooks).map(
  ({ post }) => post.requestBody.content['application/json'].schema.$ref,
);

write('schema', await schema());
write('operations', methods());

function write(name, text) {
  writeFileSync(join(import.meta.dirname, `src/${name}.gen.ts`), text);
}

function describe(layer, tag, method, path, operation) {
  const parameters = (operation.parameters ?? []).map(resolve);
  const kept = parameters
    .filter(({ name }) => !HANDLED.includes(name))
    .map((parameter) => ({ ...parameter, wire: parameter.name, name: nameOf(parameter) }));
  const requestBody = asFile(operation.requestBody);
  const json = requestBody?.content['application/json']?.schema;
  const fields = json && resolve(json);
  const [success] = Object.entries(operation.responses).flatMap(([status, response]) =>
    status.startsWith('2') ? [resolve(response).content ?? {}] : [],
  );
  const queries = kept.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const ambiguous = queries.filter((name) => fields?.properties?.[name]);
  if (ambiguous.length > 0) throw new Error(`${operation.operationId}: ${ambiguous} is in query and body`);
  const list = queries.some((name) => name === 'cursor' || name === 'page')
    ? LIST_FIELDS.find((name) => resolve(success['application/json'].schema).properties[name])
    : undefined;
  return {
    id: operation.operationId,
    group: GROUPS[tag] ?? camelCase(tag),
    operation: { ...operation, requestBody, parameters: kept },
    method,
    path,
    list,
    isRequired:
      kept.some(({ required }) => required) ||
      (requestBody && !json) ||
      fields?.type === 'array' ||
      (fields?.required?.length ?? 0) > 0,
    table: {
      method: method.toUpperCase(),
      path,
      isForApp: layer !== 'Service' || undefined,
      takesKey: parameters.some(({ name }) => name === 'Idempotency-Key') || undefined,
      headers: object(
        kept.filter((parameter) => parameter.in === 'header').map(({ name, wire }) => [name, wire]),
      ),
      query: requestBody ? queries : undefined,
      body: requestBody ? (json ? (fields.type === 'array' ? 'items' : 'fields') : 'file') : undefined,
      list,
      maxSize: list && kept.find(({ name }) => name === 'size')?.schema.maximum,
      answer: success['text/event-stream'] ? 'events' : success['text/csv'] ? 'stream' : undefined,
    },
  };
}

/** A body that may be a file or JSON is a file. */
function asFile(body) {
  const csv = body?.content['text/csv'];
  return csv ? { ...body, content: { 'text/csv': csv } } : body;
}

/** `If-Match` is `ifMatch`, `X-Link-Password` is `linkPassword`. */
function nameOf(parameter) {
  return parameter.in === 'header' ? camelCase(parameter.name.replace(/^X-/, '')) : parameter.name;
}

function camelCase(text) {
  const [first, ...rest] = text.split(/[ -]/);
  return [
    first.toLowerCase(),
    ...rest.map((word) => word[0].toUpperCase() + word.slice(1).toLowerCase()),
  ].join('');
}

function object(entries) {
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function resolve(value) {
  if (!value.$ref) return value;
  return resolve(
    value.$ref
      .slice(2)
      .split('/')
      .reduce((node, key) => node[key], document),
  );
}

/** Types of the operations, and of the schemas that they and the webhooks use. */
async function schema() {
  const paths = {};
  for (const { path, method, operation } of operations) {
    const { operationId, parameters, requestBody, responses, summary } = operation;
    const successes = Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, { description, content }]) => [status, { description, content }]);
    paths[path] ??= {};
    paths[path][method] = {
      operationId,
      summary,
      parameters: parameters.map(({ wire: _wire, ...parameter }) => parameter),
      requestBody,
      responses: Object.fromEntries(successes),
    };
  }
  const names = new Set();
  collect([paths, events, '#/components/schemas/ErrorResponse'], names);
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).filter(([name]) => names.has(name)),
  );
  const { openapi, info } = document;
  const ast = await openapiTypescript(
    { openapi, info, paths, components: { schemas } },
    { defaultNonNullable: false },
  );
  return `${astToString(ast)}
/** What a webhook reports, by \`event\`. */
export type WebhookEvent = ${events.map((ref) => `components['schemas']['${ref.split('/').at(-1)}']`).join(' | ')};
`;
}

/** Adds the names of the schemas to which a value refers. */
function collect(value, names) {
  if (typeof value === 'string') {
    const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(value) ?? [];
    if (!name || names.has(name)) return;
    names.add(name);
    collect(document.components.schemas[name], names);
  } else if (value && typeof value === 'object') {
    for (const each of Object.values(value)) collect(each, names);
  }
}

function methods() {
  const groups = Map.groupBy
    ? Map.groupBy(operations, ({ group }) => group)
    : operations.reduce((all, one) => all.set(one.group, [...(all.get(one.group) ?? []), one]), new Map());
  const names = [...groups.keys()];
  const interfaceOf = (group) => group[0].toUpperCase() + group.slice(1);
  return `import type { LiveEvent } from './live-clicks';
import type { Listing } from './listing';
import type { Answer, CallOptions, Params } from './types';
import type { Operation } from './operation';

${names.map((group) => `export interface ${interfaceOf(group)} {\n${groups.get(group).map(method).join('\n')}\n}`).join('\n\n')}

/** The groups of operations. */
export abstract class Operations {
${names.map((group) => `  readonly ${group}: ${interfaceOf(group)};`).join('\n')}

  protected constructor(groupOf: <Group>(operations: Record<keyof Group, Operation>) => Group) {
${names
  .map(
    (group) => `    this.${group} = groupOf<${interfaceOf(group)}>({
${groups
  .get(group)
  .map(({ id, table }) => `      ${id}: ${JSON.stringify(table)},`)
  .join('\n')}
    });`,
  )
  .join('\n')}
  }
}
`;
}

function method({ id, operation, isRequired, list, table }) {
  const scope = operation['x-scope'] && `Scope: ${operation['x-scope']}`;
  const text = [operation.summary, operation.description, scope]
    .filter(Boolean)
    .join('\n\n')
    .replaceAll('*/', '*\\/')
    .replaceAll('\n', '\n   * ');
  const answer = list
    ? `Listing<Answer<'${id}'>, '${list}'>`
    : table.answer === 'events'
      ? 'AsyncIterable<LiveEvent>'
      : table.answer === 'stream'
        ? 'Promise<ReadableStream<Uint8Array>>'
        : `Promise<Answer<'${id}'>>`;
  return `  /**
   * ${text}
   */
  ${id}(params${isRequired ? '' : '?'}: Params<'${id}'>, options?: CallOptions): ${answer};`;
}
