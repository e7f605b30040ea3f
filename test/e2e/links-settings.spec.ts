import { consoleApi, createOrganization, type TestOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { useTestApp } from '../support/test-app';

const OFF = { deduplication: { enabled: false, windowMinutes: null }, adPage: { enabled: false } };

describe('link settings of the console', () => {
  const app = useTestApp();
  let org: TestOrganization;
  let path: string;
  let id: number;

  beforeEach(async () => {
    org = await createOrganization(app);
    ({ id } = await createLink(org));
    path = `/api/v1/console/organizations/${org.organizationId}/links/${id}/settings`;
  });

  it('is off by default', async () => {
    const { body } = await consoleApi(app).get(path).expect(200);
    expect(body).toEqual(OFF);
  });

  it('changes only the supplied part', async () => {
    const on = { enabled: true, windowMinutes: 60 };
    const first = await consoleApi(app).put(path, { deduplication: on }).expect(200);
    expect(first.body).toEqual({ ...OFF, deduplication: on });
    const second = await consoleApi(app)
      .put(path, { adPage: { enabled: true } })
      .expect(200);
    expect(second.body).toEqual({ deduplication: on, adPage: { enabled: true } });
    expect((await org.api.get(`/api/v1/service/urls/${id}`)).body.showAdPage).toBe(true);
    const third = await consoleApi(app).put(path, { deduplication: { enabled: false, windowMinutes: 5 } });
    expect(third.body).toEqual({ ...OFF, adPage: { enabled: true } });
    expect((await consoleApi(app).get(path)).body).toEqual(third.body);
  });

  it.each([
    ['FREE', 60],
    ['PRO', 1_440],
    ['ENTERPRISE', 10_080],
  ] as const)('accepts a window up to the cap of plan %s, %i minutes', async (plan, cap) => {
    await consoleApi(app).patch(`/api/v1/console/organizations/${org.organizationId}`, { plan }).expect(200);
    const put = (windowMinutes: number) =>
      consoleApi(app).put(path, { deduplication: { enabled: true, windowMinutes } });
    await put(cap).expect(200);
    await put(1).expect(200);
    const { body } = await put(cap + 1).expect(400);
    expect(body).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'deduplication.windowMinutes' }],
    });
    expect(body.message).toContain(String(cap));
  });

  it.each([
    [{ deduplication: { enabled: true } }, 'deduplication.windowMinutes'],
    [{ deduplication: { enabled: true, windowMinutes: 0 } }, 'deduplication.windowMinutes'],
    [{ deduplication: { enabled: true, windowMinutes: '60' } }, 'deduplication.windowMinutes'],
    [{ deduplication: { enabled: true, windowMinutes: 1.5 } }, 'deduplication.windowMinutes'],
    [{ deduplication: { windowMinutes: 60 } }, 'deduplication.enabled'],
    [{ deduplication: { enabled: 'yes' } }, 'deduplication.enabled'],
    [{ deduplication: 'on' }, 'deduplication'],
    [{ adPage: { enabled: null } }, 'adPage.enabled'],
    [{ adPage: [] }, 'adPage'],
    [{ adPage: [{ enabled: true }] }, 'adPage'],
    [{ adPage: [7, null] }, 'adPage'],
  ])('refuses %j by name', async (settings, field) => {
    const { body } = await consoleApi(app).put(path, settings).expect(400);
    expect(body.code).toBe('VALIDATION_FAILED');
    expect(body.details[0].field).toBe(field);
    expect((await consoleApi(app).get(path)).body).toEqual(OFF);
  });

  it('finds no link of another organization or deleted one, and accepts no API key', async () => {
    const other = await createOrganization(app);
    const foreign = `/api/v1/console/organizations/${other.organizationId}/links/${id}/settings`;
    await consoleApi(app).get(foreign).expect(404);
    await consoleApi(app)
      .put(foreign, { adPage: { enabled: true } })
      .expect(404);
    await org.api.get(path).expect(401);
    await org.api.delete(`/api/v1/service/urls/${id}`).expect(204);
    await consoleApi(app).get(path).expect(404);
    await consoleApi(app).put(path, {}).expect(404);
  });
});
