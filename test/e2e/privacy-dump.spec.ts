import { CONTACTS, createBook, saveContact } from '../support/contacts';
import { eventually } from '../support/eventually';
import { consoleApi } from '../support/factories';
import { redisDump } from '../support/redis';
import { sharedRedisUrl } from '../support/servers';
import { perSuite, useTestApp } from '../support/test-app';

const UNSUBSCRIBES = '/api/v1/service/messaging/unsubscribes';
/** Values that must not be in a dump, in every form in which they could be stored. */
const PHONES = ['2345678', '3456789', '4567890', '5678901'];
const EMAILS = ['very.secret', 'hidden.domain.example', 'quite.private', 'out.of.sight'];
const PUSH = 'push-identifier-of-nobody-else';
const SECRETS = [...PHONES, ...EMAILS, PUSH];

describe('A dump', () => {
  const app = useTestApp({
    env: { LOG_LEVEL: 'trace' },
    logTo: { write: (line) => void log.push(line) },
  });
  const log: string[] = [];

  const book = perSuite(() => createBook(app));
  beforeAll(() => useEverything());

  /** Sends phone numbers, addresses and push identifiers through every endpoint that takes them. */
  async function useEverything(): Promise<void> {
    const { api, organizationId } = book;
    const person = {
      externalUserId: 'm1',
      name: 'Kim',
      phoneNumber: `010${PHONES[0]}0`,
      email: `${EMAILS[0]}@${EMAILS[1]}`,
      pushIdentify: PUSH,
    };
    const key = { 'Idempotency-Key': 'once' };
    const { body: made } = await api.post(CONTACTS).set(key).send(person).expect(201);
    await api.post(CONTACTS).set(key).send(person).expect(201);
    await api.put(`${CONTACTS}/${made.id}`, { name: 'Lee', smsOptIn: true }).expect(200);
    const second = { phoneNumber: `010 ${PHONES[1]} 0`, email: `${EMAILS[2]}@example.com` };
    await api
      .post(`${CONTACTS}/bulk`)
      .set(key)
      .send([second, { phoneNumber: `+99${PHONES[1]}` }])
      .expect(200);
    const bulk = [{ ...second, phoneNumber: `010-${PHONES[2]}-0` }, { phoneNumber: `+99${PHONES[2]}` }];
    const { body: job } = await api
      .post(`${CONTACTS}/bulk?async=true`)
      .set('Idempotency-Key', 'job')
      .send(bulk)
      .expect(202);
    await eventually(async () => {
      const { body } = await api.get(`${CONTACTS}/bulk-jobs/${job.jobId}`).expect(200);
      expect(body.errors).toHaveLength(1);
    });

    // Look-ups and errors: refused values, unknown paths, failures of the service itself.
    for (const keyword of [person.phoneNumber, person.email, EMAILS[0], EMAILS[1], PHONES[3]]) {
      await api.get(CONTACTS, { keyword }).expect(200);
    }
    await api.get(`${CONTACTS}/by-phone`, { phone: person.phoneNumber }).expect(200);
    await api.get(`${CONTACTS}/by-email`, { email: person.email }).expect(200);
    await api.get(`${CONTACTS}/by-email`, { email: `${EMAILS[3]}@` }).expect(400);
    await api.get(`${CONTACTS}/by-phone/${person.phoneNumber}`).expect(404);
    await api.get(`/${EMAILS[3]}@example.com/${PUSH}`).expect(404);
    await api
      .post(CONTACTS)
      .set('Idempotency-Key', 'bad')
      .send({ phoneNumber: `+99${PHONES[3]}` })
      .expect(400);
    await api.post(CONTACTS, { email: `${EMAILS[3]}@`, pushIdentify: PUSH.repeat(99) }).expect(400);
    await saveContact(book, { externalUserId: 'taken' });
    await api.put(`${CONTACTS}/${made.id}`, { externalUserId: 'taken', email: `${EMAILS[3]}@example.com` });
    await app.sql('ALTER TABLE contacts ADD CONSTRAINT broken CHECK (name <> $$Broken$$)');
    await api.post(CONTACTS, { ...person, externalUserId: 'm9', name: 'Broken' }).expect(500);

    // Valid and invalid opt-outs.
    const optOut = { channel: 'SMS', value: `010${PHONES[1]}1` };
    await api
      .post(UNSUBSCRIBES)
      .set(key)
      .send({ ...optOut, source: optOut.value })
      .expect(201);
    await api.get(`${UNSUBSCRIBES}/check`, optOut).expect(200);
    const items = [{ value: `${EMAILS[2]}@example.com` }, { value: EMAILS[3] }];
    await api.post(`${UNSUBSCRIBES}/bulk`, { channel: 'EMAIL', items }).expect(200);
    await api.delete(UNSUBSCRIBES).query(optOut).expect(200);

    // The console.
    const path = `/api/v1/console/organizations/${organizationId}/messaging/contacts`;
    const console = consoleApi(app);
    await console.post(`${path}/${made.id}/block`).expect(200);
    await console.get(`${path}/${made.id}/export`).expect(200);
    await console.get(`${path}/export`).expect(200);
    const csv = `phoneNumber,email\n010${PHONES[2]}2,${EMAILS[2]}2@example.com\n+99${PHONES[3]},${EMAILS[3]}@\n`;
    await console.post(`${path}/import`).set('Content-Type', 'text/csv').send(csv).expect(200);
    await api.delete(`${CONTACTS}/${made.id}`).expect(204);
  }

  const secretsIn = (text: string) => {
    const plain = text.toLowerCase();
    return SECRETS.filter((secret) => plain.includes(secret));
  };

  it('of the database contains none of them in plain text', async () => {
    const tables = await app.sql<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    const found: string[] = [];
    let cells = 0;
    for (const { name } of tables) {
      for (const row of await app.sql<{ text: string }>(`SELECT t::text AS text FROM ${name} AS t`)) {
        cells += row.text.length;
        found.push(...secretsIn(row.text).map((secret) => `${name}: ${secret}`));
      }
    }
    expect(found).toEqual([]);
    // The dump covers the filled tables.
    expect(cells).toBeGreaterThan(10_000);
    const kept = await app.sql<{ n: number }>(
      `SELECT (SELECT count(*) FROM contacts) AS n UNION ALL SELECT count(*) FROM outbox_events
       UNION ALL SELECT count(*) FROM bulk_jobs UNION ALL SELECT count(*) FROM idempotency_keys
       UNION ALL SELECT count(*) FROM unsubscribes UNION ALL SELECT count(*) FROM audit_log`,
    );
    for (const { n } of kept) expect(n).toBeGreaterThan(0);
  });

  it('of Redis contains none of them in plain text', async () => {
    const dump = await redisDump(sharedRedisUrl(), app.database.redisPrefix);
    expect(dump).not.toEqual([]);
    expect(dump.filter((entry) => secretsIn(entry.key + entry.dump).length > 0)).toEqual([]);
  });

  it('of the logs contains none of them in plain text, at trace level', () => {
    expect(log.length).toBeGreaterThan(30);
    expect(log.filter((line) => line.includes('"level":"error"'))).not.toEqual([]);
    expect(log.filter((line) => secretsIn(line).length > 0)).toEqual([]);
  });

  it('would show them if they existed', () => {
    expect(secretsIn(`{"phone":"+8210${PHONES[0]}0"}`)).toEqual([PHONES[0]]);
    expect(secretsIn(`email=${EMAILS[0]?.toUpperCase()}%40`)).toEqual([EMAILS[0]]);
  });
});
