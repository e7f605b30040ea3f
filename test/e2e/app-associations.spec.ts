import type { AppAssociationsResponse } from '../../src/modules/apps/associations/app-associations.dto';
import { consoleApi, createOrganization } from '../support/factories';
import { createDomain } from '../support/links';
import { perTest, SHORT_HOST, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

const APPLE = '/.well-known/apple-app-site-association';
const GOOGLE = '/.well-known/assetlinks.json';
const FINGERPRINT = Array.from({ length: 32 }, () => 'AB').join(':');

type Host = AppAssociationsResponse['hosts'][number];

describe('association files in the console', () => {
  const app = useTestApp();

  const platform = consoleApi(app);
  const org = perTest(() => createOrganization(app, { limits: { apps: 10_000 } }));
  const base = () => `${org.consolePath}/mobile-apps`;
  const brand = () => `brand-${org.organizationId}.example`;

  const register = async (fields: object): Promise<number> => {
    const body = { appName: 'Shop', bundleId: 'com.example.shop', ...fields };
    return (await platform.create<{ id: number }>(base(), body)).id;
  };
  const hostsOf = async (id: number, by = platform): Promise<Host[]> =>
    (await by.read<{ hosts: Host[] }>(`${base()}/${id}/associations`)).hosts;
  /** Per host and file, whether it names the app, and the codes of problems. */
  const summary = async (id: number) =>
    (await hostsOf(id)).map(({ host, files }) => [
      host,
      ...files.map(({ includesApp, problems }) => [includesApp, problems.map(({ code }) => code).join()]),
    ]);

  it('are those that phones get, on the default host and on domains that serve links', async () => {
    const active = await createDomain(app, org, `a.${brand()}`, 'ACTIVE');
    const verified = await createDomain(app, org, `b.${brand()}`, 'VERIFIED');
    for (const status of ['PENDING', 'FAILED', 'REVOKED'])
      await createDomain(app, org, `${status.toLowerCase()}.${brand()}`, status);
    const disabled = await createDomain(app, org, `c.${brand()}`, 'ACTIVE');
    await app.alter(`UPDATE custom_domains SET disabled_reason = 'Phishing' WHERE id = $1`, [disabled]);
    const id = await register({ platform: 'iOS', teamId: 'ABCDE12345' });
    const other = await createOrganization(app);
    await other.api
      .post('/api/v1/service/mobile-apps', {
        appName: 'Other',
        platform: 'iOS',
        bundleId: 'com.other.app',
        teamId: 'ABCDE12345',
      })
      .expect(201);

    const hosts = await hostsOf(id);
    expect(hosts.map(({ host, customDomainId }) => [host, customDomainId])).toEqual([
      [SHORT_HOST, null],
      [`a.${brand()}`, active],
      [`b.${brand()}`, verified],
    ]);
    for (const { host, files } of hosts) {
      const origin = host === SHORT_HOST ? `http://${host}` : `https://${host}`;
      expect(files.map(({ url }) => url)).toEqual([`${origin}${APPLE}`, `${origin}${GOOGLE}`]);
      for (const { url, content, size } of files) {
        const served = await visit(app, new URL(url).pathname, { host }).expect(200);
        expect(content).toBe(served.text);
        expect(size).toBe(Number(served.headers['content-length']));
      }
    }
    const [shared, own] = hosts.map(({ files }) => files[0]?.content);
    expect(shared).toContain('com.other.app');
    expect(own).not.toContain('com.other.app');
    expect(await summary(id)).toEqual([
      [SHORT_HOST, [true, 'NOT_HTTPS'], [null, '']],
      [`a.${brand()}`, [true, ''], [null, '']],
      [`b.${brand()}`, [true, 'DOMAIN_NOT_ACTIVE'], [null, '']],
    ]);
  });

  it('say what an app lacks, and change with it', async () => {
    await createDomain(app, org, brand(), 'ACTIVE');
    const own = async (id: number) => (await summary(id)).find(([host]) => host === brand())?.slice(1);
    const ios = await register({ platform: 'iOS' });
    expect(await own(ios)).toEqual([
      [false, 'NO_UNIVERSAL_LINKS'],
      [null, ''],
    ]);
    await platform.put(`${base()}/${ios}`, { teamId: 'ABCDE12345' }).expect(200);
    expect(await own(ios)).toEqual([
      [true, ''],
      [null, ''],
    ]);
    const android = await register({ platform: 'Android' });
    expect(await own(android)).toEqual([
      [null, ''],
      [false, 'NO_APP_LINKS'],
    ]);
    await platform.put(`${base()}/${android}`, { sha256CertFingerprints: [FINGERPRINT] }).expect(200);
    expect(await own(android)).toEqual([
      [null, ''],
      [true, ''],
    ]);
    const web = await register({ platform: 'Web', bundleId: 'shop' });
    expect(await own(web)).toEqual([
      [null, ''],
      [null, ''],
    ]);
    await platform.put(`${base()}/${ios}`, { teamId: 'ZZZZZ99999' }).expect(200);
  });

  it('are cut where they are long, and judged whole', async () => {
    await createDomain(app, org, brand(), 'ACTIVE');
    await app.sql(
      `INSERT INTO apps (organization_id, app_name, platform, bundle_id, team_id, path, created_at, updated_at, api_key,
                         api_key_hash, publishable_key)
       SELECT $1, 'Shop', 'iOS', 'com.example.shop' || i, 'ABCDE12345', 'many' || i, now(), now(), '', sha256(gen_random_uuid()::text::bytea), ''
         FROM generate_series(1, 2000) AS i`,
      [org.organizationId],
    );
    const id = await register({ platform: 'iOS', teamId: 'ABCDE12345' });
    const file = (await hostsOf(id)).find(({ host }) => host === brand())?.files[0];
    expect(file?.content).toHaveLength(65_536);
    expect(file?.size).toBeGreaterThan(128 * 1024);
    expect(file).toMatchObject({ includesApp: true, problems: [{ code: 'FILE_TOO_LARGE' }] });
    const served = await visit(app, APPLE, { host: brand() }).expect(200);
    expect(served.text.startsWith(file?.content ?? '-')).toBe(true);
  });
});
