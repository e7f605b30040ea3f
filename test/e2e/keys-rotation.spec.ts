import { parseEncryptionKeys } from '../../src/config/encryption-keys';
import { EncryptedColumns } from '../../src/infrastructure/encryption/encrypted-columns';
import { ENCRYPTED_COLUMNS, rotateKeys } from '../../src/cli/rotate-keys';
import { CONTACTS, createBook } from '../support/contacts';
import { serviceApi } from '../support/factories';
import { eventsOf } from '../support/outbox';
import { ENCRYPTION_KEYS, perSuite, TestApp, useTestApp } from '../support/test-app';
import { Database } from '../../src/infrastructure/database/database';

const SECOND = `second:${Buffer.alloc(32, 'second').toString('base64')}`;
const PEOPLE = 1_200;

const phoneOf = (n: number) => `+82102345${String(n).padStart(4, '0')}`;
const personOf = (n: number) => ({
  externalUserId: `m${n}`,
  phoneNumber: phoneOf(n),
  email: `m${n}@example.com`,
  pushIdentify: `push-${n}`,
});

describe('npm run keys:rotate', () => {
  // It goes on beside the next process, which needs Redis.
  const old = useTestApp({ redis: true });
  let app: TestApp;

  const book = perSuite(() => createBook(old));
  beforeAll(async () => {
    for (const first of [0, PEOPLE / 2]) {
      const people = Array.from({ length: PEOPLE / 2 }, (_, i) => personOf(first + i));
      await book.api.post(`${CONTACTS}/bulk`, people).expect(200);
    }
    const optOut = { channel: 'SMS', value: phoneOf(1) };
    await book.api.post('/api/v1/service/messaging/unsubscribes', optOut).expect(201);
    const ios = { platform: 'iOS', appName: 'Shop', bundleId: 'com.example.shop' };
    await book.api.post('/api/v1/service/mobile-apps', ios).expect(201);
  });
  afterAll(() => app.close());

  const keys = `${SECOND},${ENCRYPTION_KEYS}`;
  const rotate = () => rotateKeys(app.get(Database), parseEncryptionKeys(keys), () => undefined);
  /** Cells in any table that are still encrypted with the first key. */
  const underFirstKey = async () => {
    const columns = await app.sql<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
        WHERE table_schema = 'public' AND data_type = 'text'
          AND table_name NOT IN ('idempotency_keys', 'encryption_keys')`,
    );
    const left = await Promise.all(
      columns.map(async ({ table, column }) => {
        const [row] = await app.sql(
          `SELECT count(*) AS n FROM ${table} WHERE starts_with(${column}, 'test.')`,
        );
        return { name: `${table}.${column}`, n: row?.n as number };
      }),
    );
    return left.filter(({ n }) => n > 0).map(({ name }) => name);
  };

  it('knows every encrypted column of all modules', () => {
    const sorted = (columns: readonly object[]) => columns.map((column) => JSON.stringify(column)).sort();
    expect(sorted(ENCRYPTED_COLUMNS)).toEqual(sorted(old.get(EncryptedColumns).all()));
  });

  it('waits until the service has been started with the new key', async () => {
    const early = rotateKeys(old.get(Database), parseEncryptionKeys(keys), () => undefined);
    await expect(early).rejects.toThrow(/^ENCRYPTION_KEYS: first start the service with key "second"/);
  });

  it('re-encrypts everything during concurrent reads and writes', async () => {
    app = await TestApp.start({ database: old.database, env: { ENCRYPTION_KEYS: keys } });
    const api = serviceApi(app, book.apiKey);
    expect(await underFirstKey()).toEqual(
      expect.arrayContaining([
        'contacts.phone',
        'contacts.email',
        'contacts.push_identify',
        'unsubscribes.sealed',
      ]),
    );

    const problems: string[] = [];
    let [going, calls] = [true, 0];
    const check = (what: string, status: number, expected: number, fine: boolean) => {
      calls++;
      if (status !== expected || !fine) problems.push(`${what}: ${status}`);
    };
    const reader = async (start: number) => {
      for (let n = start; going; n = (n + 7) % PEOPLE) {
        const by = await api.get(`${CONTACTS}/by-phone`, { phone: phoneOf(n) });
        check(`by-phone ${n}`, by.status, 200, by.body.email === `m${n}@example.com`);
        const found = await api.get(CONTACTS, { keyword: `m${n}@example.com` });
        check(`keyword ${n}`, found.status, 200, found.body.totalElements === 1);
      }
    };
    const writer = async (start: number) => {
      for (let n = start; going; n = (n + 11) % PEOPLE) {
        const person = { ...personOf(n), customFields: { seen: n } };
        const { status, body } = await api.post(CONTACTS, person);
        check(`save ${n}`, status, 200, body.phoneNumber === phoneOf(n));
      }
    };
    const others = [reader(0), reader(600), writer(300), writer(900)];
    await rotate();
    going = false;
    await Promise.all(others);
    expect(problems).toEqual([]);
    expect(calls).toBeGreaterThan(10);
    // The next run covers concurrent writes of an old process.
    await book.api.post(CONTACTS, { ...personOf(PEOPLE), name: 'Late' }).expect(201);
    expect(await underFirstKey()).toContain('contacts.phone');
    await rotate();
    expect(await underFirstKey()).toEqual([]);
    const { body } = await api.get(`${CONTACTS}/by-phone`, { phone: phoneOf(PEOPLE) }).expect(200);
    expect(body).toMatchObject({ name: 'Late', email: `m${PEOPLE}@example.com` });
    expect((await eventsOf(app, book.organizationId)).length).toBeGreaterThan(PEOPLE);
  });

  it('has nothing to do in a second run', async () => {
    const lines: string[] = [];
    await rotateKeys(app.get(Database), parseEncryptionKeys(keys), (line) => lines.push(line));
    expect(lines).toHaveLength(ENCRYPTED_COLUMNS.length - 1);
    expect(lines.filter((line) => !line.endsWith(': 0 values re-encrypted'))).toEqual([]);
  });

  it('leaves the first key unused, so that it can be removed', async () => {
    await app.sql(`DELETE FROM encryption_keys WHERE id = 'test'`);
    await app.sql('DELETE FROM idempotency_keys');
    const alone = await TestApp.start({ database: old.database, env: { ENCRYPTION_KEYS: SECOND } });
    try {
      const { body } = await serviceApi(alone, book.apiKey).get(CONTACTS, { keyword: '0007' }).expect(200);
      expect(body.content[0]).toMatchObject({ phoneNumber: phoneOf(7), pushIdentify: 'push-7' });
    } finally {
      await alone.close();
    }
  });
});
