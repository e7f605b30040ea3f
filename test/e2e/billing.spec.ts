import type { Response } from 'supertest';
import { MessageSends } from '../../src/modules/billing/message-sends';
import { consoleApi, createOrganization } from '../support/factories';
import { perTest, useTestApp } from '../support/test-app';

const ANALYTICS = '/api/v1/service/analytics';

describe('billing', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });

  const platform = consoleApi(app);
  const org = perTest(() =>
    createOrganization(app, { timeZone: 'Asia/Seoul', baseCurrency: 'KRW', addOns: [] }),
  );

  describe('credits', () => {
    const move = (type: string, amount: unknown, more: object = {}) =>
      platform.post(`${org.consolePath}/credits/transactions`, { type, amount, ...more });
    const balances = async () => (await org.api.get(`${ANALYTICS}/credits`).expect(200)).body;

    it('start at zero', async () => {
      expect(await balances()).toEqual({
        balance: 0,
        paidBalance: 0,
        freeBalance: 0,
        totalCharged: 0,
        totalFreeGranted: 0,
        totalUsed: 0,
        currency: 'KRW',
      });
    });

    it('are charged, granted, used (free ones first) and refunded (paid ones first)', async () => {
      const charged = await move('CHARGE', 100.5, { reason: 'Invoice', reference: 'i-1' }).expect(201);
      expect(charged.body).toEqual({
        id: expect.any(Number),
        type: 'CHARGE',
        amount: 100.5,
        paidChange: 100.5,
        freeChange: 0,
        balanceAfter: 100.5,
        reason: 'Invoice',
        reference: 'i-1',
        createdAt: '2026-11-20T08:32:00Z',
        duplicated: false,
      });
      await move('FREE_GRANT', 20).expect(201);
      const used = await move('USE', 50.1).expect(201);
      expect(used.body).toMatchObject({ paidChange: -30.1, freeChange: -20, balanceAfter: 70.4 });
      const refunded = await move('REFUND', 40).expect(201);
      expect(refunded.body).toMatchObject({ paidChange: 30.1, freeChange: 9.9, balanceAfter: 110.4 });
      expect(await balances()).toEqual({
        balance: 110.4,
        paidBalance: 100.5,
        freeBalance: 9.9,
        totalCharged: 100.5,
        totalFreeGranted: 20,
        totalUsed: 10.1,
        currency: 'KRW',
      });

      const list = await platform.get(`${org.consolePath}/credits/transactions?size=3`).expect(200);
      expect(list.body).toMatchObject({ totalElements: 4, totalPages: 2, first: true, last: false });
      expect(list.body.content.map(({ type }: { type: string }) => type)).toEqual([
        'REFUND',
        'USE',
        'FREE_GRANT',
      ]);
      const { body: log } = await platform.get(`${org.consolePath}/audit-log`).expect(200);
      expect(log.content[0]).toMatchObject({ action: 'credits.move', resourceId: String(refunded.body.id) });
    });

    it('never go below zero, and are not refunded beyond what was used', async () => {
      await move('FREE_GRANT', 10).expect(201);
      const more = await move('USE', 10.0001).expect(409);
      expect(more.body).toMatchObject({ code: 'INSUFFICIENT_CREDITS', balance: 10 });
      await move('USE', 10).expect(201);
      const back = await move('REFUND', 10.0001).expect(409);
      expect(back.body).toMatchObject({ code: 'REFUND_EXCEEDS_USE', used: 10 });
      expect((await balances()).balance).toBe(0);
      expect((await platform.get(`${org.consolePath}/credits/transactions`)).body.totalElements).toBe(2);
    });

    it('apply a reference once, even fifty times at once; references are per organization', async () => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => move('CHARGE', 5, { reference: 'r' })),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status, body }) => status === 200 && body.duplicated)).toHaveLength(49);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect((await move('USE', 1, { reference: 'r' }).expect(200)).body).toMatchObject({ type: 'CHARGE' });
      expect((await balances()).balance).toBe(5);
      const other = await createOrganization(app);
      await platform
        .post(`${other.consolePath}/credits/transactions`, {
          type: 'CHARGE',
          amount: 7,
          reference: 'r',
        })
        .expect(201);
      expect((await balances()).balance).toBe(5);
    });

    it('of 100 cover 100 of 200 concurrent uses, and the ledger sums to the balance', async () => {
      await move('CHARGE', 60).expect(201);
      await move('FREE_GRANT', 40).expect(201);
      const answers: Response[] = await Promise.all(Array.from({ length: 200 }, () => move('USE', 1)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(100);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(100);
      expect(await balances()).toMatchObject({ balance: 0, paidBalance: 0, freeBalance: 0, totalUsed: 100 });
      const [sums] = await app.sql(
        `SELECT sum(paid_change)::float8 AS paid, sum(free_change)::float8 AS free, count(*) AS rows
           FROM credit_transactions WHERE organization_id = $1`,
        [org.organizationId],
      );
      expect(sums).toEqual({ paid: 0, free: 0, rows: 102 });
    });

    it.each([
      ['amount', { amount: 0 }],
      ['amount', { amount: 0.00001 }],
    ])('refuse %s of %j', async (field, bad) => {
      const { body } = await move('CHARGE', 1, bad).expect(400);
      expect(body.details[0].field).toBe(field);
      expect((await balances()).balance).toBe(0);
    });

    it('accept values at the limit', async () => {
      const limits = { reason: 'x'.repeat(500), reference: 'x'.repeat(200) };
      await move('CHARGE', 100_000_000_000, limits).expect(201);
      await move('USE', 0.0001).expect(201);
      expect((await balances()).balance).toBe(99_999_999_999.9999);
    });
  });

  describe('usage', () => {
    let made = 0;
    const send = (sentAt: string, more: object = {}) => ({
      channelType: 'SMS',
      status: 'SUCCESS',
      rate: 9.9,
      sentAt,
      messageId: `m-${++made}`,
      ...more,
    });
    const record = (...items: object[]) => platform.post(`${org.consolePath}/message-sends`, { items });
    const usage = (query = '') => org.api.get(`${ANALYTICS}/billing/usage${query}`);

    it('sums successful sends of a month in the time zone of the organization', async () => {
      await record(
        send('2026-10-31T14:59:59Z'),
        send('2026-10-31T15:00:00Z'),
        send('2026-11-20T08:00:00Z', { rate: 0.1 }),
        send('2026-11-20T08:00:00Z', { rate: 0.2, channelType: 'EMAIL' }),
        send('2026-11-20T08:00:00Z', { status: 'FAILED' }),
        send('2026-11-20T08:00:00Z', { status: 'UNSENT' }),
        send('2026-11-20T15:00:00Z', { rate: 0, channelType: 'CARRIER_PIGEON' }),
      ).expect(200, { accepted: 7, duplicated: 0 });
      expect((await usage().expect(200)).body).toEqual({
        month: '2026-11',
        timeZone: 'Asia/Seoul',
        timeZoneChangedAt: null,
        isCurrentMonth: true,
        currency: 'KRW',
        successCount: 4,
        usageCharge: 10.2,
        channels: [
          { channelType: 'CARRIER_PIGEON', channelName: 'CARRIER_PIGEON', successCount: 1, rateSum: 0 },
          { channelType: 'EMAIL', channelName: 'Email', successCount: 1, rateSum: 0.2 },
          { channelType: 'SMS', channelName: 'SMS', successCount: 2, rateSum: 10 },
        ],
        days: [
          { date: '2026-11-01', successCount: 1, rateSum: 9.9, countsByChannel: { SMS: 1 } },
          { date: '2026-11-20', successCount: 2, rateSum: 0.3, countsByChannel: { SMS: 1, EMAIL: 1 } },
          { date: '2026-11-21', successCount: 1, rateSum: 0, countsByChannel: { CARRIER_PIGEON: 1 } },
        ],
      });
      const october = await usage('?month=2026-10').expect(200);
      expect(october.body).toMatchObject({ month: '2026-10', isCurrentMonth: false, successCount: 1 });
    });

    it('counts the first of repeated message ids, also within one request and concurrently', async () => {
      const items = Array.from({ length: 100 }, () => send('2026-11-20T08:00:00Z'));
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => record(...(i % 2 ? items : items.toReversed()))),
      );
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      expect(answers.reduce((sum, { body }) => sum + Number(body.accepted), 0)).toBe(100);
      const twice = send('2026-11-20T08:00:00Z', { status: 'UNSENT' });
      await record(twice, { ...twice, status: 'SUCCESS' }).expect(200, { accepted: 1, duplicated: 1 });
      expect((await usage()).body).toMatchObject({ successCount: 100, usageCharge: 990 });
    });

    it('covers plan periods, whose boundary day belongs to the new one', async () => {
      await platform.patch(org.consolePath, { planStartDate: '2026-01-31' }).expect(200);
      await record(send('2026-10-30T14:59:59Z'), send('2026-10-30T15:00:00Z'), send('2026-11-29T15:00:00Z'));
      const current = await usage('?period=2026-11-20').expect(200);
      expect(current.body).toEqual({
        period: '2026-11-20',
        periodStart: '2026-10-30T15:00:00Z',
        periodEnd: '2026-11-29T15:00:00Z',
        periodLabel: '2026-10-31 - 2026-11-29',
        isCurrentPeriod: true,
        timeZoneChangedAt: null,
        currency: 'KRW',
        successCount: 1,
        usageCharge: 9.9,
        channels: [{ channelType: 'SMS', channelName: 'SMS', successCount: 1, rateSum: 9.9 }],
        days: [{ date: '2026-10-31', successCount: 1, rateSum: 9.9, countsByChannel: { SMS: 1 } }],
      });
      const before = await usage('?period=2026-10-30').expect(200);
      expect(before.body).toMatchObject({ isCurrentPeriod: false, successCount: 1 });
      app.clock.set('2026-11-29T15:00:00Z');
      expect((await usage('?period=2026-11-30')).body).toMatchObject({
        isCurrentPeriod: true,
        successCount: 1,
      });
      expect((await usage('?period=2026-11-29')).body).toMatchObject({ isCurrentPeriod: false });
    });

    it('of periods starts with the day on which the organization was created', async () => {
      const { body } = await usage('?period=2026-11-20').expect(200);
      expect(body).toMatchObject({ periodLabel: '2026-11-20 - 2026-12-19', isCurrentPeriod: true });
    });

    it.each(['2024-12', '2026-11'])('reaches 24 months: %s', (month) => usage(`?month=${month}`).expect(200));

    it.each(['2024-11', '2026-12', '2026-13', ''])('has no month %j', async (month) => {
      const { body } = await usage(`?month=${month}`).expect(400);
      expect(body).toMatchObject({ code: 'INVALID_MONTH', details: [{ field: 'month' }] });
    });

    it.each(['2025-11-20', '2026-12-19'])('reaches 12 periods back: %s', (period) =>
      usage(`?period=${period}`).expect(200),
    );

    it.each(['2025-11-19', '2026-12-20', '2026-02-30', '2026-11-20&month=2026-11'])(
      'has no period %j',
      async (period) => {
        const { body } = await usage(`?period=${period}`).expect(400);
        expect(body).toMatchObject({ code: 'INVALID_PERIOD', details: [{ field: 'period' }] });
      },
    );

    it.each([
      ['items[1].channelType', { channelType: 'sms' }],
      ['items[1].rate', { rate: -1 }],
      ['items[1].rate', { rate: 0.00001 }],
      ['items[1].sentAt', { sentAt: 'yesterday' }],
      ['items[1].messageId', { messageId: null }],
    ])('records nothing when %s is invalid: %j', async (field, bad) => {
      const { body } = await record(send('2026-11-20T08:00:00Z'), send('2026-11-20T08:00:00Z', bad)).expect(
        400,
      );
      expect(body.details[0].field).toBe(field);
      expect((await usage()).body.successCount).toBe(0);
    });

    it('keeps its sums when sends are deleted after 12 months', async () => {
      await record(send('2025-11-20T08:31:59Z'), send('2025-11-20T08:32:00Z')).expect(200);
      await app.get(MessageSends).deleteOld();
      const rows = await app.sql('SELECT sent_at FROM message_sends WHERE organization_id = $1', [
        org.organizationId,
      ]);
      expect(rows).toEqual([{ sent_at: new Date('2025-11-20T08:32:00Z') }]);
      expect((await usage('?month=2025-11')).body.successCount).toBe(2);
    });
  });
});
