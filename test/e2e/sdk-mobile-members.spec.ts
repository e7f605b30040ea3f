import { registerApp } from '../support/apps';
import { createCampaign } from '../support/campaigns';
import { createBook, saveContact } from '../support/contacts';
import { appApi, consoleApi, createOrganization } from '../support/factories';
import { codeOf, createLink } from '../support/links';
import { perSuite, useTestApp } from '../support/test-app';

const MOBILE = '/api/v1/sdk/mobile';
const NOW = '2026-11-20T08:32:00Z';
/** As in the cross-platform API. */
const MISSING = { success: false, message: 'Contact not found' };
const notFound = (what: string) => ({
  status: 404,
  error: 'Not Found',
  code: 'NOT_FOUND',
  message: `${what} not found`,
  timestamp: NOW,
});

describe('the Mobile SDK API, on members', () => {
  const app = useTestApp({ at: NOW });
  let shortCode: string;
  let linkId: number;
  const book = perSuite(() => createBook(app));
  const shop = perSuite(() => registerApp(book));
  const api = appApi(app, shop);
  const other = perSuite(async () => registerApp(await createOrganization(app)));
  const otherApi = appApi(app, other);
  beforeAll(async () => {
    const link = await createLink(book, { iosAppId: shop.id });
    [shortCode, linkId] = [codeOf(link), link.id];
  });

  describe('associations', () => {
    const associate = (body: unknown, at = shortCode, client = api) =>
      client.post(`${MOBILE}/links/${at}/associations`, body as object);
    const rows = () =>
      app.sql<{ text: string }>(
        `SELECT a::text AS text FROM link_associations AS a WHERE organization_id = $1 ORDER BY id`,
        [book.organizationId],
      );
    const exported = async (id: number) => {
      const contacts = `${book.consolePath}/messaging/contacts`;
      const { body } = await consoleApi(app).get(`${contacts}/${id}/export`).expect(200);
      return (body as { others: { linkAssociations: object[] } }).others.linkAssociations;
    };

    it('are created once per link or campaign and push token, at either of its URLs', async () => {
      const campaign = await createCampaign(book, { alias: 'autumn' });
      const person = { tokenidx: '17', identify: 'member-1' };
      const { body } = await associate(person).expect(200);
      expect(body).toEqual({ success: true, type: 'url', shortCode, ...person });
      const calls = [person, person, { ...person, identify: 'member-2' }].map((each) =>
        associate(each, `${shop.path}/${shortCode}`).expect(200),
      );
      await Promise.all(calls);
      await associate({ ...person, identify: 'member-2' }).expect(200);
      expect(await rows()).toHaveLength(1);
      const ofCampaign = await api
        .post(`${MOBILE}/links/autumn/associations?type=campaign`, person)
        .expect(200);
      expect(ofCampaign.body).toEqual({ success: true, type: 'campaign', shortCode: 'autumn', ...person });
      await associate({ ...person, tokenidx: '18' }).expect(200);
      expect(await rows()).toHaveLength(3);
      const contact = await saveContact(book, { externalUserId: 'member-2' });
      const common = { tokenidx: '17', associatedAt: NOW };
      expect(await exported(contact.id)).toEqual([
        { type: 'url', id: linkId, identify: 'member-2', ...common },
      ]);
      const byToken = await saveContact(book, { externalUserId: 'somebody', pushTokenIdx: 17 });
      expect(await exported(byToken.id)).toEqual([
        { type: 'url', id: linkId, identify: 'member-2', ...common },
        { type: 'campaign', id: campaign.id, identify: 'member-1', ...common },
      ]);
    });

    it('are encrypted, and deleted with the person: withdrawn or erased', async () => {
      const identify = 'push-name-of-nobody-else';
      const left = (await rows()).length;
      const people = [{ externalUserId: 'leaver', pushIdentify: identify }, { externalUserId: identify }];
      for (const person of people) {
        const contact = await saveContact(book, person);
        await associate({ tokenidx: 'token-of-nobody-else', identify }).expect(200);
        const dump = (await rows()).map(({ text }) => text).join();
        expect(dump).not.toContain('nobody-else');
        expect(await exported(contact.id)).toMatchObject([{ identify, tokenidx: 'token-of-nobody-else' }]);
        if (person.pushIdentify) {
          const withdraw = { externalUserId: person.externalUserId };
          await api.post('/api/v1/cross-platform/withdraw', withdraw).expect(200);
        } else {
          const contacts = `${book.consolePath}/messaging/contacts`;
          await consoleApi(app).delete(`${contacts}/${contact.id}?erase=true`).expect(204);
        }
        expect(await rows()).toHaveLength(left);
      }
    });

    it('accept fields up to their limits', async () => {
      const most = { tokenidx: '가'.repeat(200), identify: 'x'.repeat(200) };
      expect((await associate(most).expect(200)).body).toEqual({
        success: true,
        type: 'url',
        shortCode,
        ...most,
      });
    });

    it('are refused for missing and foreign links', async () => {
      const person = { tokenidx: '1', identify: 'x' };
      for (const [at, client] of [
        ['unknown', api],
        [`nopath/${shortCode}`, api],
        [shortCode, otherApi],
        ['autumn', api],
      ] as const) {
        const { status, body } = await associate(person, at, client);
        expect([at, status, body]).toEqual([at, 404, notFound('Link')]);
      }
      for (const at of [shortCode, `${shop.path}/autumn`]) {
        const { status, body } = await api.post(`${MOBILE}/links/${at}/associations?type=campaign`, person);
        expect([at, status, body]).toEqual([at, 404, notFound('Campaign')]);
      }
    });
  });

  it('identify and opt in as in the cross-platform API', async () => {
    const person = { externalUserId: 'mobile-1', smsOptIn: true, pushOptIn: true };
    const stored = { success: true, externalUserId: 'mobile-1', pushOptIn: true, pushAdOptIn: false };
    const made = await api.post(`${MOBILE}/identify`, person).expect(200);
    expect(made.body).toEqual({ ...stored, action: 'created' });
    const consents = { externalUserId: 'mobile-1', smsOptIn: null, emailOptIn: true };
    expect((await api.post(`${MOBILE}/opt-in`, consents).expect(200)).body).toEqual(stored);
    const contact = await saveContact(book, { externalUserId: 'mobile-1' }, 200);
    expect(contact).toMatchObject({ origin: 'SDK', smsOptIn: true, pushOptIn: true, emailOptIn: true });
    expect((await otherApi.post(`${MOBILE}/opt-in`, consents).expect(404)).body).toEqual(MISSING);
    await api.post(`${MOBILE}/identify`, { externalUserId: 'x'.repeat(200) }).expect(200);
  });
});
