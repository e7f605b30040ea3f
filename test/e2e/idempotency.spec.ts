import request from 'supertest';
import { Database } from '../../src/infrastructure/database/database';
import { IdempotencyStore } from '../../src/infrastructure/idempotency/idempotency-store';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { API_HOST, useTestApp } from '../support/test-app';
import { ProbeHook, ProbeModule, ServiceProbeController } from '../support/probe.module';

const PATH = '/api/v1/service/probe';
const DAY_MS = 24 * 60 * 60 * 1000;

describe('Idempotency-Key', () => {
  const app = useTestApp({ modules: [ProbeModule], env: { DATABASE_POOL: '6' } });
  let first: number;
  let second: number;
  const committed = ServiceProbeController.committed;

  beforeAll(async () => {
    await app.sql('CREATE TABLE probe (id bigint GENERATED ALWAYS AS IDENTITY, name text)');
    [first, second] = [
      (await createOrganization(app)).organizationId,
      (await createOrganization(app)).organizationId,
    ];
  });
  beforeEach(async () => {
    await app.sql('TRUNCATE probe, idempotency_keys');
    committed.length = 0;
    app.get(ProbeHook).run = () => undefined;
  });

  interface Call {
    key?: string;
    path?: string;
    organizationId?: number;
    color?: string;
  }
  const post = (name: string, { key = 'k', path = PATH, organizationId = first, color }: Call = {}) =>
    request(app.url)
      .post(path)
      .set({ Host: API_HOST, 'X-Test-Organization': String(organizationId), 'Idempotency-Key': key })
      .send({ name, color });
  const names = async () =>
    (await app.sql<{ name: string }>('SELECT name FROM probe ORDER BY id')).map((r) => r.name);

  it('replays status, body and headers of the first response, without another change', async () => {
    const one = await post('a');
    const two = await post('a');
    expect(one.status).toBe(201);
    expect(one.headers).not.toHaveProperty('idempotency-replayed');
    expect(two.status).toBe(201);
    expect(two.text).toBe(one.text);
    expect(two.headers).toMatchObject({
      location: one.headers.location as string,
      'content-type': one.headers['content-type'] as string,
      'idempotency-replayed': 'true',
    });
    expect(two.headers['x-request-id']).not.toBe(one.headers['x-request-id']);
    expect(await names()).toEqual(['a']);
    expect(committed).toHaveLength(1);
  });

  it('replays a status that the handler chose', async () => {
    expect((await post('a', { color: 'old' })).status).toBe(200);
    expect((await post('a', { color: 'old' })).status).toBe(200);
  });

  it('does nothing without the header', async () => {
    const bare = () =>
      request(app.url)
        .post(PATH)
        .set({ Host: API_HOST, 'X-Test-Organization': String(first) });
    await bare().send({ name: 'a' });
    await bare().send({ name: 'a' });
    expect(await names()).toEqual(['a', 'a']);
  });

  it('refuses the key with another body or query', async () => {
    await post('a');
    for (const repeat of [post('b'), post('a', { path: `${PATH}?async=true` })]) {
      const { status, body } = await repeat;
      expect(status).toBe(422);
      expect(body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    }
    expect(await names()).toEqual(['a']);
  });

  it('separates keys, paths and organizations', async () => {
    await post('a');
    await post('b', { key: 'other' });
    await post('c', { path: `${PATH}/other` });
    await post('d', { organizationId: second });
    expect(await names()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('replays a refusal byte for byte, and rolls back earlier changes', async () => {
    app.clock.set('2026-11-20T08:00:00Z');
    const one = await post('a', { color: 'refused' });
    app.clock.advance(60_000);
    const two = await post('a', { color: 'refused' });
    app.clock.run();
    expect(one.status).toBe(409);
    expect(one.body).toMatchObject({ code: 'ALIAS_TAKEN', timestamp: '2026-11-20T08:00:00Z' });
    expect([two.status, two.text]).toEqual([409, one.text]);
    expect(two.headers['idempotency-replayed']).toBe('true');
    expect(await names()).toEqual([]);
    expect(committed).toEqual([]);
  });

  it('stores nothing when a statement fails unexpectedly', async () => {
    await app.sql('CREATE UNIQUE INDEX probe_name ON probe (name)');
    await post('a', { key: 'one' });
    const failed = await post('a', { key: 'two' });
    await app.sql('DROP INDEX probe_name');
    expect(failed.status).toBe(500);
    expect((await post('a', { key: 'two' })).status).toBe(201);
  });

  it('replays a validation error', async () => {
    const one = await post('x'.repeat(30));
    const two = await post('x'.repeat(30));
    expect([one.status, two.status]).toEqual([400, 400]);
    expect(two.text).toBe(one.text);
  });

  it('does not let slow requests of one organization hold up those of others', async () => {
    let release: (value?: unknown) => void = () => undefined;
    const held = new Promise((resolve) => (release = resolve));
    let begun = 0;
    app.get(ProbeHook).run = () => {
      begun++;
      return held;
    };
    const crowd = Array.from({ length: 10 }, (_, i) =>
      post('a', { key: `crowd ${i}` }).then((r) => r.status),
    );
    await eventually(async () => expect(begun).toBeGreaterThan(1));
    app.get(ProbeHook).run = () => undefined;
    for (let i = 0; i < 5; i++) {
      expect((await post('b', { key: `${i}`, organizationId: second })).status).toBe(201);
    }
    release();
    expect(await Promise.all(crowd)).toEqual(Array(10).fill(201));
  });

  it('executes one of many parallel requests; the others get a conflict or its response', async () => {
    let release: (value?: unknown) => void = () => undefined;
    const held = new Promise((resolve) => (release = resolve));
    const entered = new Promise<void>((enter) => {
      app.get(ProbeHook).run = () => {
        enter();
        return held;
      };
    });
    const started = post('a').then((r) => r);
    await entered;
    const early = await post('a');
    expect([early.status, early.body.code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
    expect(early.headers['retry-after']).toBe('1');
    const crowd = Array.from({ length: 20 }, () => post('a').then((r) => r));
    release();
    const answers = [await started, ...(await Promise.all(crowd))];
    for (const { status, text } of answers) {
      if (status === 409) continue;
      expect([status, text]).toEqual([201, answers[0]?.text]);
    }
    expect(answers[0]?.status).toBe(201);
    expect(await names()).toEqual(['a']);
  });

  it('does not starve handlers that need a second connection', async () => {
    app.get(ProbeHook).run = () => app.sql('SELECT 1');
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => post('a', { key: `k${i}` })));
    expect(answers.map((answer) => answer.status)).toEqual(Array(30).fill(201));
  });

  it('stores neither change nor response when the process fails before the commit', async () => {
    const store = jest.spyOn(app.get(IdempotencyStore), 'store').mockRejectedValueOnce(new Error('killed'));
    expect((await post('a')).status).toBe(500);
    store.mockRestore();
    expect(await names()).toEqual([]);
    expect(committed).toEqual([]);
    expect((await post('a')).status).toBe(201);
    expect(await names()).toEqual(['a']);
  });

  it('stores neither change nor response when the connection is lost after both were written', async () => {
    const answers = app.get(IdempotencyStore);
    const original = answers.store.bind(answers);
    const store = jest.spyOn(answers, 'store').mockImplementationOnce(async (tx, ...rest) => {
      await original(tx, ...rest);
      await tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
    });
    expect((await post('a')).status).toBe(503);
    store.mockRestore();
    expect(await names()).toEqual([]);
    expect(committed).toEqual([]);
    expect((await post('a')).status).toBe(201);
  });

  it('does not store a failure of the service', async () => {
    app.get(ProbeHook).run = () => {
      throw new Error('once');
    };
    expect((await post('a')).status).toBe(500);
    app.get(ProbeHook).run = () => undefined;
    const again = await post('a');
    expect(again.status).toBe(201);
    expect(again.headers).not.toHaveProperty('idempotency-replayed');
  });

  it('runs after-commit hooks only after the outer commit', async () => {
    let seen: number[] | undefined;
    const answers = app.get(IdempotencyStore);
    const original = answers.store.bind(answers);
    const store = jest.spyOn(answers, 'store').mockImplementationOnce(async (...all) => {
      await original(...all);
      seen = [...committed];
    });
    await post('a');
    store.mockRestore();
    expect(seen).toEqual([]);
    expect(committed).toHaveLength(1);
  });

  it('expires after 24 hours of the service clock, and the schedule deletes expired keys', async () => {
    app.clock.set('2026-11-20T08:00:00Z');
    await post('a');
    await post('z', { key: 'stale' });
    app.clock.advance(DAY_MS - 1);
    expect((await post('a')).headers['idempotency-replayed']).toBe('true');
    app.clock.advance(1);
    const fresh = await post('b');
    expect([fresh.status, fresh.body.name]).toEqual([201, 'b']);
    expect((await post('b')).headers['idempotency-replayed']).toBe('true');
    await app.get(IdempotencyStore).deleteExpired();
    const rows = await app.sql('SELECT 1 FROM idempotency_keys');
    app.clock.run();
    expect(rows).toHaveLength(1);
  });

  it.each(['', 'x'.repeat(256), 'schlüssel'])('refuses the key %j by name', async (key) => {
    const { status, body } = await post('a', { key: Buffer.from(key, 'utf8').toString('latin1') });
    expect(status).toBe(400);
    expect(body.details).toEqual([
      { field: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' },
    ]);
  });

  it('accepts a key of 255 characters', async () => {
    expect((await post('a', { key: '~'.repeat(255) })).status).toBe(201);
  });

  it('can roll back inner changes separately', async () => {
    await app.get(Database).write(async (tx) => {
      await tx.query(`INSERT INTO probe (name) VALUES ('kept')`);
      tx.afterCommit(() => void committed.push(1));
      const inner = tx.attempt(() =>
        tx.attempt(async () => {
          tx.afterCommit(() => void committed.push(2));
          await tx.query(`INSERT INTO probe (name) VALUES ('undone')`);
          await tx.query('SELECT 1 / 0');
        }),
      );
      await expect(inner).rejects.toThrow('division by zero');
      await tx.attempt(() => tx.query(`INSERT INTO probe (name) VALUES ('also')`));
    });
    expect(await names()).toEqual(['kept', 'also']);
    expect(committed).toEqual([1]);
  });
});
