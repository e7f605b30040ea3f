import { type ApiClient, consoleApi, createOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';

describe('console: IP allow-list', () => {
  const app = useTestApp();
  let platform: ApiClient;
  let path: string;
  beforeAll(() => {
    platform = consoleApi(app);
  });
  beforeEach(async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    const { organizationId } = await createOrganization(app);
    path = `/api/v1/console/organizations/${organizationId}/ip-allow-list`;
  });

  it('adds, lists and removes addresses and ranges', async () => {
    const { body } = await platform.post(path, { cidr: '203.0.113.9/24', label: 'Office' }).expect(201);
    expect(body).toEqual({
      id: expect.any(Number),
      cidr: '203.0.113.0/24',
      label: 'Office',
      createdAt: '2026-11-20T08:32:00Z',
    });
    const { body: six } = await platform.post(path, { cidr: '2001:DB8::1' }).expect(201);
    expect(six).toMatchObject({ cidr: '2001:db8::1', label: null });
    const list = await platform.get(path).expect(200);
    expect(list.body).toMatchObject({ content: [six, body], totalElements: 2, page: 0 });

    await platform.delete(`${path}/${body.id}`).expect(204);
    await platform.delete(`${path}/${body.id}`).expect(404);
    expect((await platform.get(path)).body.content).toEqual([six]);
  });

  it('has no duplicates', async () => {
    await platform.post(path, { cidr: '203.0.113.0/24' }).expect(201);
    const { body } = await platform.post(path, { cidr: '::ffff:203.0.113.77/120' }).expect(409);
    expect(body.code).toBe('IP_ALREADY_LISTED');
    await platform.post(path, { cidr: '203.0.113.0/25' }).expect(201);
  });

  it.each([
    ['cidr', 'example.com'],
    ['cidr', '1.2.3.4/33'],
    ['cidr', '::/129'],
    ['cidr', '1.2.3'],
  ])('%s cannot be %j', async (field, value) => {
    const { body } = await platform.post(path, { cidr: '192.0.2.1', [field]: value }).expect(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
  });
});
