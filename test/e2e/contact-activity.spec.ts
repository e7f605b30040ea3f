import { Database } from '../../src/infrastructure/database/database';
import {
  type Activity,
  ContactActivity,
  type MemberAction,
} from '../../src/modules/contacts/contact-activity';
import { CONTACTS, createBook, saveContact } from '../support/contacts';
import { consoleApi } from '../support/factories';
import { perTest, useTestApp } from '../support/test-app';

const AT = new Date('2026-11-20T08:32:00Z');
const later = (minutes: number) => new Date(AT.getTime() + minutes * 60_000);

describe('The activity of contacts', () => {
  const app = useTestApp();
  let id: number;

  const book = perTest(() => createBook(app));
  beforeEach(async () => {
    ({ id } = await saveContact(book, { externalUserId: 'kim' }));
  });

  const record = (actions: Partial<MemberAction>[], organization = book) =>
    app.get(Database).write((tx) =>
      app.get(ContactActivity).record(
        tx,
        actions.map((action) => ({
          organizationId: organization.organizationId,
          externalUserId: 'kim',
          metric: 'login',
          at: AT,
          amount: null,
          ...action,
        })),
      ),
    );
  const activity = (contact = id): Promise<Activity[]> =>
    app.get(ContactActivity).of(book.organizationId, contact);
  const metrics = async () => (await activity()).map(({ metric }) => metric);
  const setLimit = (customMetricLimit: number) =>
    consoleApi(app).patch(book.consolePath, { customMetricLimit }).expect(200);

  it('has first time, last time, count and sum, by metric and contact', async () => {
    const lee = await saveContact(book, { externalUserId: 'lee' });
    await record([
      { metric: 'purchase', at: later(5), amount: 10.5 },
      { metric: 'purchase', at: later(1), amount: '0.0001' },
      { metric: 'purchase', at: later(3) },
      { metric: 'login', at: later(2) },
      { metric: 'login', externalUserId: 'lee', at: later(9) },
    ]);
    await record([{ metric: 'purchase', at: later(4), amount: 1 }]);
    expect(await activity()).toEqual([
      { metric: 'login', first: later(2), last: later(2), count: 1, sum: 0 },
      { metric: 'purchase', first: later(1), last: later(5), count: 4, sum: 11.5001 },
    ]);
    expect(await activity(lee.id)).toEqual([
      { metric: 'login', first: later(9), last: later(9), count: 1, sum: 0 },
    ]);
    await record([]);
  });

  it('covers only active contacts of the organization', async () => {
    const other = await createBook(app);
    const gone = await saveContact(book, { externalUserId: 'gone' });
    await book.api.delete(`${CONTACTS}/${gone.id}`).expect(204);
    await record([{ externalUserId: 'gone' }, { externalUserId: 'nobody' }]);
    await record([{ metric: 'custom' }], other);
    expect(await activity()).toEqual([]);
    expect(await activity(gone.id)).toEqual([]);
    // A member without a contact creates no metric either.
    const organizations = [book.organizationId, other.organizationId];
    const made = 'SELECT 1 FROM activity_metrics WHERE organization_id = ANY ($1)';
    expect(await app.sql(made, [organizations])).toEqual([]);
  });

  it('saturates at the limits of its column', async () => {
    const amount = '99999999999999999999';
    await record([{ amount }, { amount }]);
    await record([{ amount }]);
    expect(await activity()).toMatchObject([{ count: 3, sum: 1e20 }]);
  });

  describe('has a limit on metrics', () => {
    it('beyond which known and standard metrics continue, but new ones are not created', async () => {
      await setLimit(3);
      await record([{ metric: 'c' }, { metric: 'a' }]);
      await record([{ metric: 'd' }, { metric: 'b' }, { metric: 'a' }, { metric: 'login' }]);
      expect(await metrics()).toEqual(['a', 'b', 'c', 'login']);
      await record(['a', 'd', 'e', 'purchase', 'app_open', 'app_install'].map((metric) => ({ metric })));
      expect(await activity()).toMatchObject([
        { metric: 'a', count: 3 },
        { metric: 'app_install', count: 1 },
        { metric: 'app_open', count: 1 },
        { metric: 'b', count: 1 },
        { metric: 'c', count: 1 },
        { metric: 'login', count: 1 },
        { metric: 'purchase', count: 1 },
      ]);
      await setLimit(4);
      await record([{ metric: 'd' }, { metric: 'e' }]);
      await setLimit(0);
      await record([{ metric: 'd' }, { metric: 'e' }]);
      expect((await activity()).find(({ metric }) => metric === 'd')).toMatchObject({ count: 2 });
      expect(await metrics()).not.toContain('e');
    });

    it('of 50 per organization', async () => {
      const other = await createBook(app);
      await saveContact(other, { externalUserId: 'kim' });
      const fifty = Array.from({ length: 50 }, (_, i) => ({ metric: `m${i}` }));
      await record(fifty);
      await record([{ metric: 'one too many' }]);
      await record([{ metric: 'one too many' }], other);
      expect(await metrics()).toHaveLength(50);
      expect(await app.sql(`SELECT 1 FROM contact_activities WHERE metric = 'one too many'`)).toHaveLength(1);
    });

    it('that holds under concurrency', async () => {
      await setLimit(5);
      const waves = Array.from({ length: 24 }, (_, i) =>
        record([{ metric: `m${i % 12}` }, { metric: `m${(i + 5) % 12}` }, { metric: 'login' }]),
      );
      await Promise.all(waves);
      const known = await activity();
      expect(known).toHaveLength(6);
      expect(known.find(({ metric }) => metric === 'login')).toMatchObject({ count: 24 });
      const registered = await app.sql('SELECT metric FROM activity_metrics WHERE organization_id = $1', [
        book.organizationId,
      ]);
      expect(registered).toHaveLength(5);
    });
  });

  it('of concurrent writers is added up, in any order', async () => {
    const people = ['kim', 'lee', 'park'];
    for (const externalUserId of people.slice(1)) await saveContact(book, { externalUserId });
    const actions = people.flatMap((externalUserId) =>
      ['login', 'purchase'].map((metric) => ({ externalUserId, metric, amount: 1 })),
    );
    await Promise.all(Array.from({ length: 40 }, (_, i) => record(i % 2 ? actions : actions.toReversed())));
    expect(await activity()).toMatchObject([
      { metric: 'login', count: 40, sum: 40 },
      { metric: 'purchase', count: 40, sum: 40 },
    ]);
  });
});
