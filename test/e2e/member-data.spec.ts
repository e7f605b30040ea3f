import { CONTACTS, createBook, NOT_OPTED_OUT } from '../support/contacts';
import { registerApp } from '../support/apps';
import { appApi, consoleApi } from '../support/factories';
import { cataloguedEvents } from '../support/outbox';
import { perTest, useTestApp } from '../support/test-app';

const CROSS_PLATFORM = '/api/v1/cross-platform';
const CONSENTS = {
  smsOptIn: true,
  emailOptIn: false,
  pushOptIn: true,
  smsAdOptIn: true,
  emailAdOptIn: false,
  pushAdOptIn: false,
  nightAdOptIn: true,
  alimtalkAdOptIn: true,
  whatsappOptIn: true,
};
const PERSON = {
  ...CONSENTS,
  externalUserId: 'member-1',
  name: 'Kim Minji',
  phone: '010-2345-6789',
  email: 'Minji@Example.com',
  pushIdentify: 'fcm:token-1',
  customFields: { grade: 'gold', age: 31, signup_date: '2026-11-20' },
};
/** The contact in the Service API. */
const SHOWN = {
  ...CONSENTS,
  externalUserId: 'member-1',
  name: 'Kim Minji',
  phoneNumber: '+821023456789',
  email: 'minji@example.com',
  pushIdentify: 'fcm:token-1',
  pushTokenIdx: null,
  locale: null,
  optedOut: NOT_OPTED_OUT,
  alimtalkOptIn: false,
  tags: [],
  customFields: { grade: 'gold', age: '31', signup_date: '2026-11-20' },
  origin: 'SDK',
  status: 'ACTIVE',
  blocked: false,
};
const BLANK = {
  name: null,
  phoneNumber: null,
  email: null,
  pushIdentify: null,
  customFields: {},
  smsOptIn: false,
  emailOptIn: false,
  pushOptIn: false,
  smsAdOptIn: false,
  emailAdOptIn: false,
  pushAdOptIn: false,
  nightAdOptIn: false,
  alimtalkAdOptIn: false,
  whatsappOptIn: false,
};
const NOT_FOUND = { success: false, message: 'Contact not found' };

