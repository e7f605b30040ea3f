import { CONSENTS } from '../../src/modules/contacts/contact';
import { registerApp } from '../support/apps';
import { CONTACTS, createBook, GROUPS, listIds, NOT_OPTED_OUT, saveContact } from '../support/contacts';
import { appApi, consoleApi } from '../support/factories';
import { cataloguedEvents } from '../support/outbox';
import { SegmentConsole } from '../support/segments';
import { perTest, useTestApp } from '../support/test-app';
import { UnsubscribeClient } from '../support/unsubscribes';

const CROSS_PLATFORM = '/api/v1/cross-platform';
const SESSIONS = `${CROSS_PLATFORM}/session`;

const app = useTestApp();

describe('Contacts', () => {
  beforeEach(() => app.clock.set('2026-11-20T08:32:00Z'));
  const book = perTest(() => createBook(app));
  const shop = perTest(() => registerApp(book));
  const sdk = appApi(app, shop);

  describe('that return after their deletion', () => {
    const OLD = {
      externalUserId: 'm',
      name: 'Kim',
      email: 'kim@shop.example',
      phoneNumber: '010-2345-6789',
      pushIdentify: 'fcm:1',
      tags: ['vip'],
      customFields: { grade: 'gold' },
      ...Object.fromEntries(CONSENTS.map((consent) => [consent, true])),
    };
    const ways: [string, () => PromiseLike<unknown>][] = [
      ['POST', () => book.api.post(CONTACTS, { externalUserId: 'm', locale: 'ko' }).expect(200)],
      ['bulk', () => book.api.post(`${CONTACTS}/bulk`, [{ externalUserId: 'm', locale: 'ko' }]).expect(200)],
      ['PUT', () => book.api.put(`${CONTACTS}/by-external-id/m`, { locale: 'ko' }).expect(200)],
      [
        'import',
        () =>
          consoleApi(app)
            .post(`${book.consolePath}/messaging/contacts/import`)
            .set('Content-Type', 'text/csv')
            .send('externalUserId,locale\r\nm,ko\r\n')
            .expect(200),
      ],
      ['identify', () => sdk.post(`${CROSS_PLATFORM}/identify`, { externalUserId: 'm' }).expect(200)],
    ];

    it.each(ways)('by %s are like new: no consent, no earlier data', async (_, comeBack) => {
      const old = await saveContact(book, OLD);
      await book.api.delete(`${CONTACTS}/${old.id}`).expect(204);
      await comeBack();
      const { body } = await book.api.get(`${CONTACTS}/${old.id}`).expect(200);
      expect(body).toMatchObject({
        ...Object.fromEntries(CONSENTS.map((consent) => [consent, false])),
        ...{ externalUserId: 'm', name: null, email: null, phoneNumber: null, pushIdentify: null },
        ...{ tags: [], customFields: {}, origin: 'API', createdAt: old.createdAt, groupIds: old.groupIds },
      });
      const names = (await cataloguedEvents(app, book.organizationId)).map(({ name }) => name);
      expect(names.sort()).toEqual(['contact.created', 'contact.deleted', 'contact.updated']);
    });

    it('have the consents sent then', async () => {
      const { id } = await saveContact(book, OLD);
      await book.api.delete(`${CONTACTS}/${id}`).expect(204);
      const back = await saveContact(book, { externalUserId: 'm', smsOptIn: true }, 200);
      expect(back).toMatchObject({ id, smsOptIn: true, emailOptIn: false });
    });
  });

  it.each(['', ' ', '\t\n', '\u3000'])(
    'can not have the blank member id %j, wherever it is taken',
    async (blank) => {
      const externalUserId = blank;
      const platform = 'WEB';
      const session = await sdk.post(`${SESSIONS}/create`, { platform }).expect(201);
      const { sessionId } = session.body as { sessionId: string };
      const calls: [
        string,
        () => PromiseLike<{ status: number; body: { details?: { field: string }[] } }>,
      ][] = [
        ['contacts', () => book.api.post(CONTACTS, { externalUserId })],
        ['identify', () => sdk.post(`${CROSS_PLATFORM}/identify`, { externalUserId })],
        ['opt-in', () => sdk.post(`${CROSS_PLATFORM}/opt-in`, { externalUserId, smsOptIn: true })],
        ['withdraw', () => sdk.post(`${CROSS_PLATFORM}/withdraw`, { externalUserId })],
        ['link-user', () => sdk.post(`${SESSIONS}/${sessionId}/link-user`, { externalUserId })],
        ['create', () => sdk.post(`${SESSIONS}/create`, { platform, externalUserId })],
        ['track', () => sdk.post(`${SESSIONS}/funnel/track`, { sessionId, stage: 3, externalUserId })],
        ['sessions', () => sdk.get(`${CROSS_PLATFORM}/stats/sessions/list`, { externalUserId })],
      ];
      for (const [name, call] of calls) {
        const { status, body } = await call();
        const fields = (body.details ?? []).map(({ field }) => field);
        expect([name, status, fields.includes('externalUserId')]).toEqual([name, 400, true]);
      }
      const { body } = await book.api.post(`${CONTACTS}/bulk`, [{ externalUserId }]).expect(200);
      expect(body).toMatchObject({ created: 0, failed: 1 });
      expect(await listIds(book)).toEqual([]);
    },
  );

  it('are not created from null', async () => {
    for (const call of [book.api.post(CONTACTS), book.api.put(`${CONTACTS}/by-external-id/m`)]) {
      const { status, body } = await call.set('Content-Type', 'application/json').send('null');
      expect([status, body.details]).toEqual([400, [{ field: 'body', message: 'must be a JSON object' }]]);
    }
    expect(await listIds(book)).toEqual([]);
  });
});

