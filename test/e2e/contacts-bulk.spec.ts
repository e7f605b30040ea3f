import { CONTACTS, createBook, GROUPS, listIds, saveContact } from '../support/contacts';
import { eventually } from '../support/eventually';
import { consoleApi, createOrganization, type TestOrganization } from '../support/factories';
import { cataloguedEvents } from '../support/outbox';
import { NO_ID } from '../support/resources';
import { perTest, useTestApp } from '../support/test-app';
import { phone, UNSUBSCRIBES } from '../support/unsubscribes';

const BULK = `${CONTACTS}/bulk`;
const JOBS = `${CONTACTS}/bulk-jobs`;

const people = (count: number, first = 0) =>
  Array.from({ length: count }, (_, i) => ({
    externalUserId: `m${first + i}`,
    phoneNumber: `010-2345-${String(1000 + i)}`,
    email: `m${first + i}@example.com`,
    pushOptIn: true,
  }));

const app = useTestApp();

describe('Contacts in bulk', () => {
  const book = perTest(() => createBook(app));

  const bulk = async (items: unknown, query = {}) =>
    (
      await book.api
        .post(BULK)
        .query(query)
        .send(items as object)
        .expect(200)
    ).body;
  const finished = (jobId: number, organization = book) =>
    eventually(async () => {
      const { body } = await organization.api.get(`${JOBS}/${jobId}`).expect(200);
      expect(body.finishedAt).not.toBeNull();
      return body;
    });

  it('are created, then changed, and counted', async () => {
    expect(await bulk(people(3))).toEqual({ created: 3, updated: 0, failed: 0, errors: [] });
    const changed = await bulk([{ externalUserId: 'm1', name: 'Lee' }, ...people(2, 2)]);
    expect(changed).toEqual({ created: 1, updated: 2, failed: 0, errors: [] });
    const { body } = await book.api.get(CONTACTS).expect(200);
    expect(body.totalElements).toBe(4);
    const lee = body.content.find((contact: { name: string }) => contact.name === 'Lee');
    expect(lee).toMatchObject({ externalUserId: 'm1', email: 'm1@example.com', origin: 'API' });
  });

  it('fail individually when invalid, with the reason', async () => {
    await saveContact(book, { externalUserId: 'blocked' });
    await app.sql(
      `UPDATE contacts SET blocked = true, deactivated_at = now() WHERE external_user_id = 'blocked'
         AND organization_id = $1`,
      [book.organizationId],
    );
    const items = [
      { externalUserId: 'a', phoneNumber: '010-12' },
      { externalUserId: 'b', email: 'nobody' },
      { externalUserId: 'c', name: 'x'.repeat(101) },
      'text',
      null,
      [],
      { externalUserId: 'd', groupId: NO_ID },
      { externalUserId: 'blocked', name: 'x' },
      { externalUserId: 'e', phoneNumber: '9'.repeat(21) },
      { externalUserId: 'good' },
      { name: 'nobody’s' },
    ];
    const answer = await bulk(items);
    expect(answer).toMatchObject({ created: 2, updated: 0, failed: 9 });
    const reasons = answer.errors.map(({ index, value, reason }: Record<string, unknown>) => [
      index,
      value,
      reason,
    ]);
    expect(reasons).toEqual([
      [0, '010-12', 'PHONE_FORMAT'],
      [1, 'nobody', 'EMAIL_FORMAT'],
      [2, null, 'VALIDATION_FAILED'],
      [3, null, 'VALIDATION_FAILED'],
      [4, null, 'VALIDATION_FAILED'],
      [5, null, 'VALIDATION_FAILED'],
      [6, String(NO_ID), 'GROUP_NOT_FOUND'],
      [7, 'blocked', 'CONTACT_BLOCKED'],
      [8, '9'.repeat(21), 'PHONE_FORMAT'],
    ]);
    expect(answer.errors[2].message).toBe('name: must be at most 100 characters long');
    expect(await listIds(book)).toHaveLength(2);
  });

  it('may repeat a member id; the later item updates the earlier', async () => {
    const answer = await bulk([
      { externalUserId: 'a', name: 'One', customFields: { x: 1, y: 1 } },
      { externalUserId: 'b' },
      { externalUserId: 'a', name: 'Two', customFields: { y: 2 } },
    ]);
    expect(answer).toEqual({ created: 2, updated: 1, failed: 0, errors: [] });
    const again = await saveContact(book, { externalUserId: 'a' }, 200);
    expect(again).toMatchObject({ name: 'Two', customFields: { x: '1', y: '2' } });
  });

  it('join the group of the request, or their own', async () => {
    const group = async (name: string) =>
      (await book.api.post(GROUPS, { name }).expect(201)).body.id as number;
    const [one, two] = [await group('one'), await group('two')];
    await bulk([{ externalUserId: 'a' }, { externalUserId: 'b', groupId: two }], { groupId: one });
    expect((await saveContact(book, { externalUserId: 'a' }, 200)).groupIds).toEqual([one]);
    expect((await saveContact(book, { externalUserId: 'b' }, 200)).groupIds).toEqual([two]);
    for (const async of [false, true]) {
      const { status, body } = await book.api.post(BULK).query({ groupId: NO_ID, async }).send(people(1));
      expect([status, body.details[0].field]).toEqual([400, 'groupId']);
    }
  });

  it('are at most 1000', async () => {
    expect(await bulk(people(1000))).toMatchObject({ created: 1000, failed: 0 });
    for (const async of [false, true]) {
      for (const items of [people(1001), [], {}]) {
        const { status, body } = await book.api.post(BULK).query({ async }).send(items);
        expect([status, body.details[0].field]).toEqual([400, 'body']);
      }
    }
    const { body } = await book.api.get(CONTACTS).expect(200);
    expect(body.totalElements).toBe(1000);
  });

  it('are created once per member id, even concurrently', async () => {
    const requests = Array.from({ length: 8 }, (_, i) => {
      const items = people(100).map((person) => ({ ...person, customFields: { [`k${i}`]: i } }));
      return bulk(i % 2 === 0 ? items : items.reverse());
    });
    const singles = Array.from({ length: 20 }, (_, i) =>
      book.api.post(CONTACTS, { externalUserId: `m${i * 5}` }),
    );
    const answers = await Promise.all(requests);
    const created = answers.reduce((sum: number, answer) => sum + Number(answer.created), 0);
    const alone = (await Promise.all(singles)).filter(({ status }) => status === 201).length;
    expect(created + alone).toBe(100);
    const { body } = await book.api.get(CONTACTS, { size: 100 }).expect(200);
    expect(body.totalElements).toBe(100);
    for (const { customFields } of body.content) expect(Object.keys(customFields)).toHaveLength(8);
  });

  describe('as a job', () => {
    it('are saved asynchronously, and the job reports the result', async () => {
      app.clock.set('2026-11-20T08:32:00Z');
      await saveContact(book, { externalUserId: 'm5' });
      const items = [...people(450), { phoneNumber: 'x' }, { externalUserId: 'z', name: 5 }];
      const { body } = await book.api.post(BULK).query({ async: true }).send(items).expect(202);
      expect(body).toEqual({ jobId: expect.any(Number) });
      expect(await finished(body.jobId)).toEqual({
        jobId: body.jobId,
        type: 'CONTACTS',
        status: 'COMPLETED',
        total: 452,
        processed: 452,
        created: 449,
        updated: 1,
        failed: 2,
        accepted: 0,
        duplicated: 0,
        errors: [
          { index: 450, value: 'x', reason: 'PHONE_FORMAT', message: expect.stringContaining('phoneNumber') },
          { index: 451, value: null, reason: 'VALIDATION_FAILED', message: expect.stringContaining('name') },
        ],
        createdAt: '2026-11-20T08:32:00Z',
        startedAt: '2026-11-20T08:32:00Z',
        finishedAt: '2026-11-20T08:32:00Z',
      });
      expect((await book.api.get(CONTACTS)).body.totalElements).toBe(450);
      const events = await cataloguedEvents(app, book.organizationId);
      expect(events.filter(({ name }) => name === 'contact.created')).toHaveLength(450);
    });
  });

  describe('tell webhooks', () => {
    const events = async () =>
      (await cataloguedEvents(app, book.organizationId)).map(({ name, data }) => [name, data] as const);

    it('for each contact created or changed, with the resource from the API', async () => {
      app.clock.set('2026-11-20T08:32:00Z');
      const made = await saveContact(book, {
        externalUserId: 'a',
        smsOptIn: true,
        phoneNumber: '010-2345-6789',
      });
      expect(await events()).toEqual([['contact.created', made]]);
      app.clock.advance(1000);
      const changed = await saveContact(book, { externalUserId: 'a', name: 'Kim' }, 200);
      await saveContact(book, { externalUserId: 'a', name: 'Kim' }, 200);
      expect((await events()).slice(1)).toEqual([['contact.updated', changed]]);
      app.clock.advance(1000);
      await bulk([{ externalUserId: 'a', smsOptIn: false, nightAdOptIn: true }, { externalUserId: 'b' }]);
      expect(
        (await events())
          .slice(2)
          .map(([name]) => name)
          .sort(),
      ).toEqual(['contact.created', 'contact.updated']);
      app.clock.advance(1000);
      const { body } = await book.api.put(`${CONTACTS}/${made.id}`, { nightAdOptIn: false }).expect(200);
      expect((await events()).slice(4).sort()).toEqual([
        ['contact.opt_out', body],
        ['contact.updated', body],
      ]);
    });

    it('not for failed items', async () => {
      const { id } = await saveContact(book, { externalUserId: 'a' });
      await saveContact(book, { externalUserId: 'b' });
      const before = await events();
      await book.api.post(CONTACTS, { externalUserId: 'c', phoneNumber: 'x' }).expect(400);
      await book.api.put(`${CONTACTS}/${id}`, { externalUserId: 'b', name: 'x' }).expect(409);
      await book.api.put(`${CONTACTS}/${id}`, { externalUserId: 'a' }).expect(200);
      expect(await events()).toEqual(before);
    });
  });
});

