import { type ApiClient, consoleApi, createOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';

describe('console: add-ons', () => {
  const app = useTestApp();
  let platform: ApiClient;
  let path: string;
  beforeAll(() => {
    platform = consoleApi(app);
  });
  beforeEach(async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    const { organizationId } = await createOrganization(app, { addOns: [] });
    path = `/api/v1/console/organizations/${organizationId}/add-ons`;
  });

  it('are booked, changed, listed and removed', async () => {
    const { body } = await platform.put(`${path}/MESSAGING`, {}).expect(200);
    const createdAt = '2026-11-20T08:32:00Z';
    expect(body).toEqual({ code: 'MESSAGING', active: true, activeUntil: null, createdAt });
    app.clock.advance(60_000);
    const changed = await platform.put(`${path}/MESSAGING`, { activeUntil: '2026-12-31' }).expect(200);
    expect(changed.body).toEqual({ ...body, activeUntil: '2026-12-31T23:59:59Z' });
    await platform.put(`${path}/DYNAMIC_SEGMENT`).expect(200);

    const { body: list } = await platform.get(path).expect(200);
    expect(list).toMatchObject({ totalElements: 2, page: 0, size: 20, first: true, last: true });
    expect(list.content.map(({ code }: { code: string }) => code)).toEqual(['DYNAMIC_SEGMENT', 'MESSAGING']);

    await platform.delete(`${path}/MESSAGING`).expect(204);
    await platform.delete(`${path}/MESSAGING`).expect(404);
    expect((await platform.get(path)).body.totalElements).toBe(1);
  });

  it('show their end', async () => {
    await platform.put(`${path}/MESSAGING`, { activeUntil: '2026-11-20T08:33:00Z' }).expect(200);
    app.clock.advance(60_000);
    expect((await platform.get(path)).body.content[0]).toMatchObject({ code: 'MESSAGING', active: false });
    const past = await platform.put(`${path}/MESSAGING`, { activeUntil: '2026-01-01' }).expect(200);
    expect(past.body.active).toBe(false);
    const endless = await platform.put(`${path}/MESSAGING`, { activeUntil: null }).expect(200);
    expect(endless.body).toMatchObject({ active: true, activeUntil: null });
  });

  it.each(['messaging', 'UNKNOWN', '__proto__', '%00'])('do not include %s', async (code) => {
    for (const call of [platform.put(`${path}/${code}`, {}), platform.delete(`${path}/${code}`)]) {
      const { body } = await call.expect(400);
      expect(body.details[0].field).toBe('code');
    }
  });

  it.each(['tomorrow', '2026-02-30', 7, true, [], '2026-11-20T08:32:00Z\u0000'])(
    'can not be active until %j',
    async (activeUntil) => {
      const { body } = await platform.put(`${path}/MESSAGING`, { activeUntil }).expect(400);
      expect(body.details[0].field).toBe('activeUntil');
    },
  );

  it('are booked once by concurrent requests', async () => {
    const calls = await Promise.all(Array.from({ length: 8 }, () => platform.put(`${path}/MESSAGING`, {})));
    expect(calls.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await platform.get(path)).body.totalElements).toBe(1);
  });
});
