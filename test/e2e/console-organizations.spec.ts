import { DataSource } from 'typeorm';
import { consoleApi, createOrganization, signIn } from '../support/factories';
import { createLink } from '../support/links';
import { useTestApp } from '../support/test-app';

const PATH = '/api/v1/console/organizations';

const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
const platform = consoleApi(app);

describe('console: organizations', () => {
  it('are created with defaults', async () => {
    const { body } = await platform.post(PATH, { name: 'Acme' }).expect(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Acme',
      brandName: null,
      logoUrl: null,
      brandColor: null,
      timeZone: 'UTC',
      timeZoneChangedAt: null,
      baseCurrency: 'USD',
      defaultRegion: 'US',
      appendClickId: false,
      allowHttpDestinations: false,
      plan: 'PRO',
      serviceRatePerMinute: 30,
      maxCustomFields: 50,
      maxCustomFieldName: 50,
      maxCustomFieldValue: 2000,
      customMetricLimit: 50,
      planStartDate: null,
      limits: expect.objectContaining({ links: null }),
      createdAt: '2026-11-20T08:32:00Z',
      updatedAt: '2026-11-20T08:32:00Z',
    });
    const read = await platform.get(`${PATH}/${body.id}`).expect(200);
    expect(read.body).toEqual(body);
  });

  it('are created with every setting, and may have the same name', async () => {
    const settings = {
      name: 'Ünïcode 회사 🚀',
      brandName: '회사 🚀',
      logoUrl: 'https://cdn.shop.example.com:8443/logo.svg?v=2',
      brandColor: '#1A56db',
      timeZone: 'Asia/Kolkata',
      baseCurrency: 'KRW',
      defaultRegion: 'KR',
      plan: 'ENTERPRISE',
      serviceRatePerMinute: 1000,
      planStartDate: '2026-01-31',
      maxCustomFields: 0,
      maxCustomFieldName: 20,
      maxCustomFieldValue: 10,
      customMetricLimit: 0,
    };
    const first = await platform.post(PATH, settings).expect(201);
    expect(first.body).toMatchObject(settings);
    const second = await platform.post(PATH, settings).expect(201);
    expect(second.body.id).not.toBe(first.body.id);
  });

  it('are listed in pages, newest first', async () => {
    const made: number[] = [];
    for (const name of ['One', 'Two', 'Three']) {
      made.unshift((await platform.post(PATH, { name }).expect(201)).body.id as number);
    }
    const { body } = await platform.get(`${PATH}?size=2`).expect(200);
    expect(body.content.map(({ id }: { id: number }) => id)).toEqual(made.slice(0, 2));
    expect(body).toMatchObject({ page: 0, size: 2, first: true, last: false });
    expect(body.totalElements).toBeGreaterThanOrEqual(3);
    const next = await platform.get(`${PATH}?size=2&page=1`).expect(200);
    expect(next.body.content[0].id).toBe(made[2]);
    expect(next.body).toMatchObject({ page: 1, first: false });
  });

  it.each([
    ['timeZone', 'Mars/Olympus'],
    ['timeZone', 'SystemV/AST4'],
    ['baseCurrency', 'XYZ'],
    ['defaultRegion', 'EU'],
    ['logoUrl', 'http://cdn.example.com/logo.svg'],
    ['logoUrl', "https://a.example;script-src-elem'unsafe-inline'/x.png"],
    ['logoUrl', 'https://user@cdn.example.com/logo.svg'],
    ['logoUrl', 'https://10.0.0.1/logo.svg'],
    ['brandColor', '#fff'],
    ['brandColor', '#1a56db;}'],
  ])('%s can not be %j', async (field, value) => {
    const { body } = await platform.post(PATH, { name: 'Acme', [field]: value }).expect(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
    const { organizationId } = await createOrganization(app);
    const patched = await platform.patch(`${PATH}/${organizationId}`, { [field]: value }).expect(400);
    expect(patched.body.details[0].field).toBe(field);
  });

  it('change only in the fields supplied', async () => {
    const { body: before } = await platform.post(PATH, { name: 'Acme', timeZone: 'Asia/Seoul' }).expect(201);
    app.clock.advance(60_000);
    const { body: after } = await platform
      .patch(`${PATH}/${before.id}`, { name: 'Acme 2', plan: 'ENTERPRISE', baseCurrency: null })
      .expect(200);
    expect(after).toEqual({
      ...before,
      name: 'Acme 2',
      plan: 'ENTERPRISE',
      updatedAt: '2026-11-20T08:33:00Z',
    });
    app.clock.advance(60_000);
    const again = await platform.patch(`${PATH}/${before.id}`, { name: 'Acme 2' }).expect(200);
    expect(again.body).toEqual(after);
    const nothing = await platform.patch(`${PATH}/${before.id}`, {}).expect(200);
    expect(nothing.body).toEqual(after);
  });

  it('clear their brand only with null', async () => {
    const brand = { brandName: 'Acme', logoUrl: 'https://cdn.example.com/logo.svg', brandColor: '#1a56db' };
    const { body: made } = await platform.post(PATH, { name: 'Acme Inc.', ...brand }).expect(201);
    const kept = await platform.patch(`${PATH}/${made.id}`, { timeZone: 'Asia/Seoul' }).expect(200);
    expect(kept.body).toMatchObject(brand);
    const none = { brandName: null, logoUrl: null, brandColor: null };
    const cleared = await platform.patch(`${PATH}/${made.id}`, { name: null, ...none }).expect(200);
    expect(cleared.body).toMatchObject({ name: 'Acme Inc.', timeZone: 'Asia/Seoul', ...none });
  });

  it('have the canonical name of their time zone, in whatever case or older name it is given', async () => {
    const { body } = await platform.post(PATH, { name: 'Zoned', timeZone: 'asia/seoul' }).expect(201);
    expect(body).toMatchObject({ timeZone: 'Asia/Seoul', timeZoneChangedAt: null });
    const change = async (timeZone: string) => {
      const changed = await platform.patch(`${PATH}/${body.id}`, { timeZone }).expect(200);
      return changed.body as { timeZone: string; timeZoneChangedAt: string | null };
    };
    await app.get(DataSource).query(`UPDATE organizations SET time_zone = 'ROK' WHERE id = $1`, [body.id]);
    expect(await change('ASIA/SEOUL')).toMatchObject({ timeZone: 'Asia/Seoul', timeZoneChangedAt: null });
    expect(await change('asia/calcutta')).toMatchObject({
      timeZone: 'Asia/Kolkata',
      timeZoneChangedAt: expect.any(String),
    });
  });

  it('stop when they are deleted', async () => {
    const made = await createOrganization(app);
    const { organizationId, api } = made;
    await createLink(made);
    await platform.delete(`${PATH}/${organizationId}`).expect(204);
    await api.get('/api/v1/service/urls').expect(401);
    await platform.get(`${PATH}/${organizationId}`).expect(404);
    await platform.patch(`${PATH}/${organizationId}`, { name: 'x' }).expect(404);
    await platform.delete(`${PATH}/${organizationId}`).expect(404);
    await platform.get(`${PATH}/${organizationId}/users`).expect(404);
    const { body } = await platform.get(`${PATH}?size=100`).expect(200);
    expect(body.content.map(({ id }: { id: number }) => id)).not.toContain(organizationId);
    // The data stays.
    expect(await app.sql('SELECT 1 FROM links WHERE organization_id = $1', [organizationId])).toHaveLength(1);
  });

  it('free the names and addresses of their users when they are deleted', async () => {
    const { organizationId, username } = await createOrganization(app);
    const person = { username: `${username}-2`, email: `${username}@shop.example.com`, password: 'password' };
    const users = `${PATH}/${organizationId}/users`;
    await platform.post(users, person).expect(201);
    const other = await createOrganization(app);
    const elsewhere = `${PATH}/${other.organizationId}/users`;
    await platform.post(elsewhere, person).expect(409);
    await platform.delete(`${PATH}/${organizationId}`).expect(204);
    await platform.post(elsewhere, person).expect(201);
    await platform.post(elsewhere, { username, password: 'password' }).expect(201);
    await signIn(app, person);
  });

  it('are found immediately after a failed look-up', async () => {
    const { body: last } = await platform.post(PATH, { name: 'Last' }).expect(201);
    const following = (last.id as number) + 1;
    await platform.get(`${PATH}/${following}`).expect(404);
    const { body: next } = await platform.post(PATH, { name: 'Next' }).expect(201);
    expect(next.id).toBe(following);
    await platform.get(`${PATH}/${next.id}`).expect(200);
  });

  describe("with a user's token", () => {
    it('can be read, and changed in their own settings', async () => {
      const made = await createOrganization(app);
      const user = await signIn(app, made);
      await user.get(`${PATH}/${made.organizationId}`).expect(200);
      const own = {
        name: 'New',
        brandColor: '#1a56db',
        timeZone: 'Europe/Berlin',
        baseCurrency: 'EUR',
        defaultRegion: 'DE',
      };
      const { body } = await user.patch(`${PATH}/${made.organizationId}`, own).expect(200);
      expect(body).toMatchObject(own);
    });

    it.each([
      ['plan', 'ENTERPRISE'],
      ['serviceRatePerMinute', 5],
      ['maxCustomFields', 5],
      ['maxCustomFieldName', 5],
      ['maxCustomFieldValue', 5],
      ['customMetricLimit', 5],
      ['limits', { links: 5 }],
    ])('keep their %s', async (field, value) => {
      const made = await createOrganization(app);
      const path = `${PATH}/${made.organizationId}`;
      const { body: before } = await platform.get(path);
      const user = await signIn(app, made);
      const { body } = await user.patch(path, { name: 'New', [field]: value }).expect(403);
      const message = `Only the platform may change ${field}`;
      expect(body).toMatchObject({ code: 'ROLE_REQUIRED', role: 'PLATFORM', message });
      expect((await platform.get(path)).body).toEqual(before);
    });
  });
});

describe('console: add-ons', () => {
  let path: string;
  beforeEach(async () => {
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

  it('are booked once by concurrent requests', async () => {
    const calls = await Promise.all(Array.from({ length: 8 }, () => platform.put(`${path}/MESSAGING`, {})));
    expect(calls.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await platform.get(path)).body.totalElements).toBe(1);
  });
});

describe('console: IP allow-list', () => {
  let path: string;
  beforeEach(async () => {
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
