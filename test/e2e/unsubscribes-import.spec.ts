import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import request from 'supertest';
import { auditLog, consoleApi, createOrganization, signIn } from '../support/factories';
import { cataloguedEvents } from '../support/outbox';
import { API_HOST, CONSOLE_TOKEN, perTest, useTestApp } from '../support/test-app';
import { phone, UnsubscribeClient } from '../support/unsubscribes';

describe('the import of unsubscribes', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  let made = 0;
  const fresh = (count: number) => Array.from({ length: count }, () => phone(made++));
  const org = perTest(() => createOrganization(app, { defaultRegion: 'KR' }));
  const sms = new UnsubscribeClient(org);

  const path = () => `${org.consolePath}/messaging/unsubscribes/import`;
  const post = (query = '') => consoleApi(app).post(`${path()}${query}`);
  const file = (text: string | Buffer, query = '') =>
    post(query)
      .set('Content-Type', 'text/csv')
      .send(text as string);

  it('is listed by when people opted out, the newest first', async () => {
    const [first, second, third, removed] = fresh(4);
    const on = (value: string | undefined, day: string) => ({ value, unsubscribedAt: `2026-01-${day}` });
    const items = [on(second, '02'), on(removed, '04'), on(first, '01'), on(third, '03')];
    await post().send({ channel: 'SMS', items }).expect(200);
    await org.api.delete('/api/v1/service/messaging/unsubscribes').query({ value: removed }).expect(200);
    const list = `${org.consolePath}/unsubscribes`;
    const page = async (query: object) => {
      const { body } = await consoleApi(app).get(list, query).expect(200);
      return {
        ...(body as object),
        content: (body as { content: { value: string }[] }).content.map(({ value }) => value),
      };
    };
    expect(await page({ size: 2 })).toMatchObject({
      content: [third, second],
      totalElements: 3,
      last: false,
    });
    expect(await page({ size: 2, page: 1 })).toMatchObject({ content: [first], last: true });
    expect(await page({ channel: 'EMAIL' })).toMatchObject({ content: [], totalElements: 0 });
  });

  it('accepts JSON items with method, source and time', async () => {
    const [one, two, three] = fresh(3);
    const items = [
      { value: one },
      { value: two, source: 'own', unsubscribedAt: '2026-01-02' },
      { value: two },
      { value: '010-12' },
      {},
      { value: three, unsubscribedAt: '2027-01-01' },
      { value: three, source: 's'.repeat(201) },
      { value: three, source: 5 },
      null,
    ];
    const { body } = await post().send({ method: '080', source: '080-123-4567', items }).expect(200);
    expect(body).toEqual({
      channel: 'SMS',
      total: 9,
      accepted: 2,
      duplicated: 1,
      failed: 6,
      ignoredColumns: [],
      invalid: [
        { index: 3, value: '010-12', reason: 'PHONE_FORMAT' },
        { index: 4, value: null, reason: 'VALUE_REQUIRED' },
        { index: 5, value: three, reason: 'UNSUBSCRIBED_AT_FORMAT' },
        { index: 6, value: three, reason: 'SOURCE_FORMAT' },
        { index: 7, value: three, reason: 'SOURCE_FORMAT' },
        { index: 8, value: null, reason: 'VALUE_REQUIRED' },
      ],
    });
    expect((await sms.list()).items).toMatchObject([
      { value: one, method: '080', source: '080-123-4567', unsubscribedAt: '2026-11-20T08:32:00Z' },
      { value: two, method: '080', source: 'own', unsubscribedAt: '2026-01-02T00:00:00Z' },
    ]);
  });

  it('accepts a CSV file with any columns and line ends', async () => {
    const [one = '', two = '', three = ''] = fresh(3);
    const text = `\ufeffname,Unsubscribed At,PHONE,source\r\n"Kim, A",2026-01-02,${one},\n,,'${two},=1+1\r,,${three.replace('+82', '0')},\n`;
    const { body } = await file(text, '?method=080&source=line').expect(200);
    expect(body).toEqual({
      channel: 'SMS',
      total: 3,
      accepted: 3,
      duplicated: 0,
      failed: 0,
      ignoredColumns: ['name'],
      invalid: [],
    });
    expect((await sms.list()).items).toMatchObject([
      { value: one, method: '080', source: 'line', unsubscribedAt: '2026-01-02T00:00:00Z' },
      { value: two, source: '=1+1' },
      { value: three, source: 'line' },
    ]);
  });

  it('accepts a list of values without a header', async () => {
    const values = fresh(3);
    const { body } = await file(values.join('\n')).expect(200);
    expect(body).toMatchObject({ total: 3, accepted: 3 });
    expect((await sms.list()).items).toMatchObject([{ method: 'CSV' }, {}, {}]);
    const other = await file('a@b.example\nc@d.example\nnothing', '?channel=EMAIL').expect(200);
    expect(other.body).toMatchObject({ accepted: 2, invalid: [{ index: 2, reason: 'EMAIL_FORMAT' }] });
  });

  it('reads the column of the channel, and names the others', async () => {
    const [one = '', two = ''] = fresh(2);
    const both = `email,Phone Number,Opt-out date\na@b.example,${one},2026-01-02 03:04:05\nc@d.example,${two},null\n`;
    const byPhone = await file(both).expect(200);
    expect(byPhone.body).toMatchObject({ accepted: 2, failed: 0, ignoredColumns: ['email'] });
    expect((await sms.list()).items).toMatchObject([
      { value: one, unsubscribedAt: '2026-01-02T03:04:05Z' },
      { value: two, unsubscribedAt: '2026-11-20T08:32:00Z' },
    ]);
    const byEmail = await file(both, '?channel=EMAIL').expect(200);
    expect(byEmail.body).toMatchObject({ accepted: 2, failed: 0, ignoredColumns: ['Phone Number'] });
    const contacts = `${org.consolePath}/messaging/contacts`;
    await consoleApi(app)
      .post(`${contacts}/import`)
      .set('Content-Type', 'text/csv')
      .send(`externalUserId,phone,email\nx,${phone(made++)},x@y.example\n`)
      .expect(200);
    const exported = (await consoleApi(app).get(`${contacts}/export`).expect(200)).text;
    for (const channel of ['SMS', 'WHATSAPP', 'EMAIL']) {
      const { body } = await file(exported, `?channel=${channel}`).expect(200);
      expect(body).toMatchObject({ accepted: 1, failed: 0 });
    }
    const other = await file('email\na@b.example\n').expect(400);
    expect(other.body.details).toMatchObject([{ field: 'value', message: expect.stringContaining('phone') }]);
  });

  it('names the lines and values of failed rows', async () => {
    const text = `sep=;\n\nphone;note\n\n010-12;"a\nb"\n${fresh(1).join('')};\n;x\n`;
    const { body } = await file(text).expect(200);
    expect(body.invalid).toEqual([
      {
        index: 0,
        value: '010-12',
        reason: 'PHONE_FORMAT',
        line: 5,
        values: { phone: '010-12', note: 'a\nb' },
      },
      { index: 2, value: null, reason: 'VALUE_REQUIRED', line: 8, values: { phone: '', note: 'x' } },
    ]);
    const { body: one } = await file(text, '?maxErrors=1').expect(200);
    expect(one).toMatchObject({ failed: 2, invalid: [{ index: 0 }] });
    expect((await file(text, '?maxErrors=0').expect(400)).body.details).toMatchObject([
      { field: 'maxErrors' },
    ]);
  });

  it('reports what was imported before a compressed body breaks off', async () => {
    const whole = gzipSync(`value\n${fresh(1_200).join('\n')}\n`);
    const { body } = await post()
      .set({ 'Content-Type': 'text/csv', 'Content-Encoding': 'gzip' })
      .serialize((sent: unknown) => sent as string)
      .send(whole.subarray(0, whole.length / 2) as never)
      .expect(400);
    const { accepted } = body.imported;
    expect(accepted).toBeGreaterThan(0);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', message: expect.stringContaining('breaks off') });
    expect(await sms.watermark(true)).toMatchObject({ total: accepted });
  });

  it('streams a file larger than any other body', async () => {
    const rows = 6_000;
    const first = made;
    made += rows;
    const pad = 'x'.repeat(1_000);
    const chunks = function* () {
      yield 'value,note\n';
      for (let i = 0; i < rows; i++) yield `${phone(first + i)},${pad}\n`;
    };
    const headers = { Host: API_HOST, Authorization: `Bearer ${CONSOLE_TOKEN}`, 'Content-Type': 'text/csv' };
    const sent = httpRequest(app.url + path(), { method: 'POST', headers });
    const [[answer]] = await Promise.all([
      once(sent, 'response') as Promise<[IncomingMessage]>,
      pipeline(Readable.from(chunks()), sent),
    ]);
    const body: unknown = JSON.parse(Buffer.concat(await answer.toArray()).toString());
    expect(body).toMatchObject({ total: rows, accepted: rows, failed: 0 });
    expect(await sms.watermark(true)).toMatchObject({ total: rows });
    const events = await cataloguedEvents(app, org.organizationId);
    expect(new Set(events.map(({ name }) => name))).toEqual(new Set(['unsubscribe.bulk_changed']));
    expect(events.reduce((sum, { data }) => sum + Number(data.accepted), 0)).toBe(rows);
  });

  it('changes nothing when repeated', async () => {
    const text = `value\n${fresh(50).join('\n')}\n`;
    await file(text).expect(200);
    const { latestCursor } = await sms.watermark();
    const { body } = await file(text).expect(200);
    expect(body).toMatchObject({ accepted: 0, duplicated: 50 });
    expect((await sms.watermark()).latestCursor).toBe(latestCursor);
  });

  it('reports what was imported before an unreadable line', async () => {
    const values = fresh(3);
    const broken = `value\n${values.join('\n')}\n"never closed\n`;
    const { body } = await file(broken).expect(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', imported: { total: 3, accepted: 3 } });
    expect(body.message).toContain('line 5');
    const bytes = Buffer.concat([Buffer.from('value\n'), Buffer.from([0xff, 0xfe])]);
    await file(bytes).expect(400);
  });

  it('refuses other bodies and parameters by name', async () => {
    const refuse = async (call: request.Test, field: string) => {
      const { body } = await call.expect(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
    };
    await refuse(file('name\nKim\n'), 'value');
    await refuse(file('value\n', '?method=API'), 'method');
    await refuse(post().send({ items: [{}], method: 'API' }), 'method');
    await refuse(post(), 'items');
    await post().set('Content-Type', 'application/xml').send('x').expect(415);
    const large = JSON.stringify({ items: [], pad: 'x'.repeat(5 * 1024 * 1024) });
    await post().set('Content-Type', 'application/json').send(large).expect(413);
    expect(await sms.watermark(true)).toMatchObject({ total: 0 });
    const empty = await file('').expect(200);
    expect(empty.body).toMatchObject({ total: 0 });
  });

  it('is limited to users of the organization, and audited', async () => {
    const foreign = await signIn(app, await createOrganization(app));
    await foreign.post(path(), { items: [] }).expect(404);
    await post()
      .send({ items: fresh(2).map((value) => ({ value })) })
      .expect(200);
    const [entry] = await auditLog(app, org, { size: 1 });
    expect(entry).toMatchObject({
      action: 'unsubscribe.create',
      actor: { type: 'PLATFORM' },
      changes: { channel: { to: 'SMS' }, accepted: { to: 2 } },
    });
  });
});
