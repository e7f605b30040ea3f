import { CONSTRUCTOR, DEEP, Fuzzer, INFINITE, LONE, NUL, PROTO, TOO_BIG, toJson } from '../support/fuzzer';
import { fill, type OpenApi, type Parameter, type Route, type Schema } from '../support/openapi';
import type { RawAnswer } from '../support/raw-http';
import { useTestApp } from '../support/test-app';

/** Random requests to each route; FUZZ_RUNS=2000 and a lunch break find more. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 8);
const MIB = 1024 * 1024;
/** Lists whose items fail individually: their errors are in a successful response. */
const ITEM_BY_ITEM = [
  'importUnsubscribes.items',
  'registerUnsubscribes.items',
  'createShortUrls.items',
  'createCampaigns.items',
];
const isItem = (value: unknown) => Array.isArray(value) && value.length > 0;

function typesOf({ type }: Schema): string[] {
  return [type ?? 'object'].flat();
}

/** Values just outside what the schema allows. */
function outside({ enum: values, minimum, maximum, minLength, pattern, format, ...list }: Schema): unknown[] {
  const items = (count: number) => Array.from({ length: count }, (_, i) => `item ${i}`);
  const other = '~ none of them ~';
  return [
    ...(values || (pattern && !new RegExp(pattern, 'u').test(other)) ? [other] : []),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(minLength ? [' '.repeat(minLength - 1)] : []),
    ...(format?.startsWith('date') ? ['2026-02-30', 'tomorrow'] : []),
    ...(list.minItems ? [[]] : []),
    ...(list.maxItems === undefined ? [] : [items(list.maxItems + 1)]),
  ];
}

/** Values that are invalid for this schema in any endpoint. */
function wrongValues(schema: Schema): unknown[] {
  const [type = 'object'] = typesOf(schema);
  const anyway = [INFINITE, TOO_BIG, DEEP, PROTO, CONSTRUCTOR, ...outside(schema)];
  // A number or a numeric string.
  if (schema.oneOf) return [...anyway, 'x', NUL, true, [], {}, -1];
  switch (type) {
    case 'string':
      return [
        ...[...anyway, 7, -1, true, [], {}, ['a'], NUL, LONE],
        ...(/Truncated to \d+ characters/.test(schema.description ?? '')
          ? []
          : ['x'.repeat((schema.maxLength ?? 5000) + 1)]),
      ];
    case 'integer':
    case 'number':
      return [
        ...[...anyway, 'x', NUL, true, [], {}, [1]],
        ...(type === 'integer' ? [1.5] : []),
        ...((schema.minimum ?? -1) >= 0 ? [-1] : []),
      ];
    case 'boolean':
      return [...anyway, 'x', 'true', 0, 1, [], {}, NUL];
    case 'array':
      return [
        ...[INFINITE, TOO_BIG, PROTO, CONSTRUCTOR, ...outside(schema)],
        ...['x', 7, true, {}, [NUL], [LONE], [[]], [{}], [CONSTRUCTOR]],
      ];
    default:
      return [INFINITE, TOO_BIG, 'x', 7, true, [], [1], [[]], NUL];
  }
}

/** Encoded values that are invalid for a parameter of this schema. */
function wrongTexts({ schema }: Parameter): string[] {
  const { maxLength, ...rest } = schema.items ?? schema;
  const [type = 'string'] = typesOf(rest);
  const wrong = outside(rest).map((value) => encodeURIComponent(String(value)));
  const broken = ['%00', '%E0%A4%A', '%ED%A0%80', ...wrong];
  if (type === 'string') return maxLength ? [...broken, 'x'.repeat(maxLength + 1)] : broken;
  if (type === 'boolean') return [...broken, 'x', '1', 'TRUE', '%5B%5D'];
  return [
    ...broken,
    'x',
    '1.5',
    '1e400',
    '9223372036854775808',
    '0x10',
    '%5B%5D',
    'null',
    '-9223372036854775809',
  ];
}