describe('Member data', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  const book = perTest(() => createBook(app));
  const shop = perTest(() => registerApp(book));
  const sdk = appApi(app, shop);

  const identify = async (body: object, status = 200) =>
    (await sdk.post(`${CROSS_PLATFORM}/identify`, body).expect(status)).body;
  const optIn = async (body: object, status = 200) =>
    (await sdk.post(`${CROSS_PLATFORM}/opt-in`, body).expect(status)).body;
  const withdraw = async (externalUserId: string, status = 200) =>
    (await sdk.post(`${CROSS_PLATFORM}/withdraw`, { externalUserId }).expect(status)).body;
  const contacts = async () => (await book.api.get(CONTACTS).expect(200)).body.content;
  /** Sorted by time, then by name. */
  const events = async () =>
    (await cataloguedEvents(app, book.organizationId)).toSorted(
      (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.name < b.name ? -1 : 1),
    );
  const eventNames = async () => (await events()).map(({ name }) => name);

  describe('identify', () => {
    it('creates a contact with all fields, and sends an event', async () => {
      expect(await identify(PERSON)).toEqual({
        success: true,
        action: 'created',
        externalUserId: 'member-1',
        pushOptIn: true,
        pushAdOptIn: false,
      });
      const [contact] = await contacts();
      expect(contact).toEqual({
        ...SHOWN,
        id: expect.any(Number),
        groupIds: [expect.any(Number)],
        createdAt: '2026-11-20T08:32:00Z',
        updatedAt: '2026-11-20T08:32:00Z',
      });
      expect(await events()).toMatchObject([{ name: 'contact.created', data: contact }]);
    });

    it('changes only the fields supplied: null is ignored, an empty string clears', async () => {
      await identify(PERSON);
      app.clock.set('2026-11-20T09:00:00Z');
      const nothing = { name: null, phone: null, email: null, pushIdentify: null, customFields: null };
      const consents = { smsOptIn: null, nightAdOptIn: null };
      expect(await identify({ externalUserId: 'member-1', ...nothing, ...consents })).toEqual({
        success: true,
        action: 'updated',
        externalUserId: 'member-1',
        // Those that are stored, of which the request names none.
        pushOptIn: true,
        pushAdOptIn: false,
      });
      expect(await contacts()).toMatchObject([{ ...SHOWN, updatedAt: '2026-11-20T08:32:00Z' }]);
      expect(await eventNames()).toEqual(['contact.created']);

      const change = { name: 'Lee', phone: '', email: '', pushIdentify: '', smsOptIn: false };
      const customFields = { grade: null, city: 'Seoul' };
      await identify({ externalUserId: 'member-1', ...change, customFields });
      const [contact] = await contacts();
      expect(contact).toMatchObject({
        ...SHOWN,
        name: 'Lee',
        phoneNumber: null,
        email: null,
        pushIdentify: null,
        smsOptIn: false,
        customFields: { age: '31', signup_date: '2026-11-20', city: 'Seoul' },
        createdAt: '2026-11-20T08:32:00Z',
        updatedAt: '2026-11-20T09:00:00Z',
      });
      expect((await events())[1]).toMatchObject({ name: 'contact.updated', data: contact });
    });

    it('finds the contact created by a server, and keeps its origin', async () => {
      await book.api.post(CONTACTS, { externalUserId: 'member-1', tags: ['vip'] }).expect(201);
      expect(await identify(PERSON)).toMatchObject({ action: 'updated' });
      expect(await contacts()).toMatchObject([{ ...SHOWN, origin: 'API', tags: ['vip'] }]);
    });

    it('ignores unknown fields', async () => {
      await identify({
        externalUserId: 'member-1',
        alimtalkOptIn: true,
        tags: 7,
        phoneNumber: 'x',
        blocked: 1,
      });
      expect(await contacts()).toMatchObject([{ alimtalkOptIn: false, tags: [], blocked: false }]);
    });

    it('creates one contact for 50 concurrent calls, and loses nothing', async () => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          identify({ externalUserId: 'same', customFields: { [`k${i}`]: i } }),
        ),
      );
      const actions = answers.map(({ action }) => action);
      expect(actions.filter((action) => action === 'created')).toHaveLength(1);
      expect(actions.filter((action) => action === 'updated')).toHaveLength(49);
      const [contact, ...others] = await contacts();
      expect(others).toEqual([]);
      expect(Object.keys(contact.customFields)).toHaveLength(50);
    });

    it('refuses what is wrong by name', async () => {
      for (const [field, value] of [
        ['phone', '12345'],
        ['email', 'minji'],
        ['customFields', { a: 'b\ud800' }],
      ] as const) {
        const refusal = await identify({ ...PERSON, [field]: value }, 400);
        expect(refusal).toMatchObject({ status: 400, code: 'VALIDATION_FAILED', details: [{ field }] });
      }
      expect(await contacts()).toEqual([]);
    });

    it('leaves a contact deactivated that an administrator has blocked', async () => {
      await identify(PERSON);
      const [{ id }] = await contacts();
      await consoleApi(app).post(`${book.consolePath}/messaging/contacts/${id}/block`).expect(200);
      // Blocked but active, so still in use.
      expect(await identify({ externalUserId: 'member-1', name: 'Lee' })).toMatchObject({
        action: 'updated',
      });
      await book.api.delete(`${CONTACTS}/${id}`).expect(204);
      expect(await identify(PERSON, 403)).toEqual({
        status: 403,
        error: 'Forbidden',
        code: 'CONTACT_BLOCKED',
        message: 'The contact is blocked and stays deactivated',
        timestamp: '2026-11-20T08:32:00Z',
      });
      expect(await contacts()).toEqual([]);
    });

    it('reactivates a deactivated contact', async () => {
      await identify(PERSON);
      const [{ id }] = await contacts();
      await book.api.delete(`${CONTACTS}/${id}`).expect(204);
      expect(await identify({ externalUserId: 'member-1' })).toMatchObject({ action: 'reactivated' });
      expect(await contacts()).toMatchObject([{ id, status: 'ACTIVE' }]);
    });
  });

  describe('opt-in', () => {
    it('changes the consents supplied, and sends an event when the last one is withdrawn', async () => {
      await identify(PERSON);
      const change = { smsOptIn: false, emailOptIn: true, pushOptIn: null, name: 'Lee' };
      expect(await optIn({ externalUserId: 'member-1', ...change })).toEqual({
        success: true,
        externalUserId: 'member-1',
        pushOptIn: true,
        pushAdOptIn: false,
      });
      expect(await contacts()).toMatchObject([{ ...SHOWN, smsOptIn: false, emailOptIn: true }]);
      await optIn({ externalUserId: 'member-1', emailOptIn: true });
      expect(await eventNames()).toEqual(['contact.created', 'contact.updated']);

      const none = Object.fromEntries(
        Object.entries(BLANK).filter(([name, value]) => name.endsWith('OptIn') && value === false),
      );
      app.clock.advance(1000);
      await optIn({ externalUserId: 'member-1', ...none });
      const [contact] = await contacts();
      expect(contact).toMatchObject({ ...SHOWN, ...none });
      expect((await events()).slice(2)).toMatchObject([
        { name: 'contact.opt_out', data: contact },
        { name: 'contact.updated', data: contact },
      ]);
    });

    it('is 404 for a member never identified in this organization', async () => {
      const other = await createBook(app);
      await appApi(app, await registerApp(other))
        .post(`${CROSS_PLATFORM}/identify`, PERSON)
        .expect(200);
      expect(await optIn({ externalUserId: 'member-1', smsOptIn: true }, 404)).toEqual(NOT_FOUND);
      expect(await contacts()).toEqual([]);
    });
  });

  describe('withdraw', () => {
    it('clears and deactivates the contact, once, and sends no former data to webhooks', async () => {
      await identify(PERSON);
      const [{ id }] = await contacts();
      app.clock.set('2026-11-20T09:00:00Z');
      expect(await withdraw('member-1')).toEqual({
        success: true,
        externalUserId: 'member-1',
        withdrawnCount: 1,
      });
      expect(await contacts()).toEqual([]);
      const path = `${book.consolePath}/messaging/contacts/${id}/export`;
      const { body } = await consoleApi(app).get(path).expect(200);
      const blank = {
        ...SHOWN,
        ...BLANK,
        id,
        groupIds: [],
        status: 'DEACTIVATED',
        createdAt: '2026-11-20T08:32:00Z',
        updatedAt: '2026-11-20T09:00:00Z',
      };
      expect(body).toMatchObject({ contact: blank, groups: [], activity: [] });
      expect(body.contact).toEqual(blank);
      const deletedAt = '2026-11-20T09:00:00Z';
      expect(await events()).toMatchObject([
        { name: 'contact.deleted', data: { id, externalUserId: 'member-1', deletedAt } },
        { name: 'contact.opt_out', data: blank },
        { name: 'contact.updated', data: blank },
      ]);
      const log = await app.sql(
        `SELECT actor_type, action, changes FROM audit_log WHERE organization_id = $1 AND action = 'contact.withdraw'`,
        [book.organizationId],
      );
      expect(log).toEqual([{ actor_type: 'APP', action: 'contact.withdraw', changes: {} }]);

      expect(await withdraw('member-1', 404)).toEqual(NOT_FOUND);
      expect(await optIn({ externalUserId: 'member-1', smsOptIn: true }, 404)).toEqual(NOT_FOUND);
      expect(await eventNames()).toHaveLength(3);
    });

    it('is 404 for a missing contact, and done once under concurrency', async () => {
      expect(await withdraw('nobody', 404)).toEqual(NOT_FOUND);
      await identify(PERSON);
      const other = await createBook(app);
      const foreign = appApi(app, await registerApp(other));
      await foreign.post(`${CROSS_PLATFORM}/withdraw`, { externalUserId: 'member-1' }).expect(404);
      const answers = await Promise.all(
        Array.from({ length: 10 }, () =>
          sdk.post(`${CROSS_PLATFORM}/withdraw`, { externalUserId: 'member-1' }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(404)]);
    });

    it('deletes the data of a deactivated contact as well', async () => {
      await identify(PERSON);
      const [{ id }] = await contacts();
      await book.api.delete(`${CONTACTS}/${id}`).expect(204);
      expect(await withdraw('member-1')).toMatchObject({ withdrawnCount: 1 });
      await withdraw('member-1', 404);
      await identify({ externalUserId: 'member-1' });
      expect(await contacts()).toMatchObject([{ ...SHOWN, ...BLANK }]);
    });

    it("leaves an administrator's block", async () => {
      await identify(PERSON);
      const [{ id }] = await contacts();
      const path = `${book.consolePath}/messaging/contacts/${id}`;
      await consoleApi(app).post(`${path}/block`).expect(200);
      await withdraw('member-1');
      expect((await identify(PERSON, 403)).code).toBe('CONTACT_BLOCKED');
      await consoleApi(app).post(`${path}/unblock`).expect(200);
      expect(await identify({ externalUserId: 'member-1' })).toMatchObject({ action: 'reactivated' });
      expect(await contacts()).toMatchObject([{ ...SHOWN, ...BLANK }]);
    });
  });
});
