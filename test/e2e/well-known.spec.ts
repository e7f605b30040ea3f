import { z } from 'zod';
import { heard } from '../support/eventually';
import { consoleApi, createOrganization, signIn } from '../support/factories';
import { createDomain, createLink } from '../support/links';
import { API_HOST, perSuite, SHORT_HOST, TestApp, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

const APPS = '/api/v1/service/mobile-apps';
const APPLE = '/.well-known/apple-app-site-association';
const GOOGLE = '/.well-known/assetlinks.json';
const HANDLE_URLS = 'delegate_permission/common.handle_all_urls';

const fingerprint = (byte: string) => Array.from({ length: 32 }, () => byte).join(':');

/** developer.apple.com, "applinks.Details" and its "Components", for iOS 13 and later; no other fields. */
const AppleFile = z.strictObject({
  applinks: z.strictObject({
    details: z.array(
      z.strictObject({
        appIDs: z.array(z.string().regex(/^[A-Z0-9]{10}\.[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/)).min(1),
        components: z.array(z.strictObject({ '/': z.string().regex(/^\/[^/]+\/\*$/) })).min(1),
      }),
    ),
  }),
});

/** developers.google.com, "Digital Asset Links: creating a statement list", and Android's "dynamic rules". */
const GoogleFile = z.array(
  z.strictObject({
    relation: z.tuple([z.literal(HANDLE_URLS)]),
    target: z.strictObject({
      namespace: z.literal('android_app'),
      package_name: z.string().regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/),
      sha256_cert_fingerprints: z.array(z.string().regex(/^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/)).min(1),
    }),
    relation_extensions: z.strictObject({
      [HANDLE_URLS]: z.strictObject({
        dynamic_app_link_components: z
          .array(z.strictObject({ '/': z.string().regex(/^\/[^/]+\/\*$/) }))
          .min(1),
      }),
    }),
  }),
);

describe('association files', () => {
  const app = useTestApp();
  const org = perSuite(() => createOrganization(app));
  const other = perSuite(() => createOrganization(app));
  beforeAll(async () => {
    await createDomain(app, org, 'links.brand.example', 'ACTIVE');
    await createDomain(app, org, 'pending.brand.example', 'PENDING');
    await createDomain(app, other, 'links.other.example', 'VERIFIED');
  });

  async function register(body: Record<string, unknown>, by = org): Promise<{ id: number; path: string }> {
    return (await by.api.post(APPS, { appName: 'Shop', ...body }).expect(201)).body;
  }
  const ios = (bundleId: string, by = org, teamId: string | null = 'ABCDE12345') =>
    register({ platform: 'iOS', bundleId, teamId }, by);
  /** An Android app that the platform allows on the short domain. */
  const android = async (bundleId: string, fingerprints: string[], by = org) => {
    const made = await register({ platform: 'Android', bundleId, sha256CertFingerprints: fingerprints }, by);
    await allow(made.id, by);
    return made;
  };
  const allow = (id: number, { organizationId } = org, onShortDomain = true) =>
    consoleApi(app)
      .patch(`/api/v1/console/organizations/${organizationId}/mobile-apps/${id}/settings`, { onShortDomain })
      .expect(200);

  async function fetched(path: string, host = SHORT_HOST): Promise<unknown> {
    const answer = await visit(app, path, { host }).expect(200).expect('Content-Type', 'application/json');
    return JSON.parse(answer.text);
  }
  const apple = async (host?: string) => AppleFile.parse(await fetched(APPLE, host)).applinks.details;
  const google = async (host?: string) => GoogleFile.parse(await fetched(GOOGLE, host));
  const packages = async (host?: string) => (await google(host)).map(({ target }) => target.package_name);

  it('exist before there is any app', async () => {
    const empty = await TestApp.start();
    for (const [path, text] of [
      [APPLE, '{"applinks":{"details":[]}}'],
      [GOOGLE, '[]'],
    ] as const) {
      expect((await visit(empty, path).expect(200)).text).toBe(text);
    }
    await empty.close();
  });

  it('name each iOS app by team and bundle, with the links under its path', async () => {
    const { path } = await ios('com.example.shop');
    expect(await apple()).toContainEqual({
      appIDs: ['ABCDE12345.com.example.shop'],
      components: [{ '/': `/${path}/*` }],
    });
  });

  it('name each Android app by package and certificates, with the links under its path', async () => {
    const certificates = [fingerprint('AB'), fingerprint('CD')];
    await android('com.example.shop', [fingerprint('AC')]);
    const { path } = await android('com.example.alone', certificates, await createOrganization(app));
    expect(await google()).toContainEqual({
      relation: [HANDLE_URLS],
      target: {
        namespace: 'android_app',
        package_name: 'com.example.alone',
        sha256_cert_fingerprints: certificates,
      },
      relation_extensions: { [HANDLE_URLS]: { dynamic_app_link_components: [{ '/': `/${path}/*` }] } },
    });
  });

  it('name a new Android app on domains of its organization only, until the platform allows it on the short domain', async () => {
    const mine = await createOrganization(app);
    await createDomain(app, mine, 'links.mine.example', 'ACTIVE');
    const bundleId = 'com.example.unasked';
    const fields = { platform: 'Android', bundleId, sha256CertFingerprints: [fingerprint('66')] };
    const { id } = await register(fields, mine);
    const copied = await register(fields, await createOrganization(app));
    expect(await packages()).not.toContain(bundleId);
    expect(await packages('links.mine.example')).toContain(bundleId);
    const settings = `${mine.consolePath}/mobile-apps/${id}/settings`;
    const own = await signIn(app, mine);
    const refused = await own.patch(settings, { onShortDomain: true }).expect(403);
    expect(refused.body).toMatchObject({ message: 'Only the platform may change onShortDomain' });
    await allow(id, mine);
    expect((await mine.api.get(`${APPS}/${id}`).expect(200)).body).toMatchObject({ onShortDomain: true });
    const [statement, ...others] = (await google()).filter(({ target }) => target.package_name === bundleId);
    expect(others).toEqual([]);
    // The same package and certificate of another organization add no paths.
    expect(JSON.stringify(statement)).not.toContain(copied.path);
    await allow(id, mine, false);
    expect(await packages()).not.toContain(bundleId);
  });

  it('let an Android app open links under the paths of its organization’s iOS apps, which links for both use', async () => {
    const both = await createOrganization(app);
    const [first, second] = [
      await ios('com.example.both', both),
      await ios('com.example.teamless', both, null),
    ];
    const { id, path } = await android('com.example.both', [fingerprint('BB')], both);
    const [statement] = (await google()).filter(({ target }) => target.package_name === 'com.example.both');
    const components = [path, first.path, second.path].map((each) => ({ '/': `/${each}/*` }));
    expect(statement?.relation_extensions[HANDLE_URLS].dynamic_app_link_components).toEqual(components);
    const link = await createLink(both, { iosAppId: first.id, androidAppId: id });
    expect(new URL(link.shortUrl).pathname.startsWith(`/${first.path}/`)).toBe(true);
  });

  it('leave out an iOS app without a team, an Android app without a certificate, and web apps', async () => {
    const before = JSON.stringify([await apple(), await packages()]);
    await ios('com.example.teamless', org, null);
    await android('com.example.unsigned', []);
    await register({ platform: 'Web', bundleId: 'shop' });
    expect(JSON.stringify([await apple(), await packages()])).toBe(before);
  });

  it('list all apps of the service on the default domain, and those of its organization on a custom domain', async () => {
    await ios('com.other.app', other);
    await android('com.other.app', [fingerprint('EF')], other);
    const ids = async (host?: string) => (await apple(host)).flatMap(({ appIDs }) => appIDs);
    const [own, foreign] = ['ABCDE12345.com.example.shop', 'ABCDE12345.com.other.app'];
    expect(await ids()).toEqual(expect.arrayContaining([own, foreign]));
    expect(await ids('links.brand.example')).toEqual([own]);
    expect(await ids('LINKS.other.example.:443')).toEqual([foreign]);
    expect(await packages()).toEqual(expect.arrayContaining(['com.example.shop', 'com.other.app']));
    expect(await packages('links.brand.example')).toEqual(['com.example.shop']);
    expect(await packages('links.other.example')).toEqual(['com.other.app']);
  });

  it('have one entry for an iOS app that is registered twice', async () => {
    const [first, second] = [await ios('com.example.twice'), await ios('com.example.twice', other)];
    const entries = (await apple()).filter(({ appIDs }) => appIDs.includes('ABCDE12345.com.example.twice'));
    expect(entries).toEqual([
      {
        appIDs: ['ABCDE12345.com.example.twice'],
        components: [{ '/': `/${first.path}/*` }, { '/': `/${second.path}/*` }],
      },
    ]);
  });

  it('have one statement per package and certificate, with separate paths for each certificate', async () => {
    const [shared, own] = [fingerprint('11'), fingerprint('22')];
    const first = await android('com.example.twice', [shared], await createOrganization(app));
    const second = await android('com.example.twice', [shared, own], await createOrganization(app));
    const statements = (await google()).filter(({ target }) => target.package_name === 'com.example.twice');
    const paths = statements.map(({ target, relation_extensions: extensions }) => [
      target.sha256_cert_fingerprints,
      extensions[HANDLE_URLS].dynamic_app_link_components.map((component) => component['/']),
    ]);
    expect(paths).toEqual([
      [[shared], [`/${first.path}/*`, `/${second.path}/*`]],
      [[own], [`/${second.path}/*`]],
    ]);
  });

  it('reflect every change immediately: a new team or certificate, a deletion', async () => {
    const apps = {
      ios: await ios('com.example.changing'),
      android: await android('com.example.changing', [fingerprint('33')]),
    };
    const shown = async () => {
      const ids = (await apple()).flatMap(({ appIDs }) => appIDs).filter((id) => id.endsWith('.changing'));
      const statements = (await google()).filter(({ target }) => target.package_name.endsWith('.changing'));
      return [...ids, ...statements.flatMap(({ target }) => target.sha256_cert_fingerprints)];
    };
    expect(await shown()).toEqual(['ABCDE12345.com.example.changing', fingerprint('33')]);
    await org.api.put(`${APPS}/${apps.ios.id}`, { teamId: 'ZZZZZ99999' }).expect(200);
    await org.api
      .put(`${APPS}/${apps.android.id}`, { sha256CertFingerprints: [fingerprint('44')] })
      .expect(200);
    expect(await shown()).toEqual(['ZZZZZ99999.com.example.changing', fingerprint('44')]);
    for (const { id } of Object.values(apps)) await org.api.delete(`${APPS}/${id}`).expect(204);
    expect(await shown()).toEqual([]);
  });

  it('change on another process as well', async () => {
    const second = await TestApp.start({ database: app.database });
    await visit(second, APPLE).expect(200);
    await ios('com.example.everywhere');
    await heard(async () => expect((await visit(second, APPLE)).text).toContain('com.example.everywhere'));
    await second.close();
  });

  it.each([APPLE, GOOGLE])(
    'answer HEAD alike, other methods with 405, and a query like none: %s',
    async (path) => {
      const get = await visit(app, `${path}?x=1`).expect(200);
      const head = await visit(app, path, { method: 'head' }).expect(200);
      for (const name of ['content-type', 'content-length', 'cache-control']) {
        expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
      }
      expect(head.text).toBeFalsy();
      expect(get.headers['cache-control']).toBe('public, max-age=300');
      await visit(app, path, { method: 'post' }).expect(405);
    },
  );

  it.each([APPLE, GOOGLE])(
    'are not on the API host, an unknown host or a domain that is not verified: %s',
    async (path) => {
      for (const host of [API_HOST, 'unknown.example', 'pending.brand.example']) {
        await visit(app, path, { host }).expect(404);
      }
    },
  );

  it('stay small enough for Apple (128 KiB) and come from memory with a thousand apps', async () => {
    await app.sql(
      `INSERT INTO apps (organization_id, app_name, platform, bundle_id, team_id, path, created_at, api_key,
                         api_key_hash, publishable_key)
       SELECT $1, 'App', 'iOS', 'com.customer' || n || '.app', 'ABCDE12345', 'p' || n, now(), '', sha256(gen_random_uuid()::text::bytea), ''
         FROM generate_series(1, 1000) AS n`,
      [other.organizationId],
    );
    await ios('com.example.one-more');
    const first = await visit(app, APPLE).expect(200);
    expect(AppleFile.parse(JSON.parse(first.text)).applinks.details.length).toBeGreaterThan(1000);
    expect(Number(first.headers['content-length'])).toBeLessThan(128 * 1024);
    await app.sql(
      `INSERT INTO apps (organization_id, app_name, platform, bundle_id, team_id, path, created_at, api_key,
                         api_key_hash, publishable_key)
       SELECT $1, 'App', 'iOS', 'com.customer' || n || '.app', 'ABCDE12345', 'Q' || n, now(), '', sha256(gen_random_uuid()::text::bytea), ''
         FROM generate_series(1001, 3000) AS n`,
      [other.organizationId],
    );
    const last = await ios('com.example.last');
    const full = await visit(app, APPLE).expect(200);
    expect(Number(full.headers['content-length'])).toBeLessThanOrEqual(128 * 1024);
    expect(full.text).toContain('com.example.one-more');
    expect(full.text).not.toContain('com.example.last');
    expect(await apple('links.brand.example')).toContainEqual(
      expect.objectContaining({ appIDs: ['ABCDE12345.com.example.last'] }),
    );
    await org.api.delete(`${APPS}/${last.id}`).expect(204);
    await app.sql(`DELETE FROM apps WHERE path LIKE 'Q%' AND organization_id = $1`, [other.organizationId]);
    const { id } = await ios('com.example.again');
    await org.api.delete(`${APPS}/${id}`).expect(204);
    expect((await visit(app, APPLE).expect(200)).text).toBe(first.text);
    await app.sql('ALTER TABLE apps RENAME TO apps_away');
    expect((await visit(app, APPLE).expect(200)).text).toBe(first.text);
    await app.sql('ALTER TABLE apps_away RENAME TO apps');
  });
});
