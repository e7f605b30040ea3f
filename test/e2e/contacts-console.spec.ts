import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { CONTACTS, createBook, GROUPS, listIds, saveContact, NOT_OPTED_OUT } from '../support/contacts';
import { consoleApi } from '../support/factories';
import { eventually } from '../support/eventually';
import { cataloguedEvents } from '../support/outbox';
import { NO_ID } from '../support/resources';
import { API_HOST, CONSOLE_TOKEN, perTest, useTestApp } from '../support/test-app';

const PERSON = {
  name: 'Kim Minji',
  phoneNumber: '+821023456789',
  email: 'minji@example.com',
  externalUserId: 'member-1',
  pushIdentify: 'fcm:token-1',
  smsOptIn: true,
  tags: ['vip', 'a,b'],
  customFields: { grade: 'gold' },
};

describe('Contacts in the console', () => {
  const app = useTestApp();
  let path: string;

  const book = perTest(() => createBook(app));
  beforeEach(() => {
    path = `${book.consolePath}/messaging/contacts`;
    app.clock.set('2026-11-20T08:32:00Z');
  });

  const admin = () => consoleApi(app);
  const names = async () => (await cataloguedEvents(app, book.organizationId)).map(({ name }) => name);

  describe('are blocked', () => {
    it('so that once deactivated, they stay deactivated until unblocked', async () => {
      const { id } = await saveContact(book, PERSON);
      const { body } = await admin().post(`${path}/${id}/block`).expect(200);
      expect(body).toMatchObject({ id, blocked: true, status: 'ACTIVE' });
      expect(await names()).toEqual(['contact.created', 'contact.updated']);
      await admin().post(`${path}/${id}/block`).expect(200);
      expect(await names()).toHaveLength(2);
      // Still active: only reactivation is blocked.
      await saveContact(book, { externalUserId: 'member-1', name: 'Lee' }, 200);
      await book.api.delete(`${CONTACTS}/${id}`).expect(204);
      const { status, body: refusal } = await book.api.post(CONTACTS, PERSON);
      expect([status, refusal.code]).toEqual([403, 'CONTACT_BLOCKED']);
      expect(await listIds(book)).toEqual([]);
      const { body: open } = await admin().post(`${path}/${id}/unblock`).expect(200);
      expect(open).toMatchObject({ blocked: false, status: 'DEACTIVATED' });
      expect((await saveContact(book, PERSON, 200)).id).toBe(id);
    });

    it('only by permitted users, and only if they exist', async () => {
      const other = await createBook(app);
      const { id } = await saveContact(other, PERSON);
      for (const verb of ['block', 'unblock']) {
        await admin().post(`${path}/${id}/${verb}`).expect(404);
        await admin().post(`${path}/${NO_ID}/${verb}`).expect(404);
      }
      expect((await saveContact(other, { externalUserId: 'member-1' }, 200)).blocked).toBe(false);
      const log = await app.sql('SELECT 1 FROM audit_log WHERE action = $1 AND resource_id = $2', [
        'contact.block',
        String(id),
      ]);
      expect(log).toHaveLength(0);
    });
  });

  it('are exported with all data of the person', async () => {
    const made = await saveContact(book, PERSON);
    const unsubscribes = '/api/v1/service/messaging/unsubscribes';
    await book.api.post(unsubscribes, { channel: 'SMS', value: '010-2345-6789', source: 'shop' }).expect(201);
    await book.api.post(unsubscribes, { channel: 'EMAIL', value: 'other@example.com' }).expect(201);
    const { body } = await admin().get(`${path}/${made.id}/export`).expect(200);
    expect(body).toEqual({
      exportedAt: '2026-11-20T08:32:00Z',
      contact: { ...made, optedOut: { ...NOT_OPTED_OUT, sms: true } },
      groups: [{ id: made.groupIds[0], name: 'Default' }],
      activity: [],
      events: [{ name: 'contact.created', createdAt: '2026-11-20T08:32:00Z', data: made }],
      others: {
        clicks: [],
        goals: [],
        linkAssociations: [],
        segments: [],
        sessionEvents: [],
        sessions: [],
        unsubscribes: [
          {
            id: expect.any(Number),
            channel: 'SMS',
            value: '+821023456789',
            method: 'API',
            source: 'shop',
            unsubscribedAt: '2026-11-20T08:32:00Z',
          },
        ],
      },
    });
    await book.api.delete(`${CONTACTS}/${made.id}`).expect(204);
    const { body: later } = await admin().get(`${path}/${made.id}/export`).expect(200);
    expect(later.contact).toMatchObject({ status: 'DEACTIVATED', phoneNumber: PERSON.phoneNumber });
    const other = await createBook(app);
    const foreign = `${other.consolePath}/messaging/contacts/${made.id}/export`;
    await admin().get(foreign).expect(404);
  });

  describe('are deleted', () => {
    it('softly', async () => {
      const { id } = await saveContact(book, PERSON);
      await admin().delete(`${path}/${id}`).expect(204);
      await book.api.get(`${CONTACTS}/${id}`).expect(404);
      expect((await saveContact(book, { externalUserId: 'member-1' }, 200)).id).toBe(id);
    });

    it('or erased, leaving no data of the person in any table', async () => {
      const keep = await saveContact(book, { ...PERSON, externalUserId: 'other' });
      const key = { 'Idempotency-Key': 'once' };
      const { body } = await book.api.post(CONTACTS).set(key).send(PERSON).expect(201);
      await book.api.put(`${CONTACTS}/${body.id}`, { name: 'Lee' }).expect(200);
      await book.api.post(GROUPS, { name: 'News' }).expect(201);
      const traces = async (id: number) => {
        const tables = await app.sql<{ name: string; columns: string[] }>(
          `SELECT table_name AS name, array_agg(column_name::text) AS columns FROM information_schema.columns
            WHERE table_schema = 'public' GROUP BY table_name`,
        );
        const found: string[] = [];
        for (const { name, columns } of tables) {
          const conditions = [
            ...(name === 'contacts' ? [`id = ${id}`] : []),
            ...(columns.includes('contact_id') ? [`contact_id = ${id}`] : []),
            ...(columns.includes('subject') ? [`subject = 'contact:${id}'`] : []),
          ];
          if (conditions.length === 0) continue;
          const rows = await app.sql(`SELECT 1 FROM ${name} WHERE ${conditions.join(' OR ')}`);
          if (rows.length > 0) found.push(name);
        }
        return found.sort();
      };
      const everywhere = [
        'contact_changes',
        'contact_group_members',
        'contacts',
        'idempotency_keys',
        'outbox_events',
      ];
      expect(await traces(body.id)).toEqual(everywhere);
      await admin().delete(`${path}/${body.id}`).query({ erase: true }).expect(204);
      // Only the deletion itself: ids in the change feed and in an event.
      expect(await traces(body.id)).toEqual(['contact_changes', 'outbox_events']);
      const told = (await cataloguedEvents(app, book.organizationId)).filter(
        ({ data }) => (data as { id?: number }).id === body.id,
      );
      expect(told.map(({ name }) => name)).toEqual(['contact.deleted']);
      expect(await traces(keep.id)).not.toEqual([]);

      await admin().delete(`${path}/${body.id}`).query({ erase: true }).expect(404);
      await admin().get(`${path}/${body.id}/export`).expect(404);
      // A repeated request neither recreates nor shows the contact.
      const again = await book.api.post(CONTACTS).set(key).send(PERSON).expect(201);
      expect(again.text).toBe('');
      expect(await listIds(book)).toEqual([keep.id]);
      const [group] = (await book.api.get(GROUPS).expect(200)).body.content;
      expect(group.memberCount).toBe(1);
      const [entry] = await app.sql(`SELECT changes FROM audit_log WHERE action = 'contact.erase'`);
      expect(entry).toEqual({ changes: {} });
      expect((await saveContact(book, PERSON)).id).not.toBe(body.id);
    });

    it('of a deactivated and blocked one as well', async () => {
      const { id } = await saveContact(book, PERSON);
      await admin().post(`${path}/${id}/block`).expect(200);
      await admin().delete(`${path}/${id}`).expect(204);
      await admin().delete(`${path}/${id}?erase=maybe`).expect(400);
      await admin().delete(`${path}/${id}?erase=true`).expect(204);
      await saveContact(book, PERSON);
    });
  });

  describe('as CSV', () => {
    const csv = async () => {
      const { text, headers } = await admin().get(`${path}/export`).expect(200);
      expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
      return text;
    };
    const load = (file: string, status = 200) =>
      admin().post(`${path}/import`).set('Content-Type', 'text/csv').send(file).expect(status);

    it('are exported, and imported again unchanged', async () => {
      const odd = { externalUserId: 'odd', name: '=1+1\n"x"', customFields: { a: '=x' }, tags: ['-1'] };
      await saveContact(book, PERSON);
      await saveContact(book, odd);
      const { id } = await saveContact(book, { externalUserId: 'gone' });
      await book.api.delete(`${CONTACTS}/${id}`).expect(204);
      const file = await csv();
      expect(file.split('\r\n')[0]).toMatch(/^id,externalUserId,name,phoneNumber,email,/);
      expect(file).toContain(`"'=1+1`);
      expect(file).toContain(',+821023456789,');
      expect(file).not.toContain('gone');

      const other = await createBook(app);
      path = `${other.consolePath}/messaging/contacts`;
      const { body } = await load(file);
      const unused = ['id', 'origin', 'status', 'blocked', 'createdAt', 'updatedAt'];
      expect(body).toEqual({
        total: 2,
        created: 2,
        updated: 0,
        failed: 0,
        ignoredColumns: [...unused, 'optedOut.sms', 'optedOut.email', 'optedOut.whatsapp'],
        errors: [],
      });
      const first = await saveContact(other, { externalUserId: 'member-1' }, 200);
      expect(first).toMatchObject({ ...PERSON, origin: 'CSV' });
      expect(await saveContact(other, { externalUserId: 'odd' }, 200)).toMatchObject({
        ...odd,
        origin: 'CSV',
      });
      expect((await load(file)).body).toMatchObject({ created: 0, updated: 2 });
    });

    it('are imported in large files, where invalid rows fail individually', async () => {
      const rows = Array.from({ length: 1_200 }, (_, i) => `m${i},010-2345-${1000 + i},true,v${i}`);
      rows[700] = 'bad,010-1,true,x';
      rows[701] = 'bad,010-2345-6789,perhaps,x';
      const { body } = await load(`ExternalUserId,PHONENUMBER,smsOptIn,custom.Grade\n${rows.join('\n')}\n`);
      expect(body).toEqual({
        total: 1200,
        created: 1198,
        updated: 0,
        failed: 2,
        ignoredColumns: [],
        errors: [
          {
            line: 702,
            value: '010-1',
            reason: 'PHONE_FORMAT',
            message: expect.stringContaining('phoneNumber'),
            values: {
              ExternalUserId: 'bad',
              PHONENUMBER: '010-1',
              smsOptIn: 'true',
              'custom.Grade': 'x',
            },
          },
          {
            line: 703,
            value: null,
            reason: 'VALIDATION_FAILED',
            message: expect.stringContaining('smsOptIn'),
            values: expect.objectContaining({ smsOptIn: 'perhaps' }),
          },
        ],
      });
      const last = await saveContact(book, { externalUserId: 'm1199' }, 200);
      expect(last).toMatchObject({
        phoneNumber: '+821023452199',
        smsOptIn: true,
        customFields: { Grade: 'v1199' },
      });
      expect((await csv()).split('\r\n')).toHaveLength(1200);
    });

    it('are no longer imported when the client has disconnected, even with the whole file received', async () => {
      const rows = Array.from({ length: 40_000 }, (_, i) => `m${i},010-2345-${1000 + (i % 9000)}`);
      const body = gzipSync(`externalUserId,phoneNumber\n${rows.join('\n')}\n`);
      const count = async () =>
        (
          await app.sql<{ n: number }>('SELECT count(*) AS n FROM contacts WHERE organization_id = $1', [
            book.organizationId,
          ])
        )[0]?.n ?? 0;
      const url = new URL(`${path}/import`, app.url);
      const headers = {
        Host: API_HOST,
        Authorization: `Bearer ${CONSOLE_TOKEN}`,
        'Content-Type': 'text/csv',
        'Content-Encoding': 'gzip',
        'Content-Length': body.length,
      };
      const sent = http.request(url, { method: 'POST', headers }).on('error', () => undefined);
      sent.end(body);
      await eventually(async () => expect(await count()).toBeGreaterThan(0));
      sent.destroy();
      // A started batch is completed; several would follow in this time.
      let last = -1;
      await eventually(async () => {
        const before = last;
        last = await count();
        await delay(1_500);
        expect(last).toBe(before);
      });
      expect(last).toBeLessThan(40_000);
    });

    it('are read from the columns of other products, once', async () => {
      const file =
        'External User ID,Name,Phone Number,E-Mail,Tags,SMS Opt-In,First seen\r\n' +
        'm-1,Null,010-2345-6789,Kim@Example.com,"[""x"",""y""]",TRUE,2024\r\n' +
        'm-2,Park,null,,a|b,null,NULL\r\n';
      const { body } = await load(file);
      expect(body).toMatchObject({ created: 2, failed: 0, ignoredColumns: ['First seen'], errors: [] });
      expect((await load(file)).body).toMatchObject({ created: 0, updated: 2 });
      expect(await saveContact(book, { externalUserId: 'm-1' }, 200)).toMatchObject({
        name: 'Null',
        phoneNumber: '+821023456789',
        email: 'kim@example.com',
        tags: ['x', 'y'],
        smsOptIn: true,
      });
      expect(await saveContact(book, { externalUserId: 'm-2' }, 200)).toMatchObject({
        phoneNumber: null,
        tags: ['a', 'b'],
        smsOptIn: false,
      });
    });

    it('are refused when the file is invalid', async () => {
      for (const file of ['', 'color\nred\n', 'email,email\na@example.com,b@example.com\n']) {
        expect((await load(file, 400)).body.code).toBe('VALIDATION_FAILED');
      }
      const { body } = await load('externalUserId\na\nb\n"c\n', 400);
      expect(body).toMatchObject({ created: 2, failed: 0 });
      expect(body.details[0].field).toMatch(/^line /);
      expect(await listIds(book)).toHaveLength(2);
      await admin().post(`${path}/import`, {}).expect(415);
    });
  });
});
