import { APPS, nextBundleId } from '../support/apps';
import { hashKey, isKey } from '../../src/access/api-keys/key-format';
import { auditLog, createOrganization } from '../support/factories';
import { perSuite, useTestApp } from '../support/test-app';

const VALID = { platform: 'iOS', appName: 'Shop', bundleId: 'com.example.shop' };
const ANDROID = { platform: 'Android' };
const FINGERPRINT = Array.from({ length: 32 }, (_, i) => i.toString(16).padStart(2, '0').toUpperCase()).join(
  ':',
);

interface AppBody {
  id: number;
  path: string;
  apiKey: string;
  [field: string]: unknown;
}

describe('apps', () => {
  const app = useTestApp();
  const org = perSuite(() => createOrganization(app));
  const other = perSuite(() => createOrganization(app));

  async function register(body: Record<string, unknown> = {}, by = org): Promise<AppBody> {
    const answer = await by.api
      .post(APPS, { ...VALID, bundleId: nextBundleId(by, body.platform ?? 'iOS'), ...body })
      .expect(201);
    return answer.body as AppBody;
  }

  async function refused(body: Record<string, unknown>, field: string, code = 'VALIDATION_FAILED') {
    const answer = await org.api.post(APPS, { ...VALID, ...body });
    expect([body, answer.status]).toEqual([body, 400]);
    expect(answer.body).toMatchObject({ code, details: [{ field }] });
  }

  describe('POST', () => {
    it('returns the whole app, with a generated path and key', async () => {
      const fields = {
        ...VALID,
        teamId: 'ABCDE12345',
        scheme: 'exampleshop://',
        storeUrl: 'https://apps.apple.com/app/id1',
        appIconUrl: 'https://shop.example.com/icon.png',
      };
      const made = await register(fields);
      expect(made).toEqual({
        ...fields,
        id: expect.any(Number),
        path: expect.stringMatching(/^[a-z0-9]{6}$/),
        apiKey: expect.any(String),
        publishableKey: expect.any(String),
        allowedOrigins: [],
        sha256CertFingerprints: [],
        onShortDomain: false,
        warnings: [],
      });
      expect(isKey(made.apiKey, 'wp_app_')).toBe(true);
      expect(isKey(String(made.publishableKey), 'wp_pub_')).toBe(true);
    });

    it.each([
      ['ios', 'iOS'],
      ['android', 'Android'],
      ['wEb', 'Web'],
    ])('accepts the platform %s as %s', async (platform, shown) => {
      expect((await register({ platform })).platform).toBe(shown);
    });

    it('stores the key hashed and encrypted, never in plain text', async () => {
      const made = await register();
      const [row] = await app.sql<{ api_key: string; api_key_hash: Buffer }>(
        'SELECT api_key, api_key_hash FROM apps WHERE id = $1',
        [made.id],
      );
      expect(row?.api_key_hash).toEqual(hashKey(made.apiKey));
      expect(row?.api_key).toMatch(/^test\.[A-Za-z0-9_-]{90,}$/);
      const rows = await app.sql('SELECT * FROM audit_log');
      expect(JSON.stringify(rows)).not.toContain(made.apiKey);
    });

    it('gives every app a unique path and key, even when a hundred are created at once', async () => {
      const made = await Promise.all(Array.from({ length: 100 }, () => register({}, other)));
      expect(new Set(made.map(({ path }) => path)).size).toBe(100);
      expect(new Set(made.map(({ apiKey }) => apiKey)).size).toBe(100);
    });

    it('repeats the response to an Idempotency-Key, and stores the app’s key nowhere in plain text', async () => {
      const send = () =>
        org.api
          .post(APPS)
          .set('Idempotency-Key', 'app-1')
          .send({ ...VALID, bundleId: 'com.example.again' })
          .expect(201);
      const [first, second] = [await send(), await send()];
      expect(second.body).toEqual(first.body);
      const kept = await app.sql('SELECT body FROM idempotency_keys');
      expect(JSON.stringify(kept)).not.toContain((first.body as AppBody).apiKey);
    });

    it('accepts a bundle ID once per platform and organization, even concurrently', async () => {
      const bundleId = 'com.example.once';
      const post = (body: object, by = org) => by.api.post(APPS, { ...VALID, bundleId, ...body });
      const answers = await Promise.all(Array.from({ length: 10 }, () => post({})));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
      expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
        code: 'BUNDLE_ID_TAKEN',
        details: [{ field: 'bundleId' }],
      });
      const [made] = answers.filter(({ status }) => status === 201).map(({ body }) => body);
      await post({ platform: 'Android' }).expect(201);
      await post({}, other).expect(201);
      const second = await register();
      const put = (id: number, body: object) => org.api.put(`${APPS}/${id}`, body);
      expect((await put(second.id, { bundleId }).expect(409)).body.code).toBe('BUNDLE_ID_TAKEN');
      // Existing duplicates remain, and their other fields can be changed.
      await app.alter('UPDATE apps SET bundle_id = $2 WHERE id = $1', [second.id, bundleId]);
      await put(second.id, { bundleId, appName: 'Still here' }).expect(200);
      await put(second.id, { bundleId: 'com.example.own' }).expect(200);
      await org.api.delete(`${APPS}/${made.id}`).expect(204);
      await put(second.id, { bundleId }).expect(200);
    });

    it('warns of missing settings that prevent links from opening the app', async () => {
      const codes = async (body: object) => {
        const { id, warnings } = await register({ scheme: null, storeUrl: null, ...body });
        expect((await org.api.get(`${APPS}/${id}`).expect(200)).body.warnings).toEqual(warnings);
        return (warnings as { code: string }[]).map(({ code }) => code);
      };
      expect(await codes({})).toEqual(['NO_APP_PAGE', 'NO_UNIVERSAL_LINKS']);
      expect(await codes({ scheme: 'exampleshop://' })).toEqual(['NO_UNIVERSAL_LINKS']);
      expect(await codes({ teamId: 'ABCDE12345' })).toEqual(['NO_APP_PAGE']);
      expect(await codes(ANDROID)).toEqual(['NO_APP_PAGE', 'NO_APP_LINKS']);
      const ready = { storeUrl: 'https://play.google.com/store', sha256CertFingerprints: [FINGERPRINT] };
      expect(await codes({ ...ANDROID, ...ready })).toEqual([]);
      expect(await codes({ platform: 'Web' })).toEqual([]);
    });

    it.each([
      [
        'iOS',
        ['com.example.names', 'Shop', 'com.example.shop-2'],
        ['com.example.shöp', 'a b', '.shop', 'a..b', 'a_b'],
      ],
      [
        'Android',
        ['com.example', 'com.Example_2.shop'],
        ['shop', 'com.2shop', 'com._x', 'com.a-b', 'com.', 'com.ex ample'],
      ],
      ['Web', ['shop', 'shop.example.com', 'https://shop.example.com'], ['a b', 'a\nb', 'shöp', 'a\u202eb']],
    ])('accepts only bundle IDs of %s', async (platform, good, bad) => {
      for (const bundleId of good) expect((await register({ platform, bundleId })).bundleId).toBe(bundleId);
      for (const bundleId of bad) await refused({ platform, bundleId }, 'bundleId');
    });

    it.each([
      'exampleshop',
      'exampleshop://path',
      'sh op://',
      'javascript://',
      'HTTPS://',
      'intent://',
      'javascript://%0aalert(1)',
      '"><script>://',
      'shop://\0',
    ])('refuses the scheme %j', (scheme) => refused({ scheme }, 'scheme'));

    it.each(['exampleshop://', 'com.example.shop://', 'fb1234567890://', 'Shop+x-1.0://'])(
      'takes the scheme %s as it is',
      async (scheme) => expect((await register({ scheme })).scheme).toBe(scheme),
    );

    it('accepts a team ID only for iOS, and converts it to upper case', async () => {
      expect((await register({ teamId: 'abcde12345' })).teamId).toBe('ABCDE12345');
      for (const teamId of ['ABCDE1234', 'ABCDE123456', 'ABCDE-2345', 7]) await refused({ teamId }, 'teamId');
      for (const platform of ['Android', 'Web']) await refused({ platform, teamId: 'ABCDE12345' }, 'teamId');
      expect((await register({ ...ANDROID, teamId: null })).teamId).toBeNull();
      expect((await register({ ...ANDROID, teamId: '' })).teamId).toBeNull();
    });

    it('accepts at most 20 fingerprints, only for Android: in upper case, without duplicates', async () => {
      const field = 'sha256CertFingerprints';
      const given = { ...ANDROID, [field]: [FINGERPRINT.toLowerCase(), FINGERPRINT] };
      expect((await register(given))[field]).toEqual([FINGERPRINT]);
      const twenty = Array.from({ length: 20 }, (_, i) => FINGERPRINT.replace(/^00/, String(i + 10)));
      expect((await register({ ...ANDROID, [field]: twenty }))[field]).toEqual(twenty);
      await refused({ ...ANDROID, [field]: [...twenty, FINGERPRINT] }, field);
      for (const bad of [
        FINGERPRINT.slice(3),
        `${FINGERPRINT}:00`,
        FINGERPRINT.replaceAll(':', ''),
        'XX',
        1,
        null,
      ]) {
        await refused({ ...ANDROID, [field]: [bad] }, field);
      }
      await refused({ ...ANDROID, [field]: FINGERPRINT }, field);
      await refused({ [field]: [FINGERPRINT] }, field);
      expect((await register({ [field]: [] }))[field]).toEqual([]);
    });

    it.each(['storeUrl', 'appIconUrl'])('applies the rules for destinations to %s', async (field) => {
      await refused({ [field]: 'market://details?id=a' }, field);
      await refused({ [field]: 'https://127.0.0.1/' }, field, 'DESTINATION_NOT_ALLOWED');
    });
  });

  describe('GET', () => {
    it('returns the same as POST, key included, and nothing of another organization', async () => {
      const made = await register({ scheme: 'exampleshop://' });
      expect((await org.api.get(`${APPS}/${made.id}`).expect(200)).body).toEqual(made);
      expect((await other.api.get(`${APPS}/${made.id}`).expect(404)).body.code).toBe('NOT_FOUND');
    });
  });

  describe('the list', () => {
    const list = async (query: string) => (await few.api.get(`${APPS}?${query}`).expect(200)).body;

    const few = perSuite(() => createOrganization(app));
    beforeAll(async () => {
      for (const appName of ['Coffee Shop', 'Tea 100%', 'Shop_floor']) await register({ appName }, few);
    });

    it('is a Spring-style page, newest first, with keys', async () => {
      const page = await list('');
      expect(page).toEqual({
        content: [
          expect.objectContaining({ appName: 'Shop_floor', apiKey: expect.stringMatching(/^wp_app_/) }),
          expect.objectContaining({ appName: 'Tea 100%' }),
          expect.objectContaining({ appName: 'Coffee Shop' }),
        ],
        totalElements: 3,
        totalPages: 1,
        size: 20,
        number: 0,
        first: true,
        last: true,
      });
      for (const shown of page.content as AppBody[]) {
        expect((await few.api.get(`${APPS}/${shown.id}`)).body).toEqual(shown);
      }
    });

    it('pages', async () => {
      expect(await list('size=2&page=1')).toMatchObject({
        content: [{ appName: 'Coffee Shop' }],
        totalElements: 3,
        totalPages: 2,
        size: 2,
        number: 1,
        first: false,
        last: true,
      });
      expect(await list('size=100&page=9')).toMatchObject({ content: [], totalElements: 3, last: true });
    });

    it('searches names case-insensitively and without wildcards', async () => {
      const found = async (search: string) =>
        ((await list(`search=${encodeURIComponent(search)}`)).content as AppBody[]).map(
          (shown) => shown.appName,
        );
      expect(await found('shop')).toEqual(['Shop_floor', 'Coffee Shop']);
      expect(await found('%')).toEqual(['Tea 100%']);
      expect(await found('_')).toEqual(['Shop_floor']);
      expect(await found('\\')).toEqual([]);
      expect(await found('')).toHaveLength(3);
      expect(await found('x'.repeat(100))).toEqual([]);
    });
  });

  describe('PUT', () => {
    it('changes only the fields supplied, keeps path and key, and is audited without the key', async () => {
      const made = await register({ scheme: 'exampleshop://', teamId: 'ABCDE12345' });
      const put = async (body: Record<string, unknown>) =>
        (await org.api.put(`${APPS}/${made.id}`, body).expect(200)).body as AppBody;
      expect(
        await put({ appName: 'Shop 2', bundleId: 'com.example.two', storeUrl: 'https://apps.apple.com/2' }),
      ).toEqual({
        ...made,
        appName: 'Shop 2',
        bundleId: 'com.example.two',
        storeUrl: 'https://apps.apple.com/2',
      });
      const cleared = await put({
        scheme: null,
        teamId: '',
        storeUrl: null,
        appName: null,
        bundleId: null,
        path: 'x',
        apiKey: 'y',
      });
      expect(cleared).toEqual({
        ...made,
        appName: 'Shop 2',
        bundleId: 'com.example.two',
        scheme: null,
        teamId: null,
        warnings: [
          expect.objectContaining({ code: 'NO_APP_PAGE' }),
          expect.objectContaining({ code: 'NO_UNIVERSAL_LINKS' }),
        ],
      });
      expect((await org.api.get(`${APPS}/${made.id}`)).body).toEqual(cleared);
      expect(await auditLog(app, org, { size: 2 })).toEqual([
        expect.objectContaining({
          action: 'app.update',
          resourceType: 'app',
          resourceId: String(made.id),
          changes: expect.objectContaining({ scheme: { from: 'exampleshop://', to: null } }),
        }),
        expect.objectContaining({ action: 'app.update' }),
      ]);
    });

    it('accepts only the platform that the app has', async () => {
      const { id } = await register();
      await org.api.put(`${APPS}/${id}`, { platform: 'ios' }).expect(200);
      const { body } = await org.api.put(`${APPS}/${id}`, { platform: 'Android' }).expect(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'platform' }] });
    });

    it('applies the rules of the platform to new values', async () => {
      const { id } = await register(ANDROID);
      for (const [field, value] of [
        ['bundleId', 'shop'],
        ['teamId', 'ABCDE12345'],
        ['scheme', 'javascript://'],
        ['appName', ''],
        ['bundleId', ''],
      ]) {
        const { body } = await org.api.put(`${APPS}/${id}`, { [field as string]: value }).expect(400);
        expect(body.details[0].field).toBe(field);
      }
      const put = () => org.api.put(`${APPS}/${id}`);
      const { body } = await put()
        .send({ sha256CertFingerprints: [FINGERPRINT] })
        .expect(200);
      expect(body.sha256CertFingerprints).toEqual([FINGERPRINT]);
      expect((await put().send({ sha256CertFingerprints: null })).body.sha256CertFingerprints).toEqual([]);
      await put().send({ storeUrl: 'https://10.0.0.1/' }).expect(400);
    });

    it('changes nothing of another organization, and audits nothing when nothing changes', async () => {
      const made = await register();
      await other.api.put(`${APPS}/${made.id}`, { appName: 'Mine' }).expect(404);
      const count = async () =>
        (await app.sql<{ n: number }>(`SELECT count(*)::int AS n FROM audit_log`))[0]?.n;
      const before = await count();
      expect((await org.api.put(`${APPS}/${made.id}`, { appName: 'Shop' }).expect(200)).body).toEqual(made);
      expect(await count()).toBe(before);
    });
  });
});
