import { BulkJobs } from '../../src/infrastructure/jobs/bulk-jobs';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { cataloguedEvents } from '../support/outbox';
import { perTest, useTestApp } from '../support/test-app';
import { phone, UNSUBSCRIBES, UnsubscribeClient } from '../support/unsubscribes';

const BULK = `${UNSUBSCRIBES}/bulk`;

describe('bulk unsubscribes', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  let made = 0;
  const fresh = (count: number) => Array.from({ length: count }, () => phone(made++));
  const asItems = (values: readonly unknown[]) => values.map((value) => ({ value }));
  const org = perTest(() => createOrganization(app, { defaultRegion: 'KR' }));
  const sms = new UnsubscribeClient(org);

  it('accepts valid items and reports the others by index', async () => {
    const [one = '', two = ''] = fresh(2);
    await sms.register(one);
    const items = [
      { value: one },
      { value: '010-12' },
      { value: two.replace('+82', '0') },
      { value: two },
      {},
      { value: null },
      { value: '  ' },
      { value: 7 },
      { value: ['x'] },
      null,
      'text',
      { value: 'a\u0000b' },
      { value: '\ud800' },
      { value: 'x'.repeat(5000) },
    ];
    const { body } = await org.api.post(BULK, { items }).expect(200);
    expect(body).toEqual({
      channel: 'SMS',
      accepted: 1,
      duplicated: 2,
      invalid: [
        { index: 1, value: '010-12', reason: 'PHONE_FORMAT' },
        { index: 4, value: null, reason: 'VALUE_REQUIRED' },
        { index: 5, value: null, reason: 'VALUE_REQUIRED' },
        { index: 6, value: '  ', reason: 'VALUE_REQUIRED' },
        { index: 7, value: '7', reason: 'PHONE_FORMAT' },
        { index: 8, value: '["x"]', reason: 'PHONE_FORMAT' },
        { index: 9, value: null, reason: 'VALUE_REQUIRED' },
        { index: 10, value: null, reason: 'VALUE_REQUIRED' },
        { index: 11, value: 'a\u0000b', reason: 'PHONE_FORMAT' },
        { index: 12, value: '\ufffd', reason: 'PHONE_FORMAT' },
        { index: 13, value: 'x'.repeat(200), reason: 'PHONE_FORMAT' },
      ],
    });
    expect(await sms.watermark(true)).toMatchObject({ total: 2 });
  });

  it('processes 1000 items in order, and refuses 1001', async () => {
    const values = fresh(1001);
    for (const query of ['', '?async=true']) {
      const { body } = await org.api.post(`${BULK}${query}`, { items: asItems(values) }).expect(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'items' }] });
    }
    expect(await sms.watermark(true)).toMatchObject({ total: 0 });
    expect(await app.sql('SELECT 1 FROM bulk_jobs WHERE organization_id = $1', [org.organizationId])).toEqual(
      [],
    );
    const thousand = values.slice(0, 1000);
    expect(await sms.registerMany(thousand)).toMatchObject({ accepted: 1000, duplicated: 0, invalid: [] });
    const { items } = await sms.list(undefined, 1000);
    expect(items.map(({ value }) => value)).toEqual(thousand);
  });

  it.each(['', '?async=true'])('stores source and time of each item, or of the request%s', async (query) => {
    const [own = '', ofRequest = '', cleared = ''] = fresh(3);
    const body = {
      source: 'fair',
      unsubscribedAt: '2026-11-01T00:00:00Z',
      items: [
        { value: own, source: 'desk', unsubscribedAt: '2026-10-01T00:00:00Z' },
        { value: ofRequest },
        { value: cleared, source: null, unsubscribedAt: null },
        { value: fresh(1)[0], source: 7 },
        { value: fresh(1)[0], source: 'x'.repeat(201) },
        { value: fresh(1)[0], unsubscribedAt: '2026-11-21' },
        { value: fresh(1)[0], unsubscribedAt: 'yesterday' },
      ],
    };
    const { body: answer } = await org.api.post(`${BULK}${query}`, body);
    const invalid = [
      { index: 3, reason: 'SOURCE_FORMAT' },
      { index: 4, reason: 'SOURCE_FORMAT' },
      { index: 5, reason: 'UNSUBSCRIBED_AT_FORMAT' },
      { index: 6, reason: 'UNSUBSCRIBED_AT_FORMAT' },
    ];
    if (query === '') expect(answer).toMatchObject({ accepted: 3, duplicated: 0, invalid });
    else {
      await eventually(async () => {
        const job = await org.api.get(`${UNSUBSCRIBES}/bulk-jobs/${answer.jobId}`).expect(200);
        expect(job.body).toMatchObject({ status: 'COMPLETED', accepted: 3, duplicated: 0, errors: invalid });
      });
    }
    const shared = { source: 'fair', unsubscribedAt: '2026-11-01T00:00:00Z' };
    expect((await sms.list()).items).toMatchObject([
      { value: own, source: 'desk', unsubscribedAt: '2026-10-01T00:00:00Z' },
      { value: ofRequest, ...shared },
      { value: cleared, ...shared },
    ]);
    const future = { items: [{ value: own }], unsubscribedAt: '2026-11-21T00:00:00Z' };
    const refused = await org.api.post(`${BULK}${query}`, future).expect(400);
    expect(refused.body.details).toMatchObject([{ field: 'unsubscribedAt' }]);
  });

  it('registers each value once under concurrency, in any order', async () => {
    const values = fresh(200);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => sms.registerMany(i % 2 === 0 ? values : values.toReversed())),
    );
    const sum = answers.reduce((total, { accepted }) => total + Number(accepted), 0);
    expect(sum).toBe(200);
    expect(await sms.watermark(true)).toMatchObject({ total: 200 });
  });

  describe('asynchronous', () => {
    const job = (jobId: number) => app.get(BulkJobs).get(org.organizationId, jobId);
    const start = async (items: unknown[]): Promise<number> => {
      const { body } = await org.api.post(`${BULK}?async=true`, { items }).expect(202);
      expect(body).toEqual({ jobId: expect.any(Number) });
      return (body as { jobId: number }).jobId;
    };

    it('answers 202 with an equivalent job', async () => {
      const values = fresh(998);
      await sms.register(values[0] ?? '');
      const jobId = await start([...asItems(values), { value: '010-12' }, {}]);
      await eventually(async () => expect(await job(jobId)).toMatchObject({ status: 'COMPLETED' }));
      expect(await job(jobId)).toMatchObject({
        type: 'UNSUBSCRIBES',
        total: 1000,
        processed: 1000,
        accepted: 997,
        duplicated: 1,
        failed: 2,
        errors: [
          { index: 998, value: '010-12', reason: 'PHONE_FORMAT' },
          { index: 999, value: null, reason: 'VALUE_REQUIRED' },
        ],
      });
      const { items } = await sms.list(undefined, 1000);
      expect(items.map(({ value }) => value).sort()).toEqual([...values].sort());
      expect(items[5]).toMatchObject({ method: 'API', source: null, unsubscribedAt: '2026-11-20T08:32:00Z' });
    });
  });

  describe('DELETE /unsubscribes/bulk', () => {
    it('returns how many existed', async () => {
      const [one = '', two = '', three = ''] = fresh(3);
      await sms.registerMany([one, two, three]);
      const values = [one, one, two.replace('+82', '0'), 'x', ...fresh(1)];
      expect(await sms.removeMany(values)).toEqual({ deleted: 2, notFound: 3 });
      expect(await sms.removeMany(values)).toEqual({ deleted: 0, notFound: 5 });
      expect((await sms.list()).items.map(({ value }) => value)).toEqual([three]);
      expect((await sms.deletions()).items.map(({ value }) => value)).toEqual([one, two]);
    });
  });

  describe('events', () => {
    const names = async () => (await cataloguedEvents(app, org.organizationId)).map(({ name }) => name);

    it('are sent individually for up to 20 entries', async () => {
      await sms.registerMany(fresh(20));
      expect(await names()).toEqual(Array(20).fill('unsubscribe.created'));
    });

    it('are summarized for more, also for deletions and jobs', async () => {
      const values = fresh(21);
      await sms.registerMany(values);
      const created = await sms.watermark();
      app.clock.advance(1);
      await sms.removeMany(values);
      const removed = await sms.watermark();
      app.clock.advance(1);
      await org.api.post(`${BULK}?async=true`, { items: asItems(values) }).expect(202);
      const events = await eventually(async () => {
        const found = await cataloguedEvents(app, org.organizationId);
        expect(found).toHaveLength(3);
        return found;
      });
      const again = await sms.watermark();
      expect(events.map(({ name, data }) => ({ name, data }))).toEqual(
        [
          {
            channel: 'SMS',
            accepted: 21,
            deleted: 0,
            cursor: created.latestCursor,
            deletionsCursor: expect.any(String),
          },
          {
            channel: 'SMS',
            accepted: 0,
            deleted: 21,
            cursor: removed.latestCursor,
            deletionsCursor: expect.any(String),
          },
          {
            channel: 'SMS',
            accepted: 21,
            deleted: 0,
            cursor: again.latestCursor,
            deletionsCursor: expect.any(String),
          },
        ].map((data) => ({ name: 'unsubscribe.bulk_changed', data })),
      );
    });

    it('count changes, not requested items', async () => {
      const values = fresh(30);
      await sms.registerMany(values.slice(0, 25));
      app.clock.advance(1);
      await sms.registerMany(values);
      expect(await names()).toEqual(['unsubscribe.bulk_changed', ...Array(5).fill('unsubscribe.created')]);
    });
  });
});