describe('every field of every route', () => {
  jest.setTimeout(600_000);
  const app = useTestApp();
  let fuzzer: Fuzzer;
  let api: OpenApi;
  let routes: readonly Route[];

  beforeAll(async () => {
    fuzzer = await Fuzzer.make(app);
    ({ api, routes } = fuzzer);
  });
  afterAll(() => fuzzer.close());

  const good = (route: Route) => fuzzer.good(route);
  const exampleBody = (route: Route) => fuzzer.exampleBody(route);
  const send = (route: Route, path: string, query?: string, body?: string) =>
    fuzzer.send(route, path, query, body);

  /** The fault in a response to invalid input, or null. */
  function problem({ status, body }: RawAnswer, field: string): string | null {
    if (status < 400 || status >= 500) return `answered ${status}`;
    const { details = [] } = (body ?? {}) as { details?: { field: string }[] };
    const named = details.some(
      (detail) =>
        detail.field === field ||
        detail.field.startsWith(`${field}.`) ||
        detail.field.startsWith(`${field}[`),
    );
    return named ? null : `${status} names ${JSON.stringify(details.map((detail) => detail.field))}`;
  }

  it('refuses wrong types, lengths and characters in bodies, by name', async () => {
    const problems: string[] = [];
    let sent = 0;
    for (const route of routes) {
      const schema = api.bodyOf(route);
      const path = fill(route.path, good(route));
      for (const [field, given] of Object.entries(schema?.properties ?? {})) {
        const alone = ITEM_BY_ITEM.includes(`${route.operationId}.${field}`);
        const values = wrongValues(api.resolve(given)).filter((each) => !alone || !isItem(each));
        const bodies = values.map((value) => toJson({ ...exampleBody(route), [field]: value }));
        const answers = await Promise.all(bodies.map((body) => send(route, path, '', body)));
        for (const [i, answer] of answers.entries()) {
          sent++;
          const found = problem(answer, field);
          if (found)
            problems.push(`${route.operationId} ${field}=${toJson(values[i]).slice(0, 60)}: ${found}`);
        }
      }
    }
    expect(problems).toEqual([]);
    expect(sent).toBeGreaterThan(300);
  });

  it('refuses invalid query parameters, given once or twice, by name', async () => {
    const problems: string[] = [];
    for (const route of routes) {
      const path = fill(route.path, good(route));
      const body = api.bodyOf(route) && toJson(exampleBody(route));
      for (const parameter of (route.parameters ?? []).filter((p) => p.in === 'query')) {
        const { name } = parameter;
        const twice = typesOf(parameter.schema).includes('array') ? [] : [`${name}=1&${name}=1`];
        for (const query of [...wrongTexts(parameter).map((text) => `${name}=${text}`), ...twice]) {
          const found = problem(await send(route, path, query, body), name);
          if (found) problems.push(`${route.operationId} ${query.slice(0, 60)}: ${found}`);
        }
      }
    }
    expect(problems).toEqual([]);
  });

  it('refuses invalid path parameters, numbers by name', async () => {
    const problems: string[] = [];
    for (const route of routes) {
      const body = api.bodyOf(route) && toJson(exampleBody(route));
      for (const parameter of (route.parameters ?? []).filter((p) => p.in === 'path')) {
        // Ids of other systems are any non-blank text.
        const odd = parameter.name.startsWith('external') ? [] : ['__proto__', '..%2f'];
        for (const text of [...wrongTexts(parameter), ...odd, 'x'.repeat(5000), '%20']) {
          const path = fill(route.path, { ...good(route), [parameter.name]: 'WRONG' }).replace('WRONG', text);
          const answer = await send(route, path, '', body);
          const broken = text.includes('%E0') || text.includes('%ED');
          const numeric = typesOf(parameter.schema).includes('integer');
          const found = numeric
            ? problem(answer, broken ? 'path' : parameter.name)
            : answer.status >= 500 || answer.status < 400
              ? `answered ${answer.status}`
              : null;
          if (found) problems.push(`${route.operationId} ${parameter.name}=${text.slice(0, 60)}: ${found}`);
        }
      }
    }
    expect(problems).toEqual([]);
  });

  it('refuses bodies that are too deep, too large or not objects, and survives names of Object.prototype', async () => {
    const large = JSON.stringify({ pad: 'x'.repeat(10 * MIB) });
    for (const route of routes.filter((each) => api.bodyOf(each))) {
      const path = fill(route.path, good(route));
      const outcome = async (body: string) => {
        const answer = await send(route, path, '', body);
        return [route.operationId, answer.status, (answer.body as { code?: string } | undefined)?.code];
      };
      const { operationId } = route;
      expect(await outcome('['.repeat(100_000))).toEqual([operationId, 400, 'MALFORMED_JSON']);
      expect(await outcome('{"a":'.repeat(100_000))).toEqual([operationId, 400, 'MALFORMED_JSON']);
      expect(await outcome(large)).toEqual([operationId, 413, 'PAYLOAD_TOO_LARGE']);
      for (const body of ['[]', '7', '"x"', '1e400']) {
        expect(await outcome(body)).toEqual([operationId, 400, 'VALIDATION_FAILED']);
      }
      const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON'];
      for (const name of names) {
        const [, status] = await outcome(
          toJson({ [name]: 1, ...exampleBody(route) }).replace('{', `{"${name}":{"a":1},`),
        );
        expect(status).toBeLessThan(500);
      }
    }
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  it('never fails on anything else', async () => {
    for (const route of routes) {
      await fuzzer.sendRandom(route, RUNS, (status) =>
        expect([route.operationId, status < 500]).toEqual([route.operationId, true]),
      );
    }
  });
});
