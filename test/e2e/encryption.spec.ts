import { DataSource } from 'typeorm';
import { Encryption } from '../../src/common/crypto/encryption';
import { Clock } from '../../src/common/time/clock';
import { parseEncryptionKeys } from '../../src/config/encryption-keys';
import { InvalidConfiguration } from '../../src/config/invalid-configuration';
import { Database } from '../../src/infrastructure/database/database';
import { KeyCheck } from '../../src/infrastructure/encryption/key-check';
import { KeyRotation } from '../../src/infrastructure/encryption/key-rotation';
import { eventually } from '../support/eventually';
import { createOrganization, serviceApi } from '../support/factories';
import { ENCRYPTION_KEYS, perSuite, TestApp, useTestApp } from '../support/test-app';
import { isAnyWaiting } from '../support/test-databases';

const APPS = '/api/v1/service/mobile-apps';
const HOUR_MS = 3_600_000;
const SECOND = `second:${Buffer.alloc(32, 'second').toString('base64')}`;
const OTHER = `test:${Buffer.alloc(32, 'other').toString('base64')}`;

describe('encryption keys', () => {
  // Other processes start beside it, which needs Redis.
  const first = useTestApp({ redis: true });
  let made: { id: number; apiKey: string };

  const org = perSuite(() => createOrganization(first));
  beforeAll(async () => {
    const body = { platform: 'iOS', appName: 'Shop', bundleId: 'com.example.shop' };
    made = (await org.api.post(APPS).set('Idempotency-Key', 'once').send(body).expect(201)).body;
  });

  const start = (keys: string) => TestApp.start({ database: first.database, env: { ENCRYPTION_KEYS: keys } });
  const known = async () =>
    (await first.sql<{ id: string }>('SELECT id FROM encryption_keys ORDER BY id')).map(({ id }) => id);
  const stored = async () =>
    (await first.sql<{ api_key: string }>('SELECT api_key FROM apps WHERE id = $1', [made.id]))[0]?.api_key;

  /** The check at the beginning of a start. */
  async function check(keys: string): Promise<void> {
    const encryption = new Encryption(parseEncryptionKeys(keys));
    await new KeyCheck(first.get(Database), encryption, first.get(Clock)).onModuleInit();
  }

  it('stop the start when one in use is missing', async () => {
    const starting = start(SECOND);
    await expect(starting).rejects.toBeInstanceOf(InvalidConfiguration);
    await expect(starting).rejects.toThrow(/^ENCRYPTION_KEYS: key "test" is missing/);
    expect(await known()).toEqual(['test']);
  });

  it('stop the start when one differs under the same name', async () => {
    await expect(check(OTHER)).rejects.toThrow(/^ENCRYPTION_KEYS: key "test" differs from the one/);
    await expect(check(`${SECOND},${OTHER}`)).rejects.toThrow(
      /^ENCRYPTION_KEYS: key "test" differs from the one/,
    );
    expect(await known()).toEqual(['test']);
  });

  it('are rotated: appended, then moved to the front, and the old one is removed when unused', async () => {
    await check(`${ENCRYPTION_KEYS},${SECOND}`);
    expect(await known()).toEqual(['test']);
    const app = await start(`${SECOND},${ENCRYPTION_KEYS}`);
    const shown = async () =>
      (await serviceApi(app, org.apiKey).get(`${APPS}/${made.id}`).expect(200)).body.apiKey as string;
    const rotation = app.get(KeyRotation);
    expect([await known(), await shown()]).toEqual([['second', 'test'], made.apiKey]);
    await rotation.rotate();
    expect(await stored()).toMatch(/^test\./);

    // For a day, old processes may still run, and idempotent responses are stored.
    app.clock.advance(26 * HOUR_MS);
    // A request that changes an app of the organization holds this lock.
    const request = first.get(DataSource).createQueryRunner();
    await request.query('BEGIN');
    await request.query("SELECT pg_advisory_xact_lock(hashtextextended('apps', $1))", [org.organizationId]);
    const rotating = rotation.rotate();
    await eventually(async () => expect(await isAnyWaiting(first.database.url)).toBe(true));
    expect(await stored()).toMatch(/^test\./);
    await request.query('COMMIT');
    await request.release();
    await rotating;
    expect(await stored()).toMatch(/^second\./);
    expect([await known(), await shown()]).toEqual([['second', 'test'], made.apiKey]);
    await expect(check(SECOND)).rejects.toThrow('"test" is missing');

    await first.sql('DELETE FROM idempotency_keys');
    await rotation.rotate();
    expect([await known(), await shown()]).toEqual([['second'], made.apiKey]);
    await check(SECOND);

    const before = await stored();
    await rotation.rotate();
    expect(await stored()).toBe(before);
    await app.close();
  });
});
