import { randomUUID } from 'node:crypto';
import { ContactActivity } from '../../src/modules/contacts/contact-activity';
import { createCampaign } from '../support/campaigns';
import { recomputed, rolledUp } from '../support/journey-oracle';
import { addApp, type AppOwner, createAppOwner, createSession, SESSIONS, track } from '../support/journeys';
import { createLink } from '../support/links';
import { cataloguedEvents } from '../support/outbox';
import { perSuite, useTestApp } from '../support/test-app';

const NOW = '2026-11-20T08:32:00Z';

describe('funnel/track', () => {
  const app = useTestApp({ at: NOW });
  const own = perSuite(() => createAppOwner(app, { baseCurrency: 'KRW', allowList: ['127.0.0.0/8'] }));

  const stagesOf = async (sessionId: string) =>
    (await own.sdk.get(`${SESSIONS}/${sessionId}`).expect(200)).body.stages;
  const goalsOf = (sessionId: string) =>
    app.sql(
      `SELECT goal_type AS type, value::float8, currency, transaction_id AS transaction, external_user_id AS member,
              occurred_at AS at, day, platform FROM goals WHERE session_id = $1 ORDER BY id`,
      [sessionId],
    );
  const newEvents = async (work: () => Promise<unknown>) => {
    const known = new Set((await cataloguedEvents(app, own.organizationId)).map(({ id }) => id));
    await work();
    const events = (await cataloguedEvents(app, own.organizationId)).filter(({ id }) => !known.has(id));
    return events.map(({ name, data }) => ({ name, data }));
  };

  it('records each stage once, in any order', async () => {
    const { sessionId } = await createSession(own, { externalUserId: 'm1' });
    const events = await newEvents(async () => {
      const answer = {
        success: true,
        sessionId,
        goalType: null,
        duplicated: false,
        timestampAdjusted: false,
      };
      for (const recorded of [true, false]) {
        const countedAt = recorded ? NOW : null;
        for (const stage of ['GOAL_COMPLETED', 'APP_OPENED']) {
          expect(await track(own, { sessionId, stage })).toEqual({ ...answer, stage, recorded, countedAt });
        }
      }
    });
    expect(await stagesOf(sessionId)).toEqual(['APP_OPENED', 'GOAL_COMPLETED']);
    const step = { sessionId, appId: own.appId, urlId: null, campaignId: null, platform: 'WEB' };
    const data = { ...step, externalUserId: 'm1', occurredAt: NOW };
    expect(events).toEqual([
      {
        name: 'funnel.stage_reached',
        data: { ...data, stage: 'GOAL_COMPLETED', stageName: 'Goal completed' },
      },
      { name: 'funnel.stage_reached', data: { ...data, stage: 'APP_OPENED', stageName: 'App opened' } },
    ]);
  });

  it('starts a session for an unknown id, on the platform of the app', async () => {
    const sessionId = 'first open 1';
    const events = await newEvents(async () => {
      expect(await track(own, { sessionId, stage: 'APP_OPENED' })).toMatchObject({
        sessionId,
        recorded: true,
      });
    });
    expect(events.map(({ name }) => name)).toEqual(['session.created', 'funnel.stage_reached']);
    const { body } = await own.sdk.get(`${SESSIONS}/${encodeURIComponent(sessionId)}`).expect(200);
    expect(body).toMatchObject({ sessionId, platform: 'IOS', stages: ['APP_OPENED'] });
    const android = { ...own, ...(await addApp(app, own, 'Android')) };
    await track(android, { sessionId, stage: 'APP_OPENED' });
    const other = await android.sdk.get(`${SESSIONS}/${encodeURIComponent(sessionId)}`).expect(200);
    expect(other.body.platform).toBe('ANDROID');
  });

  it('defaults to GOAL_COMPLETED when there is a goal', async () => {
    const { sessionId } = await createSession(own);
    const answer = await track(own, { sessionId, goalType: 'signup', goalValue: '12.5' });
    expect(answer).toEqual({
      success: true,
      sessionId,
      stage: 'GOAL_COMPLETED',
      recorded: true,
      goalType: 'signup',
      duplicated: false,
      countedAt: NOW,
      timestampAdjusted: false,
    });
    expect(await goalsOf(sessionId)).toMatchObject([{ type: 'signup', value: 12.5, currency: 'KRW' }]);
    const { body } = await own.sdk.post(`${SESSIONS}/funnel/track`, { sessionId }).expect(400);
    expect(body.details[0].field).toBe('stage');
  });

  it('counts a goal only with GOAL_COMPLETED', async () => {
    const { sessionId } = await createSession(own);
    await track(own, { sessionId, stage: 'ACTION_TAKEN', goalType: 'signup' });
    await track(own, { sessionId, stage: 'GOAL_COMPLETED' });
    expect(await goalsOf(sessionId)).toEqual([]);
  });

  it('defaults to the goal type of the link or campaign', async () => {
    const link = await createLink(own, { goalType: 'purchase' });
    const campaign = await createCampaign(own, { goalType: 'signup' });
    const { sessionId } = await createSession(own, { urlId: link.id });
    const goal = { sessionId, stage: 'GOAL_COMPLETED' };
    expect(await track(own, goal)).toMatchObject({ goalType: 'purchase' });
    expect(await track(own, { ...goal, goalType: 'login' })).toMatchObject({ goalType: 'login' });
    expect(await track(own, { ...goal, campaignId: campaign.id })).toMatchObject({ goalType: 'signup' });
    const unknown = randomUUID();
    expect(await track(own, { ...goal, sessionId: unknown, urlId: link.id })).toMatchObject({
      goalType: 'purchase',
    });
    const types = (await goalsOf(sessionId)).map((row) => row.type);
    expect(types).toEqual(['purchase', 'login', 'signup']);
  });

  it('treats purchase_<CURRENCY> as a purchase in that currency, and sends it unchanged to webhooks', async () => {
    const link = await createLink(own);
    const { sessionId } = await createSession(own, { urlId: link.id, externalUserId: 'm2' });
    const body = { sessionId, goalType: 'purchase_USD', goalValue: 49.9, transactionId: randomUUID() };
    const events = await newEvents(async () => {
      expect(await track(own, body)).toMatchObject({ goalType: 'purchase_USD' });
    });
    await track(own, { sessionId, goalType: 'purchase', goalValue: 1000 });
    await track(own, { sessionId, goalType: 'purchase', goalValue: 5, currency: 'EUR' });
    await track(own, { sessionId, goalType: 'purchase_XQZ', goalValue: 1 });
    const goals = await goalsOf(sessionId);
    expect(goals.map(({ type, value, currency }) => [type, value, currency])).toEqual([
      ['purchase', 49.9, 'USD'],
      ['purchase', 1000, 'KRW'],
      ['purchase', 5, 'EUR'],
      ['purchase_XQZ', 1, 'KRW'],
    ]);
    const step = { sessionId, appId: own.appId, urlId: link.id, campaignId: null, platform: 'WEB' };
    const data = { ...step, externalUserId: 'm2', occurredAt: NOW };
    expect(events).toEqual([
      {
        name: 'funnel.stage_reached',
        data: { ...data, stage: 'GOAL_COMPLETED', stageName: 'Goal completed' },
      },
      {
        name: 'goal.completed',
        data: {
          ...data,
          goalId: expect.any(Number),
          goalType: 'purchase_USD',
          goalValue: 49.9,
          currency: 'USD',
          transactionId: body.transactionId,
        },
      },
    ]);
  });

  it('counts a transaction once per app, in any session, and ignores repeats', async () => {
    const { sessionId } = await createSession(own);
    const body = { sessionId, goalType: 'purchase', goalValue: 10, transactionId: 'order-1' };
    expect(await track(own, body)).toMatchObject({ recorded: true, duplicated: false });
    const before = await rolledUp(app, own.organizationId);
    const unknown = randomUUID();
    const events = await newEvents(async () => {
      app.clock.advance(60_000);
      for (const again of [body, { ...body, goalType: 'purchase_USD' }, { ...body, sessionId: unknown }]) {
        expect(await track(own, again)).toMatchObject({ recorded: false, duplicated: true });
      }
    });
    expect(events).toEqual([]);
    expect(await rolledUp(app, own.organizationId)).toEqual(before);
    await own.sdk.get(`${SESSIONS}/${unknown}`).expect(404);
    const beside = { ...own, ...(await addApp(app, own, 'Android')) };
    const there = { ...body, sessionId: randomUUID() };
    expect(await track(beside, there)).toMatchObject({ recorded: true, duplicated: false });
  });

  it('counts a transaction once for each goal type', async () => {
    const { sessionId } = await createSession(own);
    const purchase = { sessionId, goalType: 'purchase', goalValue: 10, transactionId: 'order-2' };
    const signup = { ...purchase, goalType: 'signup', goalValue: 1 };
    expect(await track(own, purchase)).toMatchObject({ recorded: true, duplicated: false });
    const events = await newEvents(async () => {
      expect(await track(own, signup)).toMatchObject({ recorded: true, duplicated: false });
      expect(await track(own, signup)).toMatchObject({ recorded: false, duplicated: true, countedAt: null });
      expect(await track(own, purchase)).toMatchObject({ recorded: false, duplicated: true });
    });
    expect(events.map(({ name, data }) => [name, data.goalType])).toEqual([['goal.completed', 'signup']]);
    expect((await goalsOf(sessionId)).map(({ type }) => type)).toEqual(['purchase', 'signup']);
  });

  it('reports that a further goal of a session was recorded', async () => {
    const { sessionId } = await createSession(own);
    for (const goalType of ['signup', 'login', 'signup']) {
      expect(await track(own, { sessionId, goalType })).toMatchObject({
        recorded: true,
        duplicated: false,
        countedAt: NOW,
      });
    }
    expect(await track(own, { sessionId, stage: 'GOAL_COMPLETED' })).toMatchObject({
      recorded: false,
      duplicated: false,
      countedAt: null,
    });
  });

  it('counts a goal with the same client time once; without time or transaction, each', async () => {
    const { sessionId } = await createSession(own);
    const timestamp = '2026-11-20T08:00:00.123Z';
    const goal = { sessionId, goalType: 'signup', timestamp };
    const answers = [goal, goal, { ...goal, goalType: 'login' }, { ...goal, timestamp: NOW }];
    const duplicated: unknown[] = [];
    for (const body of answers) duplicated.push((await track(own, body)).duplicated);
    expect(duplicated).toEqual([false, true, false, false]);
    await track(own, { sessionId, goalType: 'signup' });
    await track(own, { sessionId, goalType: 'signup' });
    expect(await goalsOf(sessionId)).toHaveLength(5);
  });

  it.each([
    ['2026-11-13T08:32:00Z', '2026-11-13T08:32:00.000Z'],
    ['2026-11-13T08:31:59Z', '2026-11-20T08:32:00.000Z'],
    ['2026-11-20T08:32:01Z', '2026-11-20T08:32:00.000Z'],
    ['2026-11-19T23:30:00+09:00', '2026-11-19T14:30:00.000Z'],
  ])('counts a goal of %s at %s', async (timestamp, at) => {
    const { sessionId } = await createSession(own);
    const answer = await track(own, { sessionId, goalType: 'signup', timestamp });
    const countedAt = `${at.slice(0, 19)}Z`;
    const timestampAdjusted = Date.parse(timestamp) !== Date.parse(at);
    expect(answer).toMatchObject({ recorded: true, countedAt, timestampAdjusted });
    const [goal] = await goalsOf(sessionId);
    expect((goal?.at as Date).toISOString()).toBe(at);
    expect(goal?.day).toBe(at.slice(0, 10));
  });

  it('counts fifty concurrent calls correctly: one goal per transaction, each stage once', async () => {
    const lonely = await createAppOwner(app);
    const ids = Array.from({ length: 10 }, () => randomUUID());
    const purchase = { goalType: 'purchase', goalValue: 3, transactionId: 'only-one' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => track(lonely, { sessionId: ids[i % 10], ...purchase })),
    );
    expect(answers.filter(({ duplicated }) => !duplicated)).toHaveLength(1);
    const sessionId = randomUUID();
    const stages = await Promise.all(
      Array.from({ length: 50 }, () => track(lonely, { sessionId, stage: 'APP_OPENED' })),
    );
    expect(stages.filter(({ recorded }) => recorded)).toHaveLength(1);
    const figures = await rolledUp(app, lonely.organizationId);
    // For the app, and for all its goals without a link.
    const once = expect.objectContaining({ goals: 1, value: '3.0000' });
    expect(figures.goals).toEqual([once, once]);
    expect(figures).toEqual(await recomputed(app, lonely.organizationId));
    const names = (await cataloguedEvents(app, lonely.organizationId)).map(({ name }) => name).sort();
    expect(names).toEqual([
      'funnel.stage_reached',
      'funnel.stage_reached',
      'goal.completed',
      'session.created',
      'session.created',
    ]);
  });

  it('records an install once, for link, app and device', async () => {
    const link = await createLink(own, { iosAppId: own.appId });
    const deviceInfo = { osVersion: '26.1', deviceModel: 'iPhone18,1' };
    const { sessionId } = await createSession(own, { platform: 'IOS', urlId: link.id, deviceInfo });
    const installed = { sessionId, stage: 'APP_INSTALLED' };
    await Promise.all([track(own, installed), track(own, installed)]);
    for (const path of [`urls/${link.id}/app-install-stats`, `mobile-apps/${own.appId}/install-stats`]) {
      const { body } = await own.api.get(`/api/v1/service/${path}`).expect(200);
      expect(body).toMatchObject({ totalInstalls: 1, iosInstalls: 1 });
      expect(body.recentInstalls).toEqual([expect.objectContaining({ ...deviceInfo, platform: 'iOS' })]);
    }
    const web = await createSession(own);
    await track(own, { sessionId: web.sessionId, stage: 'APP_INSTALLED' });
    const { body } = await own.api.get(`/api/v1/service/mobile-apps/${own.appId}/install-stats`).expect(200);
    expect(body.totalInstalls).toBe(1);
  });

  it('records activity of members once, and sums only the base currency', async () => {
    const member = { externalUserId: 'buyer' };
    const { body: contact } = await own.api.post('/api/v1/service/messaging/contacts', member).expect(201);
    const { sessionId } = await createSession(own, member);
    const timestamp = '2026-11-20T08:00:00Z';
    for (let i = 0; i < 2; i++) {
      await track(own, { sessionId, goalType: 'purchase_KRW', goalValue: 1000, transactionId: 'a-1' });
      await track(own, { sessionId, goalType: 'purchase_USD', goalValue: 7, transactionId: 'a-2' });
      await track(own, { sessionId, goalType: 'login', goalValue: 5, timestamp });
      await track(own, { sessionId, goalType: 'signup', timestamp });
      await track(own, { sessionId, stage: 'APP_OPENED', timestamp });
      await track(own, { sessionId, stage: 'APP_INSTALLED' });
    }
    const activity = await app.get(ContactActivity).of(own.organizationId, contact.id);
    expect(activity.map(({ metric, count, sum }) => [metric, count, sum])).toEqual([
      ['app_install', 1, 0],
      ['app_open', 1, 0],
      ['login', 1, 0],
      ['purchase', 2, 1000],
    ]);
    expect(activity.find(({ metric }) => metric === 'login')?.first).toEqual(new Date(timestamp));
  });

  it('links the named member, and sends an event', async () => {
    const { sessionId } = await createSession(own);
    const events = await newEvents(() =>
      track(own, { sessionId, goalType: 'signup', externalUserId: 'm9', platform: 'ANDROID' }),
    );
    expect(events.map(({ name, data }) => [name, data.externalUserId])).toEqual([
      ['session.user_linked', 'm9'],
      ['funnel.stage_reached', 'm9'],
      ['goal.completed', 'm9'],
    ]);
    expect(await goalsOf(sessionId)).toMatchObject([{ member: 'm9', platform: 'ANDROID' }]);
  });

  it.each([
    ['goalValue', { sessionId: 's', goalType: 'g', goalValue: -1 }],
    ['goalValue', { sessionId: 's', goalType: 'g', goalValue: '1e3' }],
    ['goalValue', { sessionId: 's', goalType: 'g', goalValue: 100_000_000_000 }],
    ['currency', { sessionId: 's', goalType: 'g', currency: 'won' }],
  ])('refuses a wrong %s', async (field, body) => {
    const { body: answer } = await own.sdk.post(`${SESSIONS}/funnel/track`, body).expect(400);
    expect(answer.details).toEqual([expect.objectContaining({ field })]);
  });

  it('accepts values at their limits', async () => {
    const sessionId = '세'.repeat(200);
    const body = { goalType: '가'.repeat(50), transactionId: '나'.repeat(200), deviceType: 'x'.repeat(200) };
    for (const goalValue of [99_999_999_999.9999, '99999999999.9999', 0, 0.1]) {
      await track(own, { sessionId, goalValue, ...body, transactionId: randomUUID() });
    }
    expect(await track(own, { sessionId, ...body })).toMatchObject({ duplicated: false });
    const [sum] = await app.sql(`SELECT sum(value) AS value FROM goals WHERE goal_type = $1`, [
      body.goalType,
    ]);
    expect(sum).toEqual({ value: '199999999999.9998' === sum?.value ? sum.value : '200000000000.0998' });
  });

  it('finds no link or campaign of others', async () => {
    const stranger = await createAppOwner(app);
    const link = await createLink(stranger);
    const body = { sessionId: randomUUID(), stage: 'APP_OPENED', urlId: link.id };
    await own.sdk.post(`${SESSIONS}/funnel/track`, body).expect(404);
    await own.sdk.get(`${SESSIONS}/${body.sessionId}`).expect(404);
  });

  describe('adds up', () => {
    const random = seeded(20_261_120);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

    it('to the raw rows, for any order of calls, in a time zone with a day of 23.5 hours', async () => {
      const owner = await createAppOwner(app, { timeZone: 'Australia/Lord_Howe', baseCurrency: 'AUD' });
      const second = { ...owner, ...(await addApp(app, owner, 'Android')) };
      const targets = [
        { urlId: (await createLink(owner)).id },
        { urlId: (await createLink(owner)).id },
        { campaignId: (await createCampaign(owner)).id },
      ];
      const sessions: { of: AppOwner; sessionId: string }[] = [];
      const calls: ((of: AppOwner, sessionId: string) => Promise<unknown>)[] = [
        (of, sessionId) =>
          track(of, { sessionId, stage: pick(['CLICKED', 'APP_OPENED', 'APP_INSTALLED', 'GOAL_COMPLETED']) }),
        (of, sessionId) =>
          track(of, {
            sessionId,
            goalType: pick(['purchase', 'purchase_USD', 'signup']),
            goalValue: pick([1, '2.25', 0]),
            transactionId: pick([null, 'a', 'b', randomUUID()]),
            externalUserId: pick([null, 'm1', 'm2', 'm3']),
            ...pick([{}, {}, ...targets]),
          }),
        (of, sessionId) =>
          of.sdk.post(`${SESSIONS}/${sessionId}/link-user`, { externalUserId: pick(['m1', 'm2', 'm3']) }),
        (of, sessionId) => of.sdk.post(`${SESSIONS}/register-link`, { sessionId, ...pick(targets) }),
        (of, sessionId) =>
          of.sdk.post(`${SESSIONS}/transition`, { sessionId, toPlatform: pick(['WEB', 'IOS', 'ANDROID']) }),
        (of, sessionId) =>
          createSession(of, { sessionId, utmSource: pick(['late', null]), ...pick(targets) }),
      ];
      // Daylight saving time starts on 4 October, by half an hour.
      let now = Date.parse('2026-10-03T10:00:00Z');
      for (let round = 0; round < 25; round++) {
        app.clock.set(new Date(now).toISOString());
        now += Math.floor(random() * 5) * 1_800_000;
        const batch = Array.from({ length: 8 }, async () => {
          if (sessions.length === 0 || random() < 0.3) {
            const begun = { of: pick([owner, owner, second]), sessionId: randomUUID() };
            sessions.push(begun);
            const utmSource = pick([null, 'newsletter', 'ads']);
            const body = { platform: pick(['WEB', 'IOS']), utmSource, ...pick([{}, ...targets]) };
            return createSession(begun.of, { sessionId: begun.sessionId, ...body });
          }
          const { of, sessionId } = pick(sessions);
          return pick(calls)(of, sessionId);
        });
        await Promise.all(batch);
      }
      const figures = await rolledUp(app, owner.organizationId);
      expect(figures).toEqual(await recomputed(app, owner.organizationId));
      const days = new Set(figures.sessions?.map((row) => (row as { day: string }).day));
      expect(days.size).toBeGreaterThan(1);
      for (const rows of Object.values(figures)) expect(rows.length).toBeGreaterThan(0);
    });
  });
});

/** Deterministic pseudo-random numbers from 0 to 1. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
