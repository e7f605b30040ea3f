import { CONTACTS, createBook, listIds, saveContact, NOT_OPTED_OUT } from '../support/contacts';
import { consoleApi } from '../support/factories';
import { NO_ID } from '../support/resources';
import { perTest, useTestApp } from '../support/test-app';

const PERSON = {
  name: 'Kim Minji',
  phoneNumber: '010-2345-6789',
  email: 'Minji@Example.com',
  externalUserId: 'member-1',
  pushIdentify: 'fcm:token-1',
  pushTokenIdx: 7,
  locale: 'ko-KR',
  pushOptIn: true,
  smsOptIn: true,
  emailOptIn: false,
  alimtalkOptIn: true,
  pushAdOptIn: true,
  smsAdOptIn: false,
  emailAdOptIn: false,
  alimtalkAdOptIn: false,
  nightAdOptIn: false,
  tags: ['vip', 'seoul'],
  customFields: { grade: 'gold', age: 31, member: true, note: null },
};

describe('Contacts', () => {
  const app = useTestApp();
  const book = perTest(() => createBook(app));

  const refused = async (body: unknown, field: string, method: 'post' | 'put' = 'post', path = CONTACTS) => {
    const response = await book.api[method](path, body as object);
    expect([response.status, response.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(response.body.details.map((detail: { field: string }) => detail.field)).toEqual([field]);
  };

  describe('are saved', () => {
    it('with every field, and returned with it', async () => {
      app.clock.set('2026-11-20T08:32:00Z');
      const contact = await saveContact(book, PERSON);
      const [group] = contact.groupIds;
      expect(contact).toEqual({
        ...PERSON,
        id: expect.any(Number),
        phoneNumber: '+821023456789',
        email: 'minji@example.com',
        whatsappOptIn: false,
        customFields: { grade: 'gold', age: '31', member: 'true' },
        origin: 'API',
        status: 'ACTIVE',
        blocked: false,
        optedOut: NOT_OPTED_OUT,
        groupIds: [group],
        createdAt: '2026-11-20T08:32:00Z',
        updatedAt: '2026-11-20T08:32:00Z',
      });
      const { body } = await book.api.get(`${CONTACTS}/${contact.id}`).expect(200);
      expect(body).toEqual(contact);
    });

    it('without any field, each time a new one', async () => {
      const first = await saveContact(book);
      const second = await saveContact(book, { externalUserId: null, unknown: 'field' });
      expect(second.id).not.toBe(first.id);
      expect(first).toMatchObject({
        name: null,
        phoneNumber: null,
        tags: [],
        customFields: {},
        pushOptIn: false,
      });
    });

    it('by an existing member id: 200, and only the fields supplied change', async () => {
      app.clock.set('2026-11-20T08:32:00Z');
      const made = await saveContact(book, PERSON);
      app.clock.set('2026-11-20T09:00:00Z');
      const changed = await saveContact(
        book,
        {
          externalUserId: 'member-1',
          phoneNumber: '+82 10-9999-0000',
          smsOptIn: false,
          pushOptIn: null,
          customFields: { grade: null, city: 'Seoul' },
          tags: null,
        },
        200,
      );
      expect(changed).toEqual({
        ...made,
        phoneNumber: '+821099990000',
        smsOptIn: false,
        tags: [],
        customFields: { age: '31', member: 'true', city: 'Seoul' },
        updatedAt: '2026-11-20T09:00:00Z',
      });
      expect(await listIds(book)).toEqual([made.id]);
    });

    it('without a change, and stay the same', async () => {
      app.clock.set('2026-11-20T08:32:00Z');
      const made = await saveContact(book, PERSON);
      app.clock.set('2026-11-20T09:00:00Z');
      expect(await saveContact(book, PERSON, 200)).toEqual(made);
      const log = await app.sql(
        `SELECT 1 FROM audit_log WHERE resource_type = 'contact' AND organization_id = $1`,
        [book.organizationId],
      );
      expect(log).toHaveLength(1);
    });

    it('a hundred times concurrently with one member id: one contact, one 201', async () => {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          book.api.post(CONTACTS, { externalUserId: 'same', customFields: { [`k${i % 40}`]: i } }),
        ),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(1);
      expect(statuses.filter((status) => status === 200)).toHaveLength(99);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      const { body } = await book.api.get(CONTACTS).expect(200);
      expect(body.totalElements).toBe(1);
      // No request overwrote another's fields.
      expect(Object.keys(body.content[0].customFields)).toHaveLength(40);
    });
  });

  describe('have limits', () => {
    const text = (length: number) => 'é'.repeat(length);
    const address = (length: number) =>
      `${'a'.repeat(length - 136)}@${'b'.repeat(63)}.${'c'.repeat(63)}.example`;

    it.each([
      ['externalUserId', text(200), text(201)],
      ['phoneNumber', ' +82 10  2345 - 6789', ' +82 10  2345  - 6789'],
      ['email', address(200), address(201)],
    ])('%s', async (field, fits, tooLong) => {
      expect(Array.from(tooLong)).toHaveLength(Array.from(fits).length + 1);
      await saveContact(book, { [field]: fits });
      await refused({ [field]: tooLong }, field);
    });

    it('of custom fields: what is beyond 50 keys, 50 characters and 2000 characters is left out or cut', async () => {
      const keys = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'x']));
      const full = await saveContact(book, { externalUserId: 'a', customFields: keys(51) });
      expect(Object.keys(full.customFields)).toHaveLength(50);
      expect(full.customFields.k50).toBeUndefined();
      const still = await saveContact(
        book,
        { externalUserId: 'a', customFields: { new: 'x', k0: 'y' } },
        200,
      );
      expect(still.customFields).toEqual({ ...full.customFields, k0: 'y' });
      const customFields = { k0: null, ['é'.repeat(50)]: '😀'.repeat(2001), ['é'.repeat(51)]: 'x' };
      const { customFields: names } = await saveContact(book, { customFields });
      expect(names).toEqual({ ['é'.repeat(50)]: '😀'.repeat(2000) });
    });

    it('with custom fields of the organization', async () => {
      const limits = { maxCustomFields: 2, maxCustomFieldName: 3, maxCustomFieldValue: 4 };
      const path = book.consolePath;
      await consoleApi(app).patch(path, limits).expect(200);
      const { customFields } = await saveContact(book, {
        customFields: { abcd: 1, abc: 12345, b: 'b', c: 'c' },
      });
      expect(customFields).toEqual({ abc: '1234', b: 'b' });
    });

    it.each([
      ['phoneNumber', '12345'],
      ['phoneNumber', 'phone'],
      ['email', 'minji'],
      ['email', 'minji@example'],
      ['customFields', { a: 'a\u0000b' }],
      ['customFields', { 'a\ud800': 'b' }],
      ['groupId', NO_ID],
    ])('that refuse %s %j by name', async (field, value) => {
      await refused({ [field]: value }, field);
    });

    it('that keep nested custom fields as JSON', async () => {
      const { customFields } = await saveContact(book, { customFields: { a: { b: [1] }, c: [] } });
      expect(customFields).toEqual({ a: '{"b":[1]}', c: '[]' });
    });
  });

  describe('are changed by id', () => {
    it('in the fields supplied; null and empty strings clear, null keeps consents', async () => {
      const made = await saveContact(book, PERSON);
      const put = (body: object) => book.api.put(`${CONTACTS}/${made.id}`, body);
      const { body: renamed } = await put({ name: 'Lee', nightAdOptIn: true }).expect(200);
      expect(renamed).toMatchObject({ name: 'Lee', nightAdOptIn: true, phoneNumber: '+821023456789' });
      const cleared = { name: null, phoneNumber: '', email: null, pushIdentify: '', pushTokenIdx: null };
      const { body } = await put({
        ...cleared,
        smsOptIn: null,
        externalUserId: null,
        customFields: null,
      }).expect(200);
      expect(body).toMatchObject({
        name: null,
        phoneNumber: null,
        email: null,
        pushIdentify: null,
        pushTokenIdx: null,
        smsOptIn: true,
        externalUserId: 'member-1',
        customFields: renamed.customFields,
      });
      await book.api.get(`${CONTACTS}/by-phone`, { phone: '010-2345-6789' }).expect(404);
    });

    it('to an unused member id, but not to that of another', async () => {
      await saveContact(book, { externalUserId: 'taken' });
      const { id } = await saveContact(book, { externalUserId: 'mine' });
      await book.api.put(`${CONTACTS}/${id}`, { externalUserId: 'renamed' }).expect(200);
      const { status, body } = await book.api.put(`${CONTACTS}/${id}`, {
        externalUserId: 'taken',
        name: 'x',
      });
      expect([status, body.code]).toEqual([409, 'EXTERNAL_USER_ID_TAKEN']);
      expect((await saveContact(book, { externalUserId: 'renamed' }, 200)).name).toBeNull();
    });
  });

  describe('are found', () => {
    it('by phone number in any format, of several the one that was changed last, and how many there are', async () => {
      const first = await saveContact(book, { phoneNumber: '010-2345-6789' });
      app.clock.advance(1000);
      const { id } = await saveContact(book, { phoneNumber: '+82 10 2345 6789' });
      for (const phone of ['01023456789', '+82-10-2345-6789', '010 2345 6789']) {
        const { body } = await book.api.get(`${CONTACTS}/by-phone`, { phone }).expect(200);
        expect(body).toMatchObject({ id, matches: 2 });
      }
      app.clock.advance(1000);
      await book.api.put(`${CONTACTS}/${first.id}`, { name: 'Changed' }).expect(200);
      const { body } = await book.api.get(`${CONTACTS}/by-phone`, { phone: '01023456789' }).expect(200);
      expect(body).toMatchObject({ id: first.id, matches: 2 });
      await book.api.get(`${CONTACTS}/by-phone`, { phone: '010-2345-6780' }).expect(404);
    });

    it('by e-mail address, case-insensitively', async () => {
      const { id } = await saveContact(book, { email: 'Minji@Example.com' });
      const { body } = await book.api.get(`${CONTACTS}/by-email`, { email: 'MINJI@example.COM' }).expect(200);
      expect(body.id).toBe(id);
      await book.api.get(`${CONTACTS}/by-email`, { email: 'minji@example.org' }).expect(404);
      const other = await createBook(app);
      await other.api.get(`${CONTACTS}/by-email`, { email: 'minji@example.com' }).expect(404);
    });

    it('but not by anything else', async () => {
      for (const [path, field] of [
        [`by-phone?phone=12`, 'phone'],
        ['by-email?email=minji', 'email'],
      ]) {
        const { status, body } = await book.api.get(`${CONTACTS}/${path}`);
        expect([status, body.details?.[0]?.field]).toEqual([400, field]);
      }
    });
  });

  describe('are deactivated', () => {
    it('softly: missing everywhere until their member id is sent again', async () => {
      const made = await saveContact(book, PERSON);
      await book.api.delete(`${CONTACTS}/${made.id}`).expect(204);
      await book.api.get(`${CONTACTS}/${made.id}`).expect(404);
      await book.api.put(`${CONTACTS}/${made.id}`, { name: 'x' }).expect(404);
      await book.api.delete(`${CONTACTS}/${made.id}`).expect(404);
      await book.api.get(`${CONTACTS}/by-phone`, { phone: PERSON.phoneNumber }).expect(404);
      await book.api.get(`${CONTACTS}/by-email`, { email: PERSON.email }).expect(404);
      expect(await listIds(book)).toEqual([]);
      for (const keyword of ['minji', '6789', 'example.com'])
        expect(await listIds(book, { keyword })).toEqual([]);

      const back = await saveContact(book, { externalUserId: 'member-1', name: 'Back' }, 200);
      expect(back).toMatchObject({ id: made.id, name: 'Back', status: 'ACTIVE', groupIds: made.groupIds });
      expect(await listIds(book)).toEqual([made.id]);
    });
  });
});