describe('Looking up a bulk job', () => {
  const paths = (jobId: number) => [`${CONTACTS}/bulk-jobs/${jobId}`, `${UNSUBSCRIBES}/bulk-jobs/${jobId}`];
  const optOutJob = async ({ api }: TestOrganization): Promise<number> => {
    const body = { items: [{ value: phone(1) }] };
    return (await api.post(`${UNSUBSCRIBES}/bulk?async=true`, body).expect(202)).body.jobId;
  };
  const contactJob = async ({ api }: TestOrganization): Promise<number> =>
    (await api.post(`${CONTACTS}/bulk?async=true`, [{ name: 'Kim' }]).expect(202)).body.jobId;

  it('of opt-outs requires the same as starting it: no add-on, and no listed address', async () => {
    const org = await createOrganization(app, { defaultRegion: 'KR', addOns: [] });
    const jobId = await optOutJob(org);
    for (const path of paths(jobId)) {
      const { body } = await org.api.get(path).expect(200);
      expect(body).toMatchObject({ jobId, type: 'UNSUBSCRIBES', total: 1 });
    }
  });

  it('of contacts requires MESSAGING and a listed address, and is separate from jobs of opt-outs', async () => {
    const book = await createBook(app);
    const jobId = await contactJob(book);
    const [ofContacts = '', ofOptOuts = ''] = paths(jobId);
    expect((await book.api.get(ofContacts).expect(200)).body).toMatchObject({ jobId, type: 'CONTACTS' });
    await book.api.get(ofOptOuts).expect(404);

    const ofBook = book.consolePath;
    await consoleApi(app).delete(`${ofBook}/add-ons/MESSAGING`).expect(204);
    const refused = await book.api.get(ofContacts).expect(403);
    expect(refused.body.code).toBe('FEATURE_NOT_AVAILABLE');
    const { body } = await consoleApi(app).get(`${ofBook}/ip-allow-list`).expect(200);
    await consoleApi(app).delete(`${ofBook}/ip-allow-list/${body.content[0].id}`).expect(204);
    expect((await book.api.get(ofContacts).expect(403)).body.code).toBe('IP_NOT_ALLOWED');
  });

  it('is limited to the own organization', async () => {
    const [owner, other] = [await createBook(app), await createBook(app)];
    for (const jobId of [await optOutJob(owner), await contactJob(owner)]) {
      for (const path of paths(jobId)) await other.api.get(path).expect(404);
    }
  });
});