describe('Opt-outs of contacts', () => {
  beforeEach(() => app.clock.set('2026-11-20T08:32:00Z'));
  const book = perTest(() => createBook(app));

  const optOut = (channel: string, value: string) => new UnsubscribeClient(book, channel).register(value);

  it('are in every response with the contact', async () => {
    await optOut('SMS', '010-2345-6789');
    await optOut('EMAIL', 'Kim@Shop.example');
    const PERSON = { externalUserId: 'kim', phoneNumber: '+82 10 2345 6789', email: 'kim@shop.example' };
    const optedOut = { sms: true, email: true, whatsapp: false };
    const made = await saveContact(book, { ...PERSON, emailOptIn: true });
    const path = `${CONTACTS}/${made.id}`;
    const ofConsole = `${book.consolePath}/messaging/contacts/${made.id}`;
    const group = made.groupIds[0];
    const console = consoleApi(app);
    const shown = [
      made,
      (await book.api.get(path)).body,
      (await book.api.put(path, { name: 'Kim' })).body,
      (await book.api.get(CONTACTS)).body.content[0],
      (await book.api.get(`${CONTACTS}?keyword=kim`)).body.content[0],
      (await book.api.get(`${CONTACTS}/by-phone`, { phone: '010-2345-6789' })).body,
      (await book.api.get(`${CONTACTS}/by-email`, { email: 'kim@shop.example' })).body,
      (await book.api.get(`${CONTACTS}/by-external-id/kim`)).body,
      (await book.api.get(`${GROUPS}/${group}/members`)).body.content[0],
      (await console.post(`${ofConsole}/block`)).body,
      (await console.post(`${ofConsole}/unblock`)).body,
      (await console.get(`${ofConsole}/export`)).body.contact,
      ...(await cataloguedEvents(app, book.organizationId))
        .filter(({ name }) => name.startsWith('contact.'))
        .map(({ data }) => data),
    ];
    expect(shown.length).toBeGreaterThan(13);
    for (const contact of shown) expect(contact).toMatchObject({ id: made.id, emailOptIn: true, optedOut });
  });

  it('follow the opt-out list by channel, value and organization', async () => {
    const kim = await saveContact(book, { phoneNumber: '010-2345-6789' });
    const lee = await saveContact(book, { phoneNumber: '010-2345-0000', email: 'lee@shop.example' });
    const of = async ({ id }: { id: number }) => (await book.api.get(`${CONTACTS}/${id}`)).body.optedOut;
    await new UnsubscribeClient(await createBook(app)).register('010-2345-6789');
    expect(await of(kim)).toEqual(NOT_OPTED_OUT);
    await optOut('WHATSAPP', '010-2345-6789');
    expect(await of(kim)).toEqual({ ...NOT_OPTED_OUT, whatsapp: true });
    expect(await of(lee)).toEqual(NOT_OPTED_OUT);
    await book.api.put(`${CONTACTS}/${kim.id}`, { phoneNumber: '010-2345-1111' }).expect(200);
    expect(await of(kim)).toEqual(NOT_OPTED_OUT);
    await book.api.put(`${CONTACTS}/${lee.id}`, { phoneNumber: '010-2345-6789' }).expect(200);
    expect(await of(lee)).toEqual({ ...NOT_OPTED_OUT, whatsapp: true });
    await new UnsubscribeClient(book, 'WHATSAPP').remove('010-2345-6789');
    expect(await of(lee)).toEqual(NOT_OPTED_OUT);
  });

  it('are columns of the export', async () => {
    await optOut('EMAIL', 'kim@shop.example');
    await saveContact(book, { email: 'kim@shop.example' });
    const path = `${book.consolePath}/messaging/contacts/export`;
    const [header = '', row = ''] = (await consoleApi(app).get(path).expect(200)).text.split('\r\n');
    expect(header).toMatch(/,optedOut\.sms,optedOut\.email,optedOut\.whatsapp$/);
    expect(row).toMatch(/,false,true,false$/);
  });

  it('are properties of segments', async () => {
    const segments = new SegmentConsole(app, book);
    const ask = (propKey: string, propOp: string, propValue?: unknown, compareKey?: string) =>
      segments.members({ propKey, propOp, propValue, ...(compareKey && { compareKey }) });
    await saveContact(book, { externalUserId: 'kim', phoneNumber: '010-2345-6789', smsOptIn: true });
    await saveContact(book, { externalUserId: 'lee', email: 'lee@shop.example', emailOptIn: true });
    await saveContact(book, { externalUserId: 'none' });
    await optOut('SMS', '010-2345-6789');
    await optOut('EMAIL', 'lee@shop.example');
    await optOut('EMAIL', 'nobody@shop.example');
    expect(await ask('optedOut.sms', 'EQ', true)).toEqual(['kim']);
    expect(await ask('optedOut.sms', 'EQ', false)).toEqual(['lee', 'none']);
    expect(await ask('optedOut.email', 'NE', false)).toEqual(['lee']);
    expect(await ask('optedOut.whatsapp', 'EQ', true)).toEqual([]);
    expect(await ask('optedOut.sms', 'EQ', undefined, 'smsOptIn')).toEqual(['kim', 'lee', 'none']);
    await new UnsubscribeClient(book).remove('010-2345-6789');
    expect(await ask('optedOut.sms', 'EQ', true)).toEqual([]);
    const refused = await segments.post({
      name: 'x',
      conditionGroups: [{ conditions: [{ propKey: 'optedOut.push', propOp: 'EQ', propValue: true }] }],
    });
    expect(refused.status).toBe(400);
  });
});
