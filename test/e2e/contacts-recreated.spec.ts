import { CONSENTS } from '../../src/modules/contacts/contact';
import { registerApp } from '../support/apps';
import { CONTACTS, createBook, listIds, saveContact } from '../support/contacts';
import { type ApiClient, appApi, consoleApi, type TestOrganization } from '../support/factories';
import { cataloguedEvents } from '../support/outbox';
import { useTestApp } from '../support/test-app';

const CROSS_PLATFORM = '/api/v1/cross-platform';
const SESSIONS = `${CROSS_PLATFORM}/session`;

describe('Contacts', () => {
  const app = useTestApp();
  let book: TestOrganization;
  let sdk: ApiClient;

  beforeEach(async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    book = await createBook(app);
    sdk = appApi(app, await registerApp(book));
  });

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
            .post(`/api/v1/console/organizations/${book.organizationId}/contacts/import`)
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
