import { createOrganization } from '../support/factories';
import { cataloguedEvents } from '../support/outbox';
import { perSuite, useTestApp } from '../support/test-app';
import { phone, UNSUBSCRIBES, UnsubscribeClient } from '../support/unsubscribes';

describe('unsubscribes', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00.750Z' });
  let made = 0;
  /** A phone number for one test. */
  const fresh = () => phone(made++);

  const org = perSuite(() => createOrganization(app, { defaultRegion: 'KR', addOns: [] }));
  const other = perSuite(() => createOrganization(app, { defaultRegion: 'US' }));
  const sms = new UnsubscribeClient(org);

  const refused = async (call: ReturnType<typeof org.api.get>, field: string) => {
    const { body } = await call.expect(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
  };

  describe('POST /unsubscribes', () => {
    it('registers a value: 201 with every field', async () => {
      const { body } = await org.api.post(UNSUBSCRIBES, { value: '010-2345-6789' }).expect(201);
      expect(body).toEqual({
        id: expect.any(Number),
        channel: 'SMS',
        value: '+821023456789',
        method: 'API',
        source: null,
        unsubscribedAt: '2026-11-20T08:32:00Z',
        duplicated: false,
      });
    });

    it('answers 200 with the existing entry, unchanged', async () => {
      const value = fresh();
      const first = await sms.register(value, { source: 'one', unsubscribedAt: '2026-01-02T03:04:05Z' });
      app.clock.advance(60_000);
      for (const again of [value, `  ${value} `, value.replace('+82', '0'), `tel:${value}`]) {
        const { body } = await org.api.post(UNSUBSCRIBES, { value: again, source: 'two' }).expect(200);
        expect(body).toEqual({ ...first, duplicated: true });
      }
    });

    it.each([
      ['EMAIL', ' Kim@Shop.Example ', 'kim@shop.example'],
      ['WHATSAPP', '010 2345 0001', '+821023450001'],
      ['SMS', '+1 (415) 555-2671', '+14155552671'],
    ])('supports the channel %s', async (channel, value, stored) => {
      const { body } = await org.api.post(UNSUBSCRIBES, { channel, value }).expect(201);
      expect(body).toMatchObject({ channel, value: stored });
      const query = `channel=${channel}&value=${encodeURIComponent(value)}`;
      const check = await org.api.get(`${UNSUBSCRIBES}/check?${query}`).expect(200);
      expect(check.body).toEqual({ channel, unsubscribed: true });
    });

    it('reads national numbers by the region of the organization', async () => {
      const { body } = await other.api.post(UNSUBSCRIBES, { value: '(415) 555-2671' }).expect(201);
      expect(body.value).toBe('+14155552671');
      await refused(other.api.post(UNSUBSCRIBES, { value: '010-2345-6789' }), 'value');
    });

    it('separates channels and organizations', async () => {
      const value = fresh();
      await sms.register(value);
      expect(await new UnsubscribeClient(org, 'WHATSAPP').check(value)).toBe(false);
      expect(await new UnsubscribeClient(other).check(value)).toBe(false);
      expect((await new UnsubscribeClient(other).register(value)).duplicated).toBe(false);
    });

    it.each([
      ['value', '010-12'],
      ['value', 'kim@shop.example'],
      ['unsubscribedAt', '2026-11-20T08:32:01Z'],
      ['unsubscribedAt', '2026-11-21'],
    ])('refuses %s: %j by name', async (field, value) => {
      await refused(org.api.post(UNSUBSCRIBES, { value: fresh(), [field]: value }), field);
    });

    it.each([
      ['2026-11-20T08:32:00.750Z', '2026-11-20T08:32:00Z'],
      ['2026-11-20 08:31', '2026-11-20T08:31:00Z'],
      ['2026-11-20T17:32:00+09:00', '2026-11-20T08:32:00Z'],
      ['2026-11-20', '2026-11-20T00:00:00Z'],
      ['1999-01-01', '1999-01-01T00:00:00Z'],
    ])('takes unsubscribedAt %s', async (unsubscribedAt, shown) => {
      expect(await sms.register(fresh(), { unsubscribedAt })).toMatchObject({ unsubscribedAt: shown });
    });

    it('accepts a source of 200 characters, and no other fields', async () => {
      const source = '출처'.repeat(100);
      const entry = await sms.register(fresh(), { source, method: '080', id: 1, organizationId: 1 });
      expect(entry).toMatchObject({ source, method: 'API' });
    });

    it('registers once for a hundred concurrent requests', async () => {
      const value = fresh();
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => org.api.post(UNSUBSCRIBES, { value })),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(99);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    });
  });

  describe('DELETE /unsubscribes', () => {
    it('reports what it deleted, and the value can be registered again with a new id', async () => {
      const value = fresh();
      const unsubscribedAt = '2026-01-02T03:04:05Z';
      const first = await sms.register(value, { source: 'call centre', unsubscribedAt });
      expect(await sms.remove(value.replace('+82', '0'))).toEqual({
        channel: 'SMS',
        value,
        deleted: true,
        entry: { id: first.id, method: 'API', source: 'call centre', unsubscribedAt },
      });
      expect(await sms.remove(value)).toEqual({ channel: 'SMS', value, deleted: false, entry: null });
      expect(await sms.check(value)).toBe(false);
      const second = await sms.register(value);
      expect(second).toMatchObject({ duplicated: false });
      expect(second.id).not.toBe(first.id);
    });

    it('keeps those of other organizations and channels', async () => {
      const value = fresh();
      await sms.register(value);
      expect(await new UnsubscribeClient(other).remove(value)).toMatchObject({ deleted: false });
      expect(await new UnsubscribeClient(org, 'WHATSAPP').remove(value)).toMatchObject({ deleted: false });
      expect(await sms.check(value)).toBe(true);
    });

    it('deletes once under concurrency', async () => {
      const value = fresh();
      await sms.register(value);
      const answers = await Promise.all(Array.from({ length: 30 }, () => sms.remove(value)));
      expect(answers.filter(({ deleted }) => deleted)).toHaveLength(1);
    });
  });

  it('answers a check of what is no number or address that it is not registered, and why', async () => {
    for (const [channel, value, problem] of [
      ['SMS', '010-12', 'PHONE_FORMAT'],
      ['SMS', 'a@b.example', 'PHONE_FORMAT'],
      ['WHATSAPP', 'n/a', 'PHONE_FORMAT'],
      ['EMAIL', '010-2345-6789', 'EMAIL_FORMAT'],
    ]) {
      const { body } = await org.api.get(`${UNSUBSCRIBES}/check`, { channel, value }).expect(200);
      expect(body).toEqual({ channel, unsubscribed: false, problem });
    }
  });

  it('reads an unencoded plus sign as a plus sign', async () => {
    const value = fresh();
    await sms.register(value);
    const { body } = await org.api.get(`${UNSUBSCRIBES}/check?value=${value}`).expect(200);
    expect(body.unsubscribed).toBe(true);
    const deleted = await org.api.delete(`${UNSUBSCRIBES}?value=${value}`).expect(200);
    const entry = expect.objectContaining({ method: 'API', source: null });
    expect(deleted.body).toEqual({ channel: 'SMS', value, deleted: true, entry });
  });

  it('remains when a contact is saved with consents', async () => {
    const own = await createOrganization(app, { defaultRegion: 'KR', allowList: ['127.0.0.0/8'] });
    const [client, email] = [new UnsubscribeClient(own), new UnsubscribeClient(own, 'EMAIL')];
    const value = fresh();
    const address = 'kim.optout@shop.example';
    await client.register(value);
    await email.register(address);
    const before = [await client.watermark(true), await email.watermark(true)];
    const contact = {
      externalUserId: 'member-1',
      phoneNumber: value,
      email: address,
      smsOptIn: true,
      smsAdOptIn: true,
      emailOptIn: true,
      emailAdOptIn: true,
    };
    const contacts = '/api/v1/service/messaging/contacts';
    const { body } = await own.api.post(contacts, contact).expect(201);
    await own.api.post(contacts, { ...contact, smsAdOptIn: false }).expect(200);
    await own.api.put(`${contacts}/${body.id}`, { smsAdOptIn: true }).expect(200);
    await own.api.post(`${contacts}/bulk`, [contact]).expect(200);
    await own.api.delete(`${contacts}/${body.id}`).expect(204);
    await own.api.post(contacts, contact).expect(200);
    expect([await client.check(value), await email.check(address)]).toEqual([true, true]);
    expect([await client.watermark(true), await email.watermark(true)]).toEqual(before);
  });

  it('is written to the outbox, encrypted, and to the audit log, without the value', async () => {
    const own = await createOrganization(app, { defaultRegion: 'KR' });
    const client = new UnsubscribeClient(own);
    const value = fresh();
    const entry = await client.register(value, { source: 'desk' });
    await client.register(value);
    const { latestCursor } = await client.watermark();
    app.clock.advance(1);
    await client.remove(value);
    await client.remove(value);
    const after = await client.watermark();
    const deletions = await client.deletions();
    const { items } = deletions;
    const events = await cataloguedEvents(app, own.organizationId);
    expect(events.map(({ name, data }) => ({ name, data }))).toEqual([
      {
        name: 'unsubscribe.created',
        data: {
          id: entry.id,
          channel: 'SMS',
          phone: value,
          email: null,
          value,
          method: 'API',
          source: 'desk',
          unsubscribedAt: '2026-11-20T08:32:00Z',
          cursor: latestCursor,
        },
      },
      {
        name: 'unsubscribe.deleted',
        data: { ...items[0], cursor: deletions.nextCursor, latestCursor: after.latestCursor },
      },
    ]);
    expect(items[0]).toMatchObject({ sourceId: entry.id, value });
    // The feed continues from the webhook's cursor.
    const { cursor } = events.at(-1)?.data as { cursor: string };
    expect(await client.deletions(cursor)).toMatchObject({
      items: [],
      nextCursor: deletions.nextCursor,
    });

    const log = await app.sql(
      `SELECT action, resource_id, changes, actor_type FROM audit_log
        WHERE organization_id = $1 AND resource_type = 'unsubscribe' ORDER BY id`,
      [own.organizationId],
    );
    const changes = { channel: { from: null, to: 'SMS' } };
    const common = { resource_id: String(entry.id), changes, actor_type: 'API_KEY' };
    expect(log).toEqual([
      { action: 'unsubscribe.create', ...common },
      { action: 'unsubscribe.delete', ...common },
    ]);
  });
});
