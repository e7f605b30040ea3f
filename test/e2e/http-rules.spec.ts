import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { Logger } from '@nestjs/common';
import request from 'supertest';
import { API_HOST, TestApp, useTestApp } from '../support/test-app';
import { ProbeHook, ProbeModule } from '../support/probe.module';

const PROBE = '/api/v1/probe';
const JSON_TYPE = 'application/json';

describe('common HTTP rules', () => {
  const lines: Record<string, unknown>[] = [];
  const app = useTestApp({
    modules: [ProbeModule],
    env: { LOG_LEVEL: 'info' },
    logTo: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  });

  const get = (path: string) => request(app.url).get(path).set('Host', API_HOST);
  const post = (path: string) => request(app.url).post(path).set('Host', API_HOST);
  const send = (body: string | Buffer, type = JSON_TYPE) =>
    post(PROBE)
      .set('Content-Type', type)
      .serialize((x: unknown) => x as string)
      .send(body);
  const failing = (run: () => unknown) => {
    app.get(ProbeHook).run = run;
    return get(`${PROBE}/hook`);
  };

  describe('errors', () => {
    it('have the body of docs/api.md#errors with a code, a time of the service clock, and every invalid field', async () => {
      app.clock.set('2026-11-20T08:32:00.750Z');
      const { status, body, headers } = await post(PROBE).send({ name: 7, item: { number: 0 } });
      app.clock.run();
      expect(status).toBe(400);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(body).toEqual({
        status: 400,
        error: 'Bad Request',
        code: 'VALIDATION_FAILED',
        message: 'name: must be a string; item.number: must be an integer from 1 to 10',
        timestamp: '2026-11-20T08:32:00Z',
        details: [
          { field: 'name', message: 'must be a string' },
          { field: 'item.number', message: 'must be an integer from 1 to 10' },
        ],
      });
    });

    it('answer an unknown path with 404', async () => {
      const { status, body } = await get('/api/v1/nowhere?x=1');
      expect(status).toBe(404);
      expect(body.code).toBe('NOT_FOUND');
      expect(JSON.stringify(body)).not.toContain('nowhere');
    });

    it.each([
      ['patch', '/api/v1/service/urls', 'POST, GET, HEAD'],
      ['get', '/api/v1/console/login', 'POST'],
      ['post', '/health/live', 'GET, HEAD'],
      ['delete', '/api/openapi.json', 'GET, HEAD'],
      ['post', '/api/v1/console/organizations/1/users/2?x=1', 'GET, HEAD, PATCH, DELETE'],
      ['options', '/api/v1/console/login', 'POST'],
    ] as const)('answer %s %s, which is there for other methods, with 405', async (method, path, allowed) => {
      const { status, body, headers } = await request(app.url)[method](path).set('Host', API_HOST);
      expect([status, body.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
      const names = (text: string) => text.split(', ').sort();
      expect(names(headers.allow ?? '')).toEqual(names(allowed));
    });

    it('reveal only the request id of an unexpected failure, which the log contains', async () => {
      const { status, body, headers } = await failing(() => {
        throw new Error('the secret inside');
      });
      expect(status).toBe(500);
      expect(body).toEqual({
        status: 500,
        error: 'Internal Server Error',
        code: 'INTERNAL_ERROR',
        message: expect.any(String),
        timestamp: expect.any(String),
        requestId: headers['x-request-id'],
      });
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(JSON.stringify(body)).not.toMatch(/secret|at /);
      const line = lines.find((l) => l.msg === 'unexpected error');
      expect(line).toMatchObject({ level: 'error', requestId: body.requestId });
      expect(JSON.stringify(line)).toContain('the secret inside');
    });

    it('exclude values of a failed statement from body and log', async () => {
      const { status, body } = await failing(() => app.sql('SELECT $1::bigint', ['+4915112345678 secret']));
      expect(status).toBe(500);
      expect(JSON.stringify(body)).not.toMatch(/secret|bigint/);
      const line = JSON.stringify(lines.findLast((l) => l.msg === 'unexpected error'));
      expect(line).toContain('invalid input syntax for type bigint');
      expect(line).not.toContain('secret');
    });

    it.each([
      [
        'a refused connection',
        Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' }),
      ],
      [
        'a refused connection to every address',
        new AggregateError([Object.assign(new Error(), { code: 'ECONNREFUSED' })]),
      ],
      [
        'a server that shuts down',
        Object.assign(new Error('terminating'), {
          driverError: Object.assign(new Error(), { code: '57P01' }),
        }),
      ],
      ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
      ['a lost Redis', new Error('Connection is closed.')],
    ])('answer %s with 503 and Retry-After', async (_, error) => {
      const { status, body, headers } = await failing(() => {
        throw error;
      });
      expect(status).toBe(503);
      expect(body.code).toBe('UNAVAILABLE');
      expect(headers['retry-after']).toBe('5');
      expect(JSON.stringify(body)).not.toContain('10.0.0.1');
    });

    it('answer a real statement timeout with 503', async () => {
      const { status } = await failing(() => app.sql('SELECT pg_terminate_backend(pg_backend_pid())'));
      expect(status).toBe(503);
    });

    it('abort a response that has started instead of completing it', async () => {
      await expect(get(`${PROBE}/stream`)).rejects.toThrow(/aborted|hang up|reset/i);
    });
  });

  describe('bodies', () => {
    it('accept JSON in UTF-8 only', async () => {
      expect((await send('{"name":"ü"}', 'application/json; charset=UTF-8')).body.name).toBe('ü');
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=latin1',
        'json',
      ]) {
        const { status, body } = await send('{"name":"a"}', type);
        expect([type, status, body.code]).toEqual([type, 415, 'UNSUPPORTED_MEDIA_TYPE']);
      }
    });

    it('name the missing field of an absent body', async () => {
      const { status, body } = await post(PROBE);
      expect(status).toBe(400);
      expect(body.details).toEqual([{ field: 'name', message: 'is required' }]);
    });

    it.each(['{', '{"name":"a",}', "{'name':1}", 'NaN', '{"name":"\u0001"}', ']', '"'])(
      'refuse what is not JSON: %j',
      async (text) => {
        const { status, body } = await send(text);
        expect(status).toBe(400);
        expect(body.code).toBe('MALFORMED_JSON');
        expect(body.message).toBe('The body is not valid JSON');
      },
    );

    it('refuse bytes that are not UTF-8', async () => {
      const { status, body } = await send(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'MALFORMED_JSON', message: 'The body is not valid UTF-8' });
    });

    it('refuse deep nesting before parsing, and ignore brackets in strings', async () => {
      for (const text of ['['.repeat(33), '['.repeat(100_000), '{"a":'.repeat(100_000)]) {
        const { status, body } = await send(text);
        expect(status).toBe(400);
        expect(body.code).toBe('MALFORMED_JSON');
        expect(body.message).toContain('deeper');
      }
      const inText = JSON.stringify({ name: 'a', note: `\\"${'['.repeat(50)}` });
      expect((await send(inText)).status).toBe(201);
      const inDepth = `{"name":"a","note":${'['.repeat(31)}${']'.repeat(31)}}`;
      expect((await send(inDepth)).status).toBe(201);
    });

    it('are not harmed by __proto__ and constructor', async () => {
      const { status, body } = await send(
        '{"__proto__":{"name":"evil","admin":true},"constructor":{"prototype":{"admin":true}},"name":"a"}',
      );
      expect(status).toBe(201);
      expect(body.name).toBe('a');
      expect(({} as { admin?: boolean }).admin).toBeUndefined();
      const inherited = await send('{"__proto__":{"name":"evil"}}');
      expect(inherited.body.details).toEqual([{ field: 'name', message: 'is required' }]);
    });

    it('may have 1 MiB, on bulk routes 5 MiB', async () => {
      const ofSize = (mib: number) => `{"name":"a","pad":"${'x'.repeat(mib * 1024 * 1024 - 21)}"}`;
      expect(Buffer.byteLength(ofSize(1))).toBe(1024 * 1024);
      expect((await send(ofSize(1))).status).toBe(201);
      const tooLarge = await send(`${ofSize(1)} `);
      expect(tooLarge.status).toBe(413);
      expect(tooLarge.body).toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
        message: 'The body is larger than 1 MiB',
      });
      const bulk = (text: string) => post(`${PROBE}/bulk`).set('Content-Type', JSON_TYPE).send(text);
      expect((await bulk(ofSize(5))).status).toBe(201);
      expect((await bulk(`${ofSize(5)} `)).status).toBe(413);
    });

    it('are measured after decompression', async () => {
      const zipped = (body: Buffer, encoding = 'gzip') =>
        post(PROBE)
          .set({ 'Content-Type': JSON_TYPE, 'Content-Encoding': encoding })
          .serialize((x: unknown) => x as string)
          .send(body);
      expect((await zipped(gzipSync('{"name":"a"}'))).status).toBe(201);
      const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, 0x20));
      expect(bomb.length).toBeLessThan(1024 * 1024);
      expect((await zipped(bomb)).body.code).toBe('PAYLOAD_TOO_LARGE');
      for (const [encoding, compress] of Object.entries({ deflate: deflateSync, br: brotliCompressSync })) {
        const { body } = await zipped(compress(Buffer.alloc(2 ** 21, 0x20)), encoding);
        expect([encoding, body.code]).toEqual([encoding, 'PAYLOAD_TOO_LARGE']);
      }
      expect((await zipped(Buffer.from('{"name":"a"}'))).body.code).toBe('MALFORMED_JSON');
      expect((await zipped(Buffer.from('{"name":"a"}'), 'lzma')).status).toBe(415);
    });

    it('are text if the route declares it', async () => {
      const { body } = await post(`${PROBE}/text`).set('Content-Type', 'text/csv').send('a,b');
      expect(body).toEqual({ text: 'a,b' });
      expect((await post(`${PROBE}/text`).send({ a: 1 })).status).toBe(415);
    });

    it('treat null as absent for a field with a default', async () => {
      expect((await post(PROBE).send({ name: 'a', color: null })).body.color).toBe('none');
      expect((await post(PROBE).send({ name: 'a' })).body.color).toBe('none');
    });
  });

  describe('queries and paths', () => {
    it('decode escapes, plus signs and empty values, and ignore unknown parameters', async () => {
      const { body } = await get(`${PROBE}?word=a+b%20%C3%BC&&later=1&later=2&__proto__=x&constructor=y`);
      expect(body).toEqual({ page: 0, word: 'a b ü' });
      expect((await get(`${PROBE}?word=`)).body.word).toBe('');
    });

    it('refuse invalid percent-encoded UTF-8', async () => {
      const query = await get(`${PROBE}?word=%E0%A4%A`);
      expect(query.status).toBe(400);
      expect(query.body.details).toEqual([{ field: 'word', message: 'must be percent-encoded UTF-8' }]);
      const path = await get(`${PROBE}/%E0%A4%A`);
      expect(path.status).toBe(400);
      expect(path.body.details).toEqual([{ field: 'path', message: 'must be percent-encoded UTF-8' }]);
      const many = await get(`${PROBE}?${'a&'.repeat(2000)}`);
      expect(many.status).toBe(400);
    });
  });

  describe('headers and logs', () => {
    it('keep a valid request id and replace any other', async () => {
      const id = (given?: string) => {
        const call = get(`${PROBE}/1`);
        return (given === undefined ? call : call.set('X-Request-Id', given)).then(
          (r) => r.headers['x-request-id'],
        );
      };
      expect(await id('abc.DEF_1-2')).toBe('abc.DEF_1-2');
      const made = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
      for (const given of [undefined, 'x'.repeat(65), 'a b', 'a"b', 'a,b'])
        expect(await id(given)).toMatch(made);
    });

    it('mark every response as no-store and nosniff', async () => {
      for (const path of [`${PROBE}/1`, `${PROBE}/x`, '/api/v1/nowhere']) {
        const { headers } = await get(path);
        expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
        expect(headers).not.toHaveProperty('x-powered-by');
        expect(headers).not.toHaveProperty('etag');
        expect(headers).toHaveProperty('x-request-id');
      }
    });

    it('log messages of classes in the same format, errors with their stack', () => {
      lines.length = 0;
      new Logger('Probe').warn('attention');
      new Logger('Probe').error('failed', new Error('why').stack);
      new Logger('InstanceLoader').log('module loaded');
      expect(lines).toEqual([
        expect.objectContaining({ level: 'warn', context: 'Probe', msg: 'attention' }),
        expect.objectContaining({
          level: 'error',
          context: 'Probe',
          msg: 'failed',
          stack: expect.stringContaining('Error: why\n    at '),
        }),
      ]);
    });

    it('log one line per request, without query, headers, body or IP address', async () => {
      lines.length = 0;
      await post(`${PROBE}/bulk?word=hidden-query`)
        .set({ 'X-Request-Id': 'log-1', 'X-API-KEY': 'hidden-key' })
        .send({ name: 'hidden-body' });
      await get(`${PROBE}/77`).set('X-Request-Id', 'log-2');
      await get('/health/live').set('X-Request-Id', 'log-3');
      const of = (id: string) => lines.filter((line) => line.requestId === id);
      expect(of('log-1')).toEqual([
        {
          level: 'info',
          time: expect.any(String),
          pid: process.pid,
          requestId: 'log-1',
          method: 'POST',
          route: `${PROBE}/bulk`,
          status: 201,
          durationMs: expect.any(Number),
          msg: 'request',
        },
      ]);
      expect(of('log-2')[0]?.route).toBe(`${PROBE}/:id`);
      expect(of('log-3')).toEqual([]);
      expect(JSON.stringify(lines)).not.toMatch(/hidden|127\.0\.0\.1|waypost\.test/);
    });
  });

  describe('connections', () => {
    it('are kept alive longer than by a proxy, and those of visitors for seconds', async () => {
      const keptFor = async (url: string) => {
        const { headers } = await request(url).get('/health/live').set('Connection', 'keep-alive');
        return headers['keep-alive'];
      };
      expect(await keptFor(app.url)).toBe('timeout=130');
      const direct = await TestApp.start({ env: { TRUST_PROXY: '0' } });
      expect(await keptFor(direct.url)).toBe('timeout=5');
      await direct.close();
    });
  });
});
