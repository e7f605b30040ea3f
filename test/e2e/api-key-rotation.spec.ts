import { ApiKeysService } from '../../src/access/api-keys/api-keys.service';
import { KeyUsage } from '../../src/access/api-keys/key-usage';
import { UsersService } from '../../src/access/users/users.service';
import { heard } from '../support/eventually';
import { type ApiClient, callerOf, consoleApi, createOrganization, serviceApi } from '../support/factories';
import { useTestApp } from '../support/test-app';

const SERVICE = '/api/v1/service/urls';
const NOW = '2026-11-20T08:32:00Z';
const HOUR_MS = 3_600_000;

describe('lifetime of an API key', () => {
  const app = useTestApp({ redis: true });
  const other = useTestApp(() => ({ database: app.database }));
  beforeEach(() => [app, other].forEach(({ clock }) => clock.set(NOW)));

  const advance = (milliseconds: number) => [app, other].forEach(({ clock }) => clock.advance(milliseconds));

  /** The key on both processes, which have cached it. */
  async function known(apiKey: string): Promise<{ here: ApiClient; there: ApiClient }> {
    const key = { here: serviceApi(app, apiKey), there: serviceApi(other, apiKey) };
    await key.here.get(SERVICE).expect(200);
    await key.there.get(SERVICE).expect(200);
    return key;
  }

  async function create() {
    const made = await createOrganization(app, { role: 'EDITOR' });
    const { organizationId, userId, apiKeyId, apiKey } = made;
    const path = `/api/v1/console/organizations/${organizationId}/api-keys/${apiKeyId}`;
    const console = consoleApi(app);
    const rotate = async (overlapHours: number) => {
      const { body } = await console.post(`${path}/regenerate`, { overlapHours }).expect(201);
      return body as { apiKey: string; previousKeyExpiresAt: string | null };
    };
    const shown = async () => {
      const { body } = await console.get(path.slice(0, path.lastIndexOf('/'))).expect(200);
      return (body as { content: { previousKeyExpiresAt: string | null }[] }).content[0];
    };
    const by = await callerOf(app, organizationId);
    return { by, userId, apiKeyId, path, console, rotate, shown, old: await known(apiKey) };
  }

  const refuses = async ({ here, there }: { here: ApiClient; there: ApiClient }) => {
    const { body } = await here.get(SERVICE).expect(401);
    expect(body).toMatchObject({ code: 'API_KEY_INVALID' });
    await heard(() => there.get(SERVICE).expect(401));
  };
  const works = async ({ here, there }: { here: ApiClient; there: ApiClient }) => {
    await here.get(SERVICE).expect(200);
    await there.get(SERVICE).expect(200);
  };

  it('ends at its expiry, also where it is cached', async () => {
    const { path, console, old } = await create();
    await console.patch(path, { expiresAt: '2026-11-20T09:00:00Z' }).expect(200);
    await works(old);
    advance(28 * 60_000 - 1);
    await works(old);
    advance(1);
    await old.here.get(SERVICE).expect(401);
    await heard(() => old.there.get(SERVICE).expect(401));
    // Nothing but the clock decides: a later expiry opens the door again.
    await console.patch(path, { expiresAt: '2026-11-20T10:00:00Z' }).expect(200);
    await old.here.get(SERVICE).expect(200);
    await heard(() => old.there.get(SERVICE).expect(200));
  });

  it('goes on for the overlap after a rotation, on every process', async () => {
    const { rotate, shown, old } = await create();
    const rotated = await rotate(24);
    expect(rotated.previousKeyExpiresAt).toBe('2026-11-21T08:32:00Z');
    await known(rotated.apiKey);
    await works(old);
    // The other process has read the key again, so that it knows the end of the overlap.
    await heard(async () => {
      advance(24 * HOUR_MS - 1);
      try {
        await works(old);
        advance(1);
        await old.there.get(SERVICE).expect(401);
      } finally {
        [app, other].forEach(({ clock }) => clock.set(NOW));
      }
    });
    expect(await shown()).toMatchObject({ previousKeyExpiresAt: '2026-11-21T08:32:00Z' });
    advance(24 * HOUR_MS);
    await refuses(old);
    await known(rotated.apiKey);
    expect(await shown()).toMatchObject({ previousKeyExpiresAt: null });
  });

  it('shows the last use of each of the two keys during the overlap', async () => {
    const { rotate, shown, old } = await create();
    const used = async () => {
      for (const each of [app, other]) await each.get(KeyUsage).flush();
      return shown();
    };
    await old.here.get(SERVICE).expect(200);
    expect(await used()).toMatchObject({ lastUsedAt: NOW, previousKeyLastUsedAt: null });
    advance(60_000);
    await old.there.get(SERVICE).expect(200);
    const { apiKey } = await rotate(24);
    expect(await used()).toMatchObject({ lastUsedAt: null, previousKeyLastUsedAt: '2026-11-20T08:33:00Z' });
    advance(60_000);
    await known(apiKey);
    expect(await used()).toMatchObject({
      lastUsedAt: '2026-11-20T08:34:00Z',
      previousKeyLastUsedAt: '2026-11-20T08:33:00Z',
    });
    advance(24 * HOUR_MS);
    expect(await used()).toMatchObject({ previousKeyLastUsedAt: null });
  });

  it('ends at once by a rotation without an overlap', async () => {
    const { rotate, old } = await create();
    const { apiKey, previousKeyExpiresAt } = await rotate(0);
    expect(previousKeyExpiresAt).toBeNull();
    await known(apiKey);
    await refuses(old);
  });

  it.each([24, 0])('ends during an overlap when the key is rotated again, with %i hours', async (hours) => {
    const { rotate, old } = await create();
    const second = await known((await rotate(168)).apiKey);
    await works(old);
    const third = await rotate(hours);
    await refuses(old);
    await known(third.apiKey);
    await (hours > 0 ? works : refuses)(second);
  });

  it('ends with the key, and with its user', async () => {
    const first = await create();
    const newer = await known((await first.rotate(24)).apiKey);
    await works(first.old);
    await first.console.delete(first.path).expect(204);
    await refuses(newer);
    await refuses(first.old);

    const second = await create();
    const another = await known((await second.rotate(24)).apiKey);
    await works(second.old);
    await app.get(UsersService).remove(second.by, second.userId);
    await refuses(another);
    await refuses(second.old);
  });

  it('has the scopes and permissions of the key during an overlap, as they change', async () => {
    const { rotate, console, path, by, userId, old } = await create();
    await rotate(24);
    await works(old);
    const visitors = '/api/v1/service/analytics/dau?month=2026-11';
    expect((await old.there.get(visitors)).status).not.toBe(403);
    await app.get(UsersService).update(by, userId, { permissions: [] });
    await heard(() => old.there.get(visitors).expect(403));
    await console.patch(path, { expiresAt: '2026-11-20T08:33:00Z' }).expect(200);
    advance(60_000);
    await refuses(old);
  });

  it('may do less when its user is demoted, on every process, and so may its predecessor', async () => {
    const made = await createOrganization(app, { role: 'EDITOR' });
    const { organizationId, userId, apiKeyId } = made;
    const by = await callerOf(app, organizationId);
    const rotated = await app.get(ApiKeysService).regenerate(by, apiKeyId, { overlapHours: 1 });
    const keys = [await known(made.apiKey), await known(rotated.apiKey)];
    const create = (api: ApiClient) => api.post(SERVICE, { url: 'https://shop.example.com/' });
    for (const { here, there } of keys) for (const api of [here, there]) await create(api).expect(201);
    await app.get(UsersService).update(by, userId, { role: 'VIEWER' });
    for (const { here, there } of keys) {
      expect((await create(here)).body).toMatchObject({ code: 'ROLE_REQUIRED', role: 'EDITOR' });
      await heard(() => create(there).expect(403));
      await there.get(SERVICE).expect(200);
    }
  });

  it('ends for all keys but two when several rotate it at the same time', async () => {
    const { apiKeyId, by, old } = await create();
    const keys = app.get(ApiKeysService);
    const rotations = Array.from({ length: 6 }, () => keys.regenerate(by, apiKeyId, { overlapHours: 24 }));
    const made = await Promise.all(rotations);
    const statuses: number[] = [];
    for (const { apiKey } of made) statuses.push((await serviceApi(app, apiKey).get(SERVICE)).status);
    expect(statuses.sort()).toEqual([200, 200, 401, 401, 401, 401]);
    await refuses(old);
  });
});
