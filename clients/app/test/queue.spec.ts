import type { DroppedCall } from '@waypost/app';
import { registerApp } from '../../../test/support/apps';
import { appApi, createOrganization, type TestOrganization } from '../../../test/support/factories';
import { useTestApp } from '../../../test/support/test-app';

import { type Fault, Gateway } from './support/gateway';
import { Phone, type Step } from './support/phone';

const EVENT = '/cross-platform/session/event';
const FUNNEL = '/cross-platform/session/funnel/track';
const NOW = '2026-11-20T08:32:00Z';

describe('the queue of @waypost/app', () => {
  const app = useTestApp();
  let own: TestOrganization;
  let registered: Awaited<ReturnType<typeof registerApp>>;
  let gateway: Gateway;
  let phone: Phone;
  const logged = { warn: jest.spyOn(console, 'warn'), error: jest.spyOn(console, 'error') };

  beforeAll(async () => {
    gateway = await Gateway.start(app);
  });
  beforeEach(async () => {
    app.clock.set(NOW);
    own = await createOrganization(app);
    registered = await registerApp(own);
    gateway.fault = () => null;
    gateway.calls.length = 0;
    phone = new Phone(gateway, registered, app.clock);
    for (const log of Object.values(logged)) log.mockReset().mockImplementation(() => undefined);
  });
  afterAll(() => gateway.close());

  /** The events of a session in the order in which they happened. */
  const eventsOf = async (sessionId: string) => {
    const api = appApi(app, registered);
    const all: { eventType: string; eventData: { i?: number }; clientTimestamp: string }[] = [];
    for (let page = 0, isLast = false; !isLast; page++) {
      const path = `/api/v1/cross-platform/session/${sessionId}/events`;
      const { body } = await api.get(path, { page, size: 100 }).expect(200);
      all.push(...body.content);
      isLast = body.last;
    }
    return all;
  };
  const numbersOf = async (sessionId: string) =>
    (await eventsOf(sessionId)).map(({ eventData }) => eventData.i);
  const upTo = (count: number) => [...Array(count).keys()];

  it('counts 1,000 events once and in order, wherever the app is killed while it sends them', async () => {
    // The clock is wrong and changes, every seventh write fails, and the link that opened the app has expired.
    let behindMs = 20 * 365 * 86_400_000;
    let writes = 0;
    phone.now = () => app.clock.now() - behindMs;
    phone.beforeWrite = () => {
      if (++writes % 7 === 0) throw new Error('The disk is full');
    };
    gateway.fault = () => 'cut';
    const offline = phone.start({ url: 'exampleshop://p?waypost_token=expired' });
    for (const i of upTo(1_000)) {
      if (i % 100 === 0) behindMs += i % 200 === 0 ? 600_000 : -500_000;
      await offline.waypost.trackEvent('look', { i });
    }
    while (phone.waiting.filter(({ path }) => path === EVENT).length < 1_000)
      await offline.waypost.trackStage('CONTENT_VIEWED');
    offline.kill();
    gateway.fault = () => null;
    const hit = new Set<Step>();
    for (let life = 0; phone.waiting.length > 0; life++) {
      // Storage is read in about a hundred steps, and then the next calls are sent.
      const reading = 2 * phone.stored.size + 2;
      const { killed, kill, waypost } = phone.start({ killAt: reading + 1 + (life % 37) });
      const step = await Promise.race([killed, waypost.flush().then(() => null)]);
      if (step) hit.add(step);
      kill();
    }
    expect([...hit].sort()).toEqual(
      expect.arrayContaining([
        'fetch after',
        'fetch before',
        'removeItem after',
        'removeItem before',
        'setItem after',
        'setItem before',
      ]),
    );
    const sessionId = await phone.start().waypost.getSessionId();
    expect(gateway.of(EVENT).length).toBeGreaterThan(1_000);
    expect(await numbersOf(sessionId)).toEqual(upTo(1_000));
  });

  it('counts once and in order when the clock of the phone is wrong and changes', async () => {
    let wrong = Date.parse('1999-01-01T00:00:00Z');
    phone.now = () => wrong;
    const { waypost } = phone.start();
    const sessionId = await waypost.getSessionId();
    for (const i of upTo(10)) await waypost.trackEvent('look', { i });
    wrong -= 60_000;
    for (const i of upTo(10)) await waypost.trackEvent('look', { i: 10 + i });
    wrong += 300_000;
    for (const i of upTo(10)) await waypost.trackEvent('look', { i: 20 + i });
    await waypost.trackPurchase(10, 'KRW');
    wrong = Date.parse('2099-01-01T00:00:00Z');
    await waypost.trackEvent('later', { i: 30 });
    await waypost.trackPurchase(20, 'KRW');
    const later = await waypost.getSessionId();
    await waypost.flush();
    expect(await numbersOf(sessionId)).toEqual(upTo(30));
    expect(later).not.toBe(sessionId);
    expect(await numbersOf(later)).toEqual([30]);
    const { body } = await own.api
      .get('/api/v1/service/analytics/conversions', { appId: registered.id })
      .expect(200);
    expect(body.goalTypeBreakdown).toMatchObject([{ goalType: 'purchase', count: 2 }]);
    expect(logged.warn).not.toHaveBeenCalled();
  });

  it('goes on in memory while storage is full, and stores what waits once there is room', async () => {
    gateway.fault = () => 'cut';
    const offline = phone.start();
    const sessionId = await offline.waypost.getSessionId();
    phone.beforeWrite = () => {
      throw new Error('The disk is full');
    };
    for (const i of upTo(60)) await offline.waypost.trackEvent('look', { i });
    expect(phone.waiting.some(({ path }) => path === EVENT)).toBe(false);
    expect(logged.warn).toHaveBeenCalledTimes(1);
    phone.beforeWrite = () => undefined;
    await offline.waypost.trackEvent('look', { i: 60 });
    expect(phone.waiting.filter(({ path }) => path === EVENT)).toHaveLength(61);
    offline.kill();
    gateway.fault = () => null;
    await phone.start().waypost.flush();
    expect(await numbersOf(sessionId)).toEqual(upTo(61));
  });

  it('tracks and sends while storage cannot be read or written at all', async () => {
    phone.beforeRead = phone.beforeWrite = () => {
      throw new Error('There is no storage');
    };
    const { waypost } = phone.start();
    await waypost.trackEvent('look', { i: 0 });
    await waypost.flush();
    expect(await numbersOf(await waypost.getSessionId())).toEqual([0]);
    // Nobody knows whether this is the first start.
    expect(gateway.of('/sdk/mobile/deeplink/resolve-fingerprint')).toEqual([]);
  });

  it('keeps order and counts once when calls are made at once', async () => {
    const { waypost } = phone.start();
    await Promise.all([
      ...upTo(50).map((i) => waypost.trackEvent('look', { i })),
      ...upTo(3).map(() => waypost.flush()),
      waypost.getSessionId(),
    ]);
    await waypost.flush();
    expect(await numbersOf(await waypost.getSessionId())).toEqual(upTo(50));
    expect(gateway.of(EVENT)).toHaveLength(50);
    expect(gateway.of('/cross-platform/session/create')).toHaveLength(1);
  });

  it.each<Fault>([429, 503, 500, 'cut', 'lost'])('repeats after %s, and counts once', async (fault) => {
    let faults = 3;
    gateway.fault = ({ path }) => ([EVENT, FUNNEL].includes(path) && faults-- > 0 ? fault : null);
    const { waypost, foreground } = phone.start();
    const sessionId = await waypost.getSessionId();
    await waypost.trackEvent('look', { i: 0 });
    await waypost.trackPurchase(10, 'KRW');
    await waypost.trackEvent('look', { i: 1 });
    while (phone.waiting.length > 0) {
      foreground();
      await waypost.flush();
    }
    expect(gateway.calls.length).toBeGreaterThan(7);
    expect(await numbersOf(sessionId)).toEqual([0, 1]);
    const { body } = await appApi(app, registered)
      .get(`/api/v1/cross-platform/session/${sessionId}`)
      .expect(200);
    expect(body).toMatchObject({ converted: true, stages: expect.arrayContaining(['APP_OPENED']) });
  });

  it('counts a transaction once, and other purchases each', async () => {
    const { waypost } = phone.start();
    for (let n = 0; n < 2; n++) {
      await waypost.trackPurchase(10, 'USD', { transactionId: 'order-1' });
      await waypost.trackPurchase(10, 'USD');
      await waypost.trackSignup();
    }
    await waypost.flush();
    const { body } = await own.api
      .get('/api/v1/service/analytics/conversions', { appId: registered.id })
      .expect(200);
    expect(body.goalTypeBreakdown).toMatchObject([
      { goalType: 'purchase', count: 3 },
      { goalType: 'signup', count: 2 },
    ]);
  });

  it('waits as long as the service says', async () => {
    gateway.fault = ({ path }) => (path === EVENT ? 429 : null);
    const { waypost } = phone.start();
    await waypost.trackEvent('look');
    await waypost.flush();
    const before = gateway.of(EVENT).length;
    await waypost.trackEvent('look');
    expect(gateway.of(EVENT)).toHaveLength(before);
    gateway.fault = () => null;
    await waypost.flush();
    expect(phone.waiting).toEqual([]);
  });

  it('drops what is refused for good, says so, and goes on', async () => {
    const { waypost } = phone.start();
    const dropped: DroppedCall[] = [];
    waypost.onDropped((call) => dropped.push(call));
    await waypost.trackEvent('look', { i: 0 });
    await waypost.trackEvent('nul', { text: '\0' });
    await waypost.trackGoal('signup', 1e300);
    await waypost.trackEvent('look', { i: 1 });
    await waypost.flush();
    expect(await numbersOf(await waypost.getSessionId())).toEqual([0, 1]);
    expect(dropped).toMatchObject([
      { reason: 'VALIDATION_FAILED', path: EVENT, body: { eventType: 'nul' } },
      { reason: 'VALIDATION_FAILED', path: FUNNEL, body: { goalType: 'signup' } },
    ]);
    expect(logged.warn).toHaveBeenCalledTimes(2);
    expect(phone.waiting).toEqual([]);
  });

  it('never throws or rejects, and says what is wrong', async () => {
    const { waypost } = phone.start();
    const circle: Record<string, unknown> = {};
    circle.circle = circle;
    await Promise.all([
      waypost.trackEvent(''),
      waypost.trackEvent('x'.repeat(51)),
      waypost.trackEvent('circle', circle),
      waypost.trackGoal('signup', Number.NaN),
      waypost.trackGoal('', 1),
      waypost.trackPurchase(1, 'wons'),
      waypost.trackPurchase('1' as never, null as never),
      waypost.trackStage(undefined as never),
    ]);
    await waypost.trackEvent('fine');
    await waypost.flush();
    expect(logged.error).toHaveBeenCalledTimes(8);
    expect((await eventsOf(await waypost.getSessionId())).map(({ eventType }) => eventType)).toEqual([
      'fine',
    ]);
  });

  it('is bounded: the oldest events are dropped first, and the developer learns of it', async () => {
    gateway.fault = () => 'cut';
    const { waypost } = phone.start({ maxQueuedCalls: 20 });
    const dropped: DroppedCall[] = [];
    waypost.onDropped((call) => dropped.push(call));
    await waypost.trackPurchase(10, 'KRW');
    for (const i of upTo(30)) await waypost.trackEvent('look', { i });
    await waypost.trackEvent('long', { text: 'x'.repeat(60_000) });
    expect(phone.waiting).toHaveLength(20);
    expect(phone.waiting.filter(({ path }) => path === FUNNEL)).toHaveLength(2);
    expect(dropped.at(-1)).toMatchObject({ reason: 'TOO_LARGE', path: EVENT });
    const lost = dropped.slice(0, -1);
    expect(lost.map(({ reason, body }) => [reason, (body.eventData as { i: number }).i])).toEqual(
      upTo(lost.length).map((i) => ['QUEUE_FULL', i]),
    );
    gateway.fault = () => null;
    await waypost.flush();
    expect(await numbersOf(await waypost.getSessionId())).toEqual(upTo(30).slice(lost.length));
  });

  it('begins another session after a time without activity, and keeps it across starts before', async () => {
    const first = phone.start();
    const sessionId = await first.waypost.getSessionId();
    first.kill();
    app.clock.advance(29 * 60_000);
    const second = phone.start();
    expect(await second.waypost.getSessionId()).toBe(sessionId);
    app.clock.advance(31 * 60_000);
    await second.waypost.trackEvent('look', { i: 0 });
    const next = await second.waypost.getSessionId();
    expect(next).not.toBe(sessionId);
    app.clock.advance(31 * 60_000);
    second.foreground();
    await second.waypost.flush();
    const last = await second.waypost.getSessionId();
    expect([sessionId, next]).not.toContain(last);
    for (const id of [sessionId, next, last]) {
      const { body } = await appApi(app, registered).get(`/api/v1/cross-platform/session/${id}`).expect(200);
      expect(body).toMatchObject({
        platform: 'IOS',
        stages: ['APP_OPENED'],
        deviceInfo: {
          os: 'iOS',
          osVersion: '26.1',
          deviceModel: 'iPhone18,1',
          deviceType: 'Mobile',
          appVersion: '4.2.0',
        },
      });
    }
  });
});
